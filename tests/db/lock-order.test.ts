import { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/activity-deps';
import { createDropCandidate } from '../../activities/change-bench';
import { createEndSlots } from '../../activities/set-states';
import { createCloseTournament } from '../../activities/tournament-rows';
import { openDatabase } from '../../db/database';
import { saveSchedule } from '../../db/matches';
import { holdRow } from '../../db/row-hold';
import { saveVerdict } from '../../db/verdicts';
import { testDatabaseOfFile } from '../stack/test-database';
import { seedBench, smallPlan } from './seed-bench';
import { untilWaiting } from './until-waiting';

/** Whoever changes several rows at once locks them in one order, whatever order they lie in: no two wait for each other. */
const database = testDatabaseOfFile();
const db = database.open('worker');
// As Postgres reads where a bench has much of a table.
const url = new URL(database.workerUrl);
url.searchParams.set('options', '-c enable_indexscan=off -c enable_bitmapscan=off');
const other = openDatabase(url.href);
const deps = { db: other } as unknown as ActivityDeps;
afterAll(() => other.destroy());

/** Three slots of a candidate and three matches; the first of either lies last in its table. */
async function seedThree(): Promise<string> {
  const benchId = await seedBench(db, smallPlan({ n: 3 }));
  const [candA, candB] = [`${benchId}/alpha`, `${benchId}/beta`];
  const sides = { candA, candB, hypA: `${candA}/1`, hypB: `${candB}/1`, oneOrder: null, repeats: 0 };
  await saveSchedule(
    db,
    benchId,
    [0, 1, 2].map((index) => ({ index, ...sides })),
  );
  await sql`UPDATE bench_matches SET repeats = 1 WHERE id = ${`${benchId}/m0`}`.execute(db);
  await sql`UPDATE bench_hypotheses SET title = 'one' WHERE id = ${`${candA}/1`}`.execute(db);
  return benchId;
}

const ONE = { judges: ['sim:judge'], asked: [{ judge: 0, order: 'ab' }] } as const;

function giveVerdict(benchId: string, i: number) {
  const matchId = `${benchId}/m${i}`;
  const place = { matchId, order: 'ab', judge: 'sim:judge', repeat: 0, benchId, epoch: 1 } as const;
  const verdict = { state: 'invalid', reason: 'no_call', detail: '' } as const;
  return saveVerdict(db, { ...place, callKey: `${matchId}/ab/sim:judge/1`, verdict }, ONE);
}

const verdicts = (benchId: string) => Promise.all([0, 1].map((i) => giveVerdict(benchId, i)));
const close = (benchId: string) => createCloseTournament(deps)({ benchId, epoch: 1, reason: 'over_budget' });
const drop = (benchId: string) => createDropCandidate(deps)({ benchId, epoch: 1, label: 'alpha' });
const endSlots = (benchId: string) =>
  createEndSlots({ db } as unknown as ActivityDeps)({
    ...{ benchId, epoch: 1, state: 'over_budget', kind: 'budget_exceeded' },
    hypothesisIds: [1, 2].map((k) => `${benchId}/alpha/${k}`),
  });

test.each([
  ['the end of a tournament', 'verdicts', close, verdicts, 'bench_matches', 'm2'],
  ['a dropped candidate', 'verdicts', drop, verdicts, 'bench_matches', 'm2'],
  ['a dropped candidate', 'the end of its slots', drop, endSlots, 'bench_hypotheses', 'alpha/3'],
] as const)(
  '%s and %s at the same moment do not wait for each other',
  async (_, __, first, second, table, last) => {
    const benchId = await seedThree();
    const hold = await holdRow(database.workerUrl, table, `${benchId}/${last}`);
    const firstEnd = first(benchId);
    await untilWaiting(db, 1);
    const secondEnd = second(benchId);
    await untilWaiting(db, 2);
    const before = await countDeadlocks();
    await hold.release();
    await Promise.all([firstEnd, secondEnd]);
    expect(await countDeadlocks()).toBe(before);
  },
);

async function countDeadlocks(): Promise<number | undefined> {
  const { rows } = await sql<{ n: number }>`
    SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`.execute(db);
  return rows[0]?.n;
}
