import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ActivityDeps } from '../../activities/activity-deps';
import { openDatabase } from '../../db/database';
import { loadDataSet } from '../../db/scipivot-sets';
import { readDataSetFiles } from '../../scripts/scipivot/data-set-files';
import { exportRelease } from '../../scripts/scipivot/export-release';
import { type BenchWorker, startBenchWorker } from './bench-worker';

export interface Question {
  id: string;
  option_a: string;
  option_b: string;
  label: 'A' | 'B';
}

/** Our own fixture, whole or as many of its first cases. */
export function fixtureQuestions(count = 248): Question[] {
  const file = path.join(__dirname, '../../presets/scipivot/fixture/questions.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { questions: Question[] }).questions.slice(0, count);
}

/** A worker whose database has the data set `fixture`, and the directories it was exported to. */
export interface ScipivotWorker extends BenchWorker {
  folder: string;
  publicDir: string;
  graderDir: string;
}

export async function startScipivotWorker(
  questions: readonly Question[],
  changes: Partial<ActivityDeps> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<ScipivotWorker> {
  const worker = await startBenchWorker(changes, env);
  const folder = mkdtempSync(path.join(tmpdir(), 'scipivot-set-'));
  const places = { publicDir: path.join(folder, 'public'), graderDir: path.join(folder, 'grader') };
  writeFileSync(path.join(folder, 'questions.json'), JSON.stringify({ questions }));
  await exportRelease({
    ...places,
    questions: path.join(folder, 'questions.json'),
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

async function loadAsOwner(ownerUrl: string, places: { publicDir: string; graderDir: string }) {
  const { set } = await readDataSetFiles({ ...places, name: 'fixture' });
  const owner = openDatabase(ownerUrl, { maxConnections: 1 });
  try {
    await loadDataSet(owner, set);
  } finally {
    await owner.destroy();
  }
}
