import { sql } from 'kysely';
import { judgeScope } from '../../core/ids';
import { readBudgets } from '../../db/budget-lines';
import { importBench } from '../../db/import-bench';
import { raiseBudget } from '../../db/ledger';
import { readLeftToDo } from '../../db/left-to-do';
import { nothingToDo } from '../../scripts/bench/resume-bench';
import { BENCH_ID, madeUp } from '../core/report/made-up';
import { testDatabaseOfFile } from '../stack/test-database';

// A finished bench of 4 candidates with 3 slots and 24 matches; each test takes away what it lacks and puts it back.
const db = testDatabaseOfFile().open('owner', { maxConnections: 2 });
beforeAll(async () => {
  const { record } = await madeUp();
  await importBench(db, record, []);
}, 60_000);

const NOTHING = { slots: 0, matches: 0, hasMore: false };
const SLOT = `${BENCH_ID}/elm[raw]/3`;
const CANDIDATE = `${BENCH_ID}/elm[raw]`;

/** As a call that did not fit leaves it. */
async function close(scope: string): Promise<void> {
  await sql`UPDATE bench_budgets SET exceeded_cap_usd = cap_usd WHERE id = ${scope}`.execute(db);
}

async function rowsNow(): Promise<unknown> {
  const tables = ['bench_runs', 'bench_candidates', 'bench_hypotheses', 'bench_matches', 'bench_verdicts'];
  const all = await Promise.all(
    tables.map(
      async (table) => (await sql`SELECT * FROM ${sql.table(table)} ORDER BY 1, 2, 3`.execute(db)).rows,
    ),
  );
  return JSON.stringify(all);
}

test('of a bench that finished whole nothing is left, and its user is told so with three ways on', async () => {
  expect(await readLeftToDo(db, BENCH_ID)).toEqual(NOTHING);
  const lines = nothingToDo({ benchId: BENCH_ID }, await readBudgets(db, BENCH_ID)).join('\n');
  expect(lines).toContain('there is nothing to resume: nothing was started, nothing was paid');
  expect(lines).toContain('none has ended any of it');
  for (const command of ['raise-budget', 'rescore', 'report']) {
    expect(lines).toContain(`co-scientist ${command} ${BENCH_ID}`);
  }
});

test('a slot and its matches that a cap ended are left only when the cap has risen; looking changes no row', async () => {
  await sql`UPDATE bench_hypotheses SET state = 'over_budget' WHERE id = ${SLOT}`.execute(db);
  const { numAffectedRows } = await sql`
    UPDATE bench_matches SET state = 'unplayed', reason = 'no_hypothesis' WHERE ${SLOT} IN (hyp_a, hyp_b)`.execute(
    db,
  );
  await close(CANDIDATE);
  expect(await readLeftToDo(db, BENCH_ID)).toEqual(NOTHING);
  const closed = (await readBudgets(db, BENCH_ID)).filter(({ isClosed }) => isClosed);
  expect(closed.map(({ scope, capUsd }) => [scope, capUsd])).toEqual([['elm[raw]', 3]]);
  const lines = nothingToDo({ benchId: BENCH_ID }, closed).join('\n');
  expect(lines).toContain(
    'a cap ended some of it (elm[raw] at $3.0000); with a higher one: co-scientist raise-budget',
  );
  expect(await raiseBudget(db, CANDIDATE, 4)).toBe(true);
  const before = await rowsNow();
  // 12 of the 24 matches are the candidate's, dealt to its 3 slots in turn.
  expect(numAffectedRows).toBe(4n);
  expect(await readLeftToDo(db, BENCH_ID)).toEqual({ slots: 1, matches: 4, hasMore: false });
  expect(await rowsNow()).toBe(before);
  await sql`UPDATE bench_hypotheses SET state = 'in_tournament' WHERE id = ${SLOT}`.execute(db);
  await sql`UPDATE bench_matches SET state = 'played', reason = NULL`.execute(db);
});

test('matches that the judge could not be paid for, and verdicts to be asked again, wait for the judge’s cap', async () => {
  await sql`UPDATE bench_matches SET state = 'unplayed', reason = 'over_budget' WHERE index IN (3, 4)`.execute(
    db,
  );
  await sql`UPDATE bench_matches SET repeats = 1 WHERE index = 0`.execute(db);
  await close(judgeScope(BENCH_ID));
  expect(await readLeftToDo(db, BENCH_ID)).toEqual(NOTHING);
  expect(await raiseBudget(db, judgeScope(BENCH_ID), 9)).toBe(true);
  expect(await readLeftToDo(db, BENCH_ID)).toEqual({ slots: 0, matches: 2, hasMore: true });
  await sql`UPDATE bench_matches SET state = 'played', reason = NULL, repeats = 0`.execute(db);
});

test('a slot that nobody answered for want of a key is left, one of a dropped candidate is not', async () => {
  const fail = (id: string) =>
    sql`UPDATE bench_hypotheses SET state = 'failed', failure_kind = 'unauthorized' WHERE id = ${id}`.execute(
      db,
    );
  await fail(SLOT);
  expect(await readLeftToDo(db, BENCH_ID)).toMatchObject({ slots: 1 });
  await sql`UPDATE bench_candidates SET state = 'dropped' WHERE id = ${CANDIDATE}`.execute(db);
  expect(await readLeftToDo(db, BENCH_ID)).toEqual(NOTHING);
});

test('a night that has finished and was not judged is left to be closed', async () => {
  await sql`
    INSERT INTO bench_nightlies (id, name, input, budget_usd, alpha, seed) VALUES ('nly_1', 'n', '{}', 1, 0.05, 1)`.execute(
    db,
  );
  await sql`
    INSERT INTO bench_nights (nightly_id, night, kind, baseline, namespace, workflow_id, first_run_id, bench_id)
    VALUES ('nly_1', 1, 'measured', 1, 'n', 'w', 'r', ${BENCH_ID})`.execute(db);
  expect(await readLeftToDo(db, BENCH_ID)).toEqual({ ...NOTHING, hasMore: true });
  await sql`UPDATE bench_nights SET judged_at = now()`.execute(db);
  expect(await readLeftToDo(db, BENCH_ID)).toEqual(NOTHING);
});
