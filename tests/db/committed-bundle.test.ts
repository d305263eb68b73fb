import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBundles, readBundle } from '../../activities/reporting/bundle/read-bundle';
import { writeArtifacts } from '../../activities/reporting/write-artifacts';
import { importBench } from '../../db/import-bench';
import { TRANSCRIPTS } from '../activities/evaluation/recorded-transcripts';
import { testDatabaseOfFile } from '../stack/test-database';

const db = testDatabaseOfFile().open('owner', { maxConnections: 2 });

/** Its text by path from the folder. */
const filesOf = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(root.length), readFileSync(path, 'utf8')]),
  );

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
