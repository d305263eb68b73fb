import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, JournalEntry } from '../journal-double';
import { Faults, latencyOf } from './faults';
import type { Pace } from './pace';

/** What the models' servers do beside answering: nothing at first; then they think a while, and fail now and then. */
export class Weather {
  private readonly faults: Faults;
  private isFoul = false;
  private pace: Pace | null = null;

  constructor(private readonly seed: number) {
    this.faults = new Faults(seed);
  }

  /** @param pace keeps answers back; null: none */
  turnFoul(pace: Pace | null): void {
    this.isFoul = true;
    this.pace = pace;
  }

  async before(entry: JournalEntry): Promise<Fault | null> {
    if (!this.isFoul) return null;
    const fault = this.faults.next(entry.bodySha256);
    await sleep(latencyOf(this.seed, entry.bodySha256));
    if (fault === null) await this.pace?.wait(entry);
    return fault;
  }
}
