import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBundles, readBundle } from '../../activities/reporting/bundle/read-bundle';
import { writeArtifacts } from '../../activities/reporting/write-artifacts';
import { importBench } from '../../db/import-bench';
import { TRANSCRIPTS } from '../activities/evaluation/recorded-transcripts';
import { filesOf } from '../activities/reporting/files-of';
import { testDatabaseOfFile } from '../stack/test-database';

const db = testDatabaseOfFile().open('owner', { maxConnections: 2 });

test('the bundle that comes with the program, written before there were rubric scores, is exported again to its very bytes', async () => {
  const again = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const bundle = readBundle(findBundles(TRANSCRIPTS)[0]!, TRANSCRIPTS);
    if (Array.isArray(bundle)) throw new Error(JSON.stringify(bundle));
    expect(bundle.bench.rubric).toBeNull();
    await importBench(db, bundle.bench, bundle.attempts());
    await writeArtifacts(db, bundle.file.benchId, again);
    expect(filesOf(again)).toEqual(filesOf(TRANSCRIPTS));
  } finally {
    rmSync(again, { recursive: true });
  }
});
