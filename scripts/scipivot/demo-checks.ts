import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../db/database';
import { countCalls } from '../../db/scipivot';
import { DEMO_CANDIDATES } from './demo-candidates';
import type { ScipivotBench } from './run-files';
import { buildScoreReport } from './score-report';

/** Something the demo is to show, and whether it did. */
export interface DemoCheck {
  claim: string;
  holds: boolean;
}

/** @param endedAtKill sessions that had ended when the worker was killed */
export async function demoChecks(about: {
  db: Database;
  summary: ScipivotBench;
  /** Where the run's files are. */
  files: string;
  graderDir: string;
  endedAtKill: number | null;
}): Promise<DemoCheck[]> {
  const { summary, endedAtKill } = about;
  const { subjects } = summary.scipivot;
  const planned = subjects.reduce((sum, one) => sum + one.nSessions, 0);
  const ended = subjects.reduce((sum, one) => sum + one.nEnded, 0);
  const calls = await countCalls(about.db, summary.benchId);
  return [
    { claim: `${ended} of ${planned} sessions ended`, holds: ended === planned },
    {
      claim: `the worker was killed after ${endedAtKill ?? 'none'} of them`,
      holds: endedAtKill !== null && endedAtKill < planned,
    },
    {
      claim: `${calls.accepted} answers accepted, one a session; ${calls.inDoubt} calls lost with the worker, sent again`,
      holds: calls.accepted === planned && calls.others === 0,
    },
    ...Object.entries(DEMO_CANDIDATES).map(([label, { accuracy }]) =>
      knownAccuracy(summary, label, accuracy),
    ),
    alwaysA(summary),
    ...(await sameBytes(about)),
  ];
}

/** A 95 % interval may miss; four standard errors do not, but once in 16,000. */
function knownAccuracy({ scipivot }: ScipivotBench, label: string, accuracy: number): DemoCheck {
  const one = scipivot.subjects.find(({ subject }) => subject === label);
  const mean = one?.score?.mean ?? Number.NaN;
  const error = Math.sqrt((accuracy * (1 - accuracy)) / (one?.nSessions ?? 1));
  return {
    claim: `${label}: scored ${(mean * 100).toFixed(2)} %, known ${accuracy * 100} %`,
    holds: Math.abs(mean - accuracy) <= 4 * error,
  };
}

function alwaysA({ scipivot }: ScipivotBench): DemoCheck {
  const score = scipivot.subjects.find(({ subject }) => subject === 'always-a')?.score;
  return {
    claim: 'always-a: exactly 50 %, order consistency 0, A-rate 100 %',
    holds: score?.mean === 0.5 && score.orderConsistency === 0 && score.shownFirstRate === 1,
  };
}

/** `scipivot score` over the run's predictions gives the run's own scores. */
async function sameBytes({ files, graderDir }: { files: string; graderDir: string }): Promise<DemoCheck[]> {
  const folders = (await readdir(files, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const same = await Promise.all(
    folders.map(async ({ name }) => {
      const own = await readFile(path.join(files, name, 'score.json'), 'utf8');
      const report = await buildScoreReport({
        references: path.join(graderDir, 'references.json'),
        predictions: path.join(files, name, 'predictions.jsonl'),
      });
      return own === `${JSON.stringify(report, null, 2)}\n`;
    }),
  );
  return [
    {
      claim: `scipivot score gives the same bytes for ${same.filter(Boolean).length} of ${folders.length} predictions files`,
      holds: same.length > 0 && same.every(Boolean),
    },
  ];
}
