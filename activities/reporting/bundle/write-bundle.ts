import { join } from 'node:path';
import type { RecordedAttempt, RecordedBench } from '../../../core/report/recorded-bench';
import { writePartsWhole } from '../write-file';
import { benchPath, SESSION_PATTERN } from './bench-file';
import { bundleFiles } from './bundle';

export interface WrittenBundle {
  /** The folder of the session. */
  folder: string;
  benchFile: string;
  files: number;
  bytes: number;
}

/**
 * Writes a bench's artifacts under `<root>/<session>`: the same rows give the same bytes. Every file is replaced
 * whole, the bench's own last.
 * @param attempts of every call with their words, those for rubric scores too, one key after the other, in any order
 * @throws Error when the session is no name for a folder
 */
export async function writeBundle(
  record: RecordedBench,
  attempts: AsyncIterable<readonly RecordedAttempt[]>,
  root: string,
): Promise<WrittenBundle> {
  const { benchId, session } = record.run;
  if (!SESSION_PATTERN.test(session)) throw new Error(`${benchId}: its session is no name for a folder`);
  const folder = join(root, session);
  const written: WrittenBundle = { folder, benchFile: join(folder, benchPath(benchId)), files: 0, bytes: 0 };
  for await (const { path, parts } of bundleFiles(record, attempts)) {
    written.bytes += writePartsWhole(join(folder, path), parts);
    written.files += 1;
  }
  return written;
}
