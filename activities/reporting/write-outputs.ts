import { join } from 'node:path';
import { turnKeys } from '../../core/ids';
import { type BenchReport, reportBench } from '../../core/report/bench-report';
import type { RecordedAttempt, RecordedBench } from '../../core/report/recorded-bench';
import type { Database } from '../../db/database';
import { readAttempts, readRecordedBench, readSnapshot } from '../../db/export-reads';
import { readRubricKeys } from '../../db/export-rubric';
import { type WrittenBundle, writeBundle } from './bundle/write-bundle';
import { BenchPages } from './html/bench-pages';
import { benchPageMarkdown } from './markdown/results-page';
import { reportOptions } from './report-options';
import { writeFileWhole } from './write-file';

/** Where a bench's outputs go. */
export interface OutputPlaces {
  /** Holds a folder a session; null: artifacts are not written. */
  artifacts: string | null;
  /** Takes `<bench>.html` and `<bench>.md`. */
  reports: string;
}

export interface WrittenOutputs {
  report: BenchReport;
  bundle: WrittenBundle | null;
  /** Paths of the pages; the bench's own last. */
  pages: string[];
}

/**
 * Writes what people read of a bench: artifacts, page, Markdown. All of it from one moment of the database, reading
 * every call once and never all of them at a time.
 * @throws Error when there is no such bench
 */
export async function writeOutputs(
  db: Database,
  benchId: string,
  places: OutputPlaces,
): Promise<WrittenOutputs> {
  return readSnapshot(db, async (snapshot) => {
    const record = await readRecordedBench(snapshot, benchId);
    const report = reportBench(record, reportOptions());
    const read = readAttempts(snapshot, benchId, keysInPageOrder(record));
    const pages = new PageFiles(new BenchPages(record, report), places.reports);
    const ofRubric = readAttempts(snapshot, benchId, await readRubricKeys(snapshot, benchId));
    const all = oneAfterOther(pages.readingAlong(read), ofRubric);
    const bundle = await writeWhileReading(record, all, places.artifacts);
    pages.end();
    writeFileWhole(join(places.reports, `${benchId}.md`), benchPageMarkdown(report));
    return { report, bundle, pages: pages.paths };
  });
}

/** Scores given after the fact stand on no page by call. */
async function* oneAfterOther<T>(...parts: AsyncIterable<T>[]): AsyncGenerator<T> {
  for (const part of parts) yield* part;
}

/** With no place for artifacts the calls are read all the same: the pages wait for them. */
async function writeWhileReading(
  record: RecordedBench,
  attempts: AsyncIterable<RecordedAttempt[]>,
  artifacts: string | null,
): Promise<WrittenBundle | null> {
  if (artifacts !== null) return writeBundle(record, attempts, artifacts);
  for await (const _ of attempts);
  return null;
}

/** Verdicts last and match by match, so that a page of matches can be written and forgotten before the next. */
function keysInPageOrder({ matches, calls }: RecordedBench): string[] {
  const ofMatches = matches.flatMap(({ verdicts }) => verdicts.flatMap(({ callKey }) => turnKeys(callKey)));
  const last = new Set(ofMatches);
  const all = new Set(calls.map(({ key }) => key));
  return [...[...all].filter((key) => !last.has(key)), ...[...last].filter((key) => all.has(key))];
}

/** Writes pages as soon as their calls have come by. */
class PageFiles {
  readonly paths: string[] = [];

  constructor(
    private readonly pages: BenchPages,
    private readonly folder: string,
  ) {}

  async *readingAlong(attempts: AsyncIterable<RecordedAttempt[]>): AsyncGenerator<RecordedAttempt[]> {
    for await (const ofKey of attempts) {
      this.pages.add(ofKey);
      this.write(this.pages.ready());
      yield ofKey;
    }
  }

  end(): void {
    this.write(this.pages.rest());
  }

  private write(pages: Iterable<{ name: string; text: string }>): void {
    for (const { name, text } of pages) {
      const path = join(this.folder, name);
      writeFileWhole(path, text);
      this.paths.push(path);
    }
  }
}
