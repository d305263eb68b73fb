import type { BenchReport } from '../../../core/report/bench-report';
import type { RecordedAttempt, RecordedBench } from '../../../core/report/recorded-bench';
import { benchPage } from './bench-page';
import { HypothesisBlocks } from './hypothesis-blocks';
import { type MatchPage, matchPages } from './match-lists';
import { transcriptGroups } from './transcript-groups';
import { TranscriptStore } from './transcript-store';

/** A page, or one beside it; `name` from the folder that they lie in. */
export interface PageFile {
  name: string;
  text: string;
}

/** Up to so many matches stand in the page itself; more, on pages beside it. */
const MATCHES_IN_PAGE = 500;

/**
 * `<bench>.html`, and beside it the pages of its matches where they are many. Calls are handed in as they are read;
 * a page beside is ready once all of its calls are there, and these are then forgotten: a bench has more of them than
 * memory should hold. The same rows give the same bytes.
 */
export class BenchPages {
  private readonly transcripts: TranscriptStore;
  private readonly blocks: HypothesisBlocks;
  private readonly pages: MatchPage[];
  /** Of each page that is not written yet, the calls it waits for. */
  private readonly waiting: Map<MatchPage, Set<string>>;
  private readonly pageOf = new Map<string, MatchPage>();

  constructor(
    private readonly record: RecordedBench,
    private readonly report: BenchReport,
  ) {
    this.transcripts = new TranscriptStore(transcriptGroups(record));
    this.blocks = new HypothesisBlocks(record, report, this.transcripts);
    this.pages = record.matches.length > MATCHES_IN_PAGE ? matchPages(this.source()) : [];
    const known = new Set(record.calls.map(({ key }) => key));
    this.waiting = new Map(
      this.pages.map((page) => [page, new Set(page.callKeys.filter((key) => known.has(key)))]),
    );
    for (const page of this.pages) for (const key of page.callKeys) this.pageOf.set(key, page);
  }

  /** @param attempts of one key, oldest first */
  add(attempts: readonly RecordedAttempt[]): void {
    const [first] = attempts;
    if (!first) return;
    this.transcripts.add(attempts);
    const page = this.pageOf.get(first.key);
    if (page) this.waiting.get(page)?.delete(first.key);
  }

  /** Pages that wait for no call any more; each once. */
  *ready(): Generator<PageFile> {
    for (const [page, keys] of this.waiting) {
      if (keys.size > 0) return; // calls come in the order of the pages
      yield this.take(page);
    }
  }

  /** All that is left, the bench's own page last. */
  *rest(): Generator<PageFile> {
    for (const page of this.waiting.keys()) yield this.take(page);
    yield { name: `${this.report.benchId}.html`, text: benchPage(this.source(), this.pages) };
  }

  private take(page: MatchPage): PageFile {
    const { name, write, callKeys } = page;
    const text = write();
    this.transcripts.forget(callKeys);
    this.waiting.delete(page);
    return { name, text };
  }

  private source() {
    const { record, report, transcripts, blocks } = this;
    return { record, report, transcripts, blocks };
  }
}
