import { compareText } from '../../core/compare-text';
import type { EvalCheck, EvalViolation } from '../../core/evaluation/eval-check';
import type { RecordedAttempt, RecordedBench, RecordedCall } from '../../core/report/recorded-bench';
import type { Database } from '../../db/database';
import { readAttempts, readRecordedBench, readSnapshot } from '../../db/export-reads';
import { listedFiles } from '../reporting/bundle/bundle';
import { type BundlePlace, readBundle } from '../reporting/bundle/read-bundle';

/** A bench with everything that was said in it, to be checked without asking anybody anything. */
export interface Transcripts {
  bench: Omit<RecordedBench, 'calls'>;
  /** Every call with its words, key by key; not those for rubric scores, which are no part of the bench. */
  attempts: AsyncIterable<readonly RecordedAttempt[]> | Iterable<readonly RecordedAttempt[]>;
  /** What is wrong with the files they come from, once all are read; null: they come from a database. */
  files: (() => EvalCheck) | null;
}

/** A rule being held against transcripts as they go by. */
export interface RunningCheck {
  /** @param attempts of one key, oldest first */
  add?(attempts: readonly RecordedAttempt[]): void;
  end(bench: RecordedBench): EvalCheck;
}

/** Reads all transcripts once, never all of them in memory. */
export async function runChecks(
  transcripts: Transcripts,
  checks: readonly RunningCheck[],
): Promise<EvalCheck[]> {
  const calls: RecordedCall[] = [];
  for await (const attempts of transcripts.attempts) {
    for (const check of checks) check.add?.(attempts);
    for (const { request: _, response: __, ...call } of attempts) calls.push(call);
  }
  calls.sort((one, other) => compareText(one.key, other.key) || one.attempt - other.attempt);
  const bench: RecordedBench = { ...transcripts.bench, calls };
  return [...(transcripts.files ? [transcripts.files()] : []), ...checks.map((check) => check.end(bench))];
}

/**
 * The transcripts of an exported bench.
 * @returns the check that fails where the bench's own file cannot be read
 */
export function bundleTranscripts(place: BundlePlace, root: string): Transcripts | EvalCheck {
  const bundle = readBundle(place, root);
  if (Array.isArray(bundle)) return filesCheck(1, bundle);
  const nFiles = 1 + listedFiles(bundle.file.files).length;
  return {
    bench: bundle.bench,
    attempts: bundle.attempts(),
    files: () => {
      for (const _ of bundle.rubricAttempts()); // looked at as files alone
      return filesCheck(nFiles, bundle.problems);
    },
  };
}

/** Lets something look at a bench of the database, as it stands at one moment. */
export async function withDatabaseTranscripts<T>(
  db: Database,
  benchId: string,
  work: (transcripts: Transcripts) => Promise<T>,
): Promise<T> {
  return readSnapshot(db, async (snapshot) => {
    const { calls, ...bench } = await readRecordedBench(snapshot, benchId);
    const keys = [...new Set(calls.map(({ key }) => key))];
    return work({ bench, attempts: readAttempts(snapshot, benchId, keys), files: null });
  });
}

function filesCheck(checked: number, problems: readonly { file: string; message: string }[]): EvalCheck {
  const violations: EvalViolation[] = problems.map(({ file, message }) => ({ subject: file, message }));
  return { area: 'transcripts', name: 'files', unit: 'files', checked, violations, notes: [] };
}
