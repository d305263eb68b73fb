import type { Database } from '../../db/database';
import { readAttempts, readRecordedBench, readSnapshot } from '../../db/export-reads';
import { readRubricKeys } from '../../db/export-rubric';
import { type WrittenBundle, writeBundle } from './bundle/write-bundle';

/**
 * Writes a bench's artifacts under `<root>/<session>`, all from one moment of the database.
 * @throws Error when there is no such bench, or its session is no name for a folder; what the file system says
 */
export async function writeArtifacts(db: Database, benchId: string, root: string): Promise<WrittenBundle> {
  return readSnapshot(db, async (snapshot) => {
    const record = await readRecordedBench(snapshot, benchId);
    const keys = [...new Set(record.calls.map(({ key }) => key))];
    const ofRubric = await readRubricKeys(snapshot, benchId);
    return writeBundle(record, readAttempts(snapshot, benchId, [...keys, ...ofRubric]), root);
  });
}
