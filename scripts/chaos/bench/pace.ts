import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../journal-double';

/**
 * Keeps a bench from ending before the last of its blows: as long as they go on, no greater share of its calls is
 * answered than of their time has passed.
 */
export class Pace {
  private startedAt: number | null = null;
  private answered = 0;

  constructor(
    private readonly calls: number,
    private readonly lengthMs: number,
  ) {}

  begin(): void {
    this.startedAt = performance.now();
  }

  /** Returns when this request may be answered, or its caller has gone. */
  async wait(entry: JournalEntry): Promise<void> {
    while (entry.abandonedAt === null && !this.hasRoom()) await sleep(25);
    if (entry.abandonedAt === null) this.answered += 1;
  }

  private hasRoom(): boolean {
    if (this.startedAt === null) return true;
    const passed = (performance.now() - this.startedAt) / this.lengthMs;
    return passed >= 1 || this.answered < this.calls * passed;
  }
}
