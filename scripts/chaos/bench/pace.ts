import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../journal-double';

/**
 * Keeps a bench from ending before the last of its blows: as long as they go on, no greater share of its calls is
 * answered than of them have fallen. So each meets a bench that waits for answers.
 */
export class Pace {
  private fallen = 0;
  private answered = 0;

  constructor(
    private readonly calls: number,
    private readonly blows: number,
  ) {}

  noteBlow(): void {
    this.fallen += 1;
  }

  /** Returns when this request may be answered, or its caller has gone. */
  async wait(entry: JournalEntry): Promise<void> {
    while (entry.abandonedAt === null && !this.hasRoom()) await sleep(25);
    if (entry.abandonedAt === null) this.answered += 1;
  }

  private hasRoom(): boolean {
    return this.fallen >= this.blows || this.answered < (this.calls * (this.fallen + 1)) / (this.blows + 1);
  }
}
