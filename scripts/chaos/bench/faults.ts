import { randomFrom } from '../../../core/random';
import type { Fault } from '../journal-double';

/** Shares of requests that fail so, as long as the same request has not done so twice. */
const SHARES: { fault: Fault; share: number }[] = [
  { fault: 'rate_limited', share: 0.06 },
  { fault: 'server_error', share: 0.04 },
  { fault: 'disconnect', share: 0.04 },
];
const MOST_OF_A_KIND = 2;

/**
 * Which occurrences of a request fail, and how: drawn from seed, request and occurrence, so that another run over the
 * same requests would meet the same faults.
 */
export class Faults {
  private readonly occurrences = new Map<string, (Fault | null)[]>();

  constructor(private readonly seed: number) {}

  /** The fate of the request's next occurrence. */
  next(bodySha256: string): Fault | null {
    const before = this.occurrences.get(bodySha256) ?? [];
    const drawn = this.draw(bodySha256, before.length + 1);
    const fault = before.filter((other) => other === drawn).length < MOST_OF_A_KIND ? drawn : null;
    this.occurrences.set(bodySha256, [...before, fault]);
    return fault;
  }

  private draw(bodySha256: string, occurrence: number): Fault | null {
    let left = randomFrom(this.seed, 'fault', bodySha256, String(occurrence)).uniform();
    for (const { fault, share } of SHARES) {
      if (left < share) return fault;
      left -= share;
    }
    return null;
  }
}

/** How long a model thinks over a request, in milliseconds: 200 to 1,600. */
export function latencyOf(seed: number, bodySha256: string): number {
  return 200 + Math.floor(1_400 * randomFrom(seed, 'latency', bodySha256).uniform());
}
