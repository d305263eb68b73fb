import { join } from 'node:path';
import { type BenchReport, reportBench } from '../../core/report/bench-report';
import type { RecordedAttempt } from '../../core/report/recorded-bench';
import type { Database } from '../../db/database';
import { readAttempts, readRecordedBench, readSnapshot } from '../../db/export-reads';
import { type ReadAttempts, type WrittenBundle, writeBundle } from './bundle/write-bundle';
import { benchPages } from './html/bench-page';
import { TranscriptStore } from './html/transcript-store';
import { benchPageMarkdown } from './markdown/results-page';
import { reportOptions } from './report-options';
import { writeFileWhole } from './write-file';

/** Where a bench's outputs go; null: not written. */
export interface OutputPlaces {
  /** Holds a folder a session. */
  artifacts: string | null;
  /** Takes `<bench>.html` and `<bench>.md`. */
  reports: string | null;
}

export interface WrittenOutputs {
  report: BenchReport;
  bundle: WrittenBundle | null;
  /** Paths of the pages; the bench's own first. */
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
    const transcripts = new TranscriptStore();
    const read: ReadAttempts = (keys) => {
      const attempts = readAttempts(snapshot, benchId, keys);
      return places.reports === null ? attempts : keeping(attempts, transcripts);
    };
    const bundle = places.artifacts === null ? null : await writeBundle(record, read, places.artifacts);
    if (bundle === null && places.reports !== null) {
      for await (const _ of read([...new Set(record.calls.map(({ key }) => key))]));
    }
    const report = reportBench(record, reportOptions());
    const pages: string[] = [];
    if (places.reports !== null) {
      for (const { name, text } of benchPages({ report, record, transcripts })) {
        pages.push(join(places.reports, name));
        writeFileWhole(join(places.reports, name), text);
      }
      writeFileWhole(join(places.reports, `${benchId}.md`), benchPageMarkdown(report));
    }
    return { report, bundle, pages };
  });
}

/** The same attempts, packed on their way for the pages. */
async function* keeping(
  attempts: AsyncIterable<RecordedAttempt[]>,
  transcripts: TranscriptStore,
): AsyncGenerator<RecordedAttempt[]> {
  for await (const ofKey of attempts) {
    transcripts.add(ofKey);
    yield ofKey;
  }
}
