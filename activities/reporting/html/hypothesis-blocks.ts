import type { BenchReport } from '../../../core/report/bench-report';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { hypothesisBlock } from './hypothesis-block';
import type { Markup } from './markup';
import { callKeysBySlot } from './transcript-groups';
import type { TranscriptStore } from './transcript-store';

/** Blocks of a page with the calls that it can open. */
export interface Listed {
  blocks: Markup[];
  callKeys: string[];
}

/** The blocks of a bench's slots, each written once however many pages show it. */
export class HypothesisBlocks {
  private readonly written = new Map<string, Markup>();
  private readonly keysOf: Map<string, string[]>;

  constructor(
    private readonly record: RecordedBench,
    private readonly report: BenchReport,
    private readonly transcripts: TranscriptStore,
  ) {
    this.keysOf = callKeysBySlot(record.calls.map(({ key }) => key));
  }

  /**
   * In the order of the plan. To be asked once the slots' calls are in the store.
   * @param only ids of the slots to show; null: all
   */
  list(only: ReadonlySet<string> | null): Listed {
    const { hypotheses } = this.record;
    const shown = hypotheses.map((_, i) => i).filter((i) => only === null || only.has(hypotheses[i]!.id));
    return {
      blocks: shown.map((i) => this.block(i)),
      callKeys: shown.flatMap((i) => this.callKeys(hypotheses[i]!.id)),
    };
  }

  private block(i: number): Markup {
    const recorded = this.record.hypotheses[i]!;
    const known = this.written.get(recorded.id);
    if (known) return known;
    const block = hypothesisBlock({
      recorded,
      report: this.report.hypotheses[i]!,
      transcripts: this.transcripts,
      callKeys: this.callKeys(recorded.id),
    });
    this.written.set(recorded.id, block);
    return block;
  }

  private callKeys(id: string): string[] {
    return (this.keysOf.get(id) ?? []).filter((key) => this.transcripts.groupName(key) !== null);
  }
}
