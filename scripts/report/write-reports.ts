import { join } from 'node:path';
import {
  type OutputPlaces,
  type WrittenOutputs,
  writeOutputs,
} from '../../activities/reporting/write-outputs';
import type { Database } from '../../db/database';
import { writeResultsFile } from './results-file';

/** Folders of a home that people's files lie in. */
export function outputPlaces(home: string): { artifacts: string; reports: string } {
  return { artifacts: join(home, 'artifacts'), reports: join(home, 'reports') };
}

/** What a bench leaves when it has ended: artifacts, its page, and the page of all benches. */
export async function writeReports(
  db: Database,
  benchId: string,
  places: OutputPlaces,
): Promise<WrittenOutputs> {
  const written = await writeOutputs(db, benchId, places);
  await writeResultsFile(db, join(places.reports, 'BENCH_RESULTS.md'));
  return written;
}
