import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ActivityDeps } from '../../activities/activity-deps';
import { openDatabase } from '../../db/database';
import { loadDataSet } from '../../db/scipivot-sets';
import { readDataSetFiles } from '../../scripts/scipivot/data-set-files';
import { exportRelease } from '../../scripts/scipivot/export-release';
import { type BenchWorker, startBenchWorker } from './bench-worker';

export const FIXTURE = path.join(__dirname, '../../presets/scipivot/fixture/questions.json');

/** A worker whose database has the fixture as data set `fixture`, and the folder it was exported to. */
export interface ScipivotWorker extends BenchWorker {
  folder: string;
  publicDir: string;
  graderDir: string;
}

/** @param questions a file to export rather than the fixture */
export async function startScipivotWorker(
  changes: Partial<ActivityDeps> = {},
  env: NodeJS.ProcessEnv = {},
  questions: string = FIXTURE,
): Promise<ScipivotWorker> {
  const worker = await startBenchWorker(changes, env);
  const folder = mkdtempSync(path.join(tmpdir(), 'scipivot-set-'));
  const places = { publicDir: path.join(folder, 'public'), graderDir: path.join(folder, 'grader') };
  await exportRelease({
    ...places,
    questions,
    output: path.join(folder, 'receipt.json'),
    caseIds: 'opaque',
    allowUnpinned: true,
  });
  await loadAsOwner(worker.database.ownerUrl, places);
  return {
    ...worker,
    ...places,
    folder,
    close: async () => {
      await worker.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function loadAsOwner(
  ownerUrl: string,
  places: { publicDir: string; graderDir: string },
  name = 'fixture',
) {
  const { set } = await readDataSetFiles({ ...places, name });
  const owner = openDatabase(ownerUrl, { maxConnections: 1 });
  try {
    return await loadDataSet(owner, set);
  } finally {
    await owner.destroy();
  }
}
