import type { Client } from '@temporalio/client';
import type { RubricRequest } from '../../activities/evaluation/open-rubric';
import type { BenchInput } from '../../core/bench-input';
import { rubricScope } from '../../core/ids';
import type { Database } from '../../db/database';
import { readRubricScores } from '../../db/rubric-scores';
import type { rubric } from '../../workflows';
import type { RubricProgress } from '../../workflows/rubric';
import { readBenchRows } from '../workflows/bench-rows';
import { HELD_INPUT, type HoldingDouble, newBenchId } from '../workflows/held-calls';
import { until } from '../workflows/until';
import { bookUnseen, createHeldHome, type HeldHome } from './held-home';
import type { WorkerProcess } from './worker-process';

/** 4 hypotheses, 4 reviews, 4 matches and a report: 13 pieces of work. */
const INPUT: BenchInput = {
  ...HELD_INPUT,
  ...{ reviewer: 'openai-compatible:judge', n: 2, matches: 4, goldSet: 'none' },
};
const PIECES = 13;

/** A score's bound is $0.041 (8,192 tokens out at $5 a million): 14 in doubt hold 0.574, and no other fits under 0.60. */
const BENCHES = {
  undisturbed: { id: newBenchId(), capUsd: 5 },
  /** Both kills find calls in flight. */
  asked: { id: newBenchId(), capUsd: 5 },
  /** The first kill finds the report's score settled, and nobody told of it. */
  settled: { id: newBenchId(), capUsd: 5 },
  /** As `asked`, and what is in doubt fills the cap. */
  capped: { id: newBenchId(), capUsd: 0.6 },
};
type Name = keyof typeof BENCHES;
const KILLED = ['asked', 'settled', 'capped'] as const;

let double: HoldingDouble;
let home: HeldHome;
let db: Database;
let client: Client;
let worker: WorkerProcess;
/** What the ledger said of the scores just before each of the kills. */
const atDeath: Record<Name, Calls[]> = { undisturbed: [], asked: [], settled: [], capped: [] };
/** Scores of `settled` that stood in rows at the first kill. */
let scoredAtDeath = 0;
const ends: Partial<Record<Name, RubricProgress>> = {};

beforeAll(async () => {
  // A worker that is gone is known after 3 s; nobody grades here.
  home = await createHeldHome({ CO_SCIENTIST_LEASE_SECONDS: '3', CO_SCIENTIST_GRADER: 'elsewhere' });
  ({ double, db, client } = home);
  worker = await home.startWorker();
  await Promise.all(Object.values(BENCHES).map(({ id }) => runBench(id)));

  double.hold(BENCHES.asked.id, /^rubric\/(reflection|ranking|overview)/);
  double.hold(BENCHES.capped.id, /^rubric\/(reflection|ranking|overview)/);
  double.hold(BENCHES.settled.id, /^rubric\/overview/);
  const handles = {
    asked: await start('asked'),
    settled: await start('settled'),
    capped: await start('capped'),
  };
  await until('9, 9 and 1 scores are in flight', async () => {
    const counts = KILLED.map((name) => countHeld(name, 1, /reflection|ranking|overview/));
    return counts.join() === '9,9,9' && (await callsOf('settled')).filter(isSettled).length === PIECES - 1;
  });
  const { id: benchId } = BENCHES.settled;
  await bookUnseen(home, worker, {
    ...{ benchId, scope: rubricScope(benchId) },
    isBooked: async () => (await callsOf('settled')).filter(isSettled).length === PIECES,
  });
  await killAndNote();
  scoredAtDeath = (await readRubricScores(db, BENCHES.settled.id)).length;

  double.hold(BENCHES.asked.id, /^rubric\/(ranking|overview)/);
  double.hold(BENCHES.capped.id, /^rubric\/(reflection|ranking|overview)/);
  worker = await home.startWorker();
  await until('5 and 5 are in flight once more, and all else of one is settled', async () => {
    const settled = (await callsOf('asked')).filter(isSettled).length;
    const held = (name: Name) => countHeld(name, 2, /./);
    // A call goes in doubt when its key is asked for again, which for those without room may be a while.
    const inDoubt = (await callsOf('capped')).filter(({ state }) => state === 'in_doubt').length;
    return [held('asked'), held('capped'), settled, inDoubt].join() === '9,5,8,9'; // 4 of the first 9 were answered
  });
  await killAndNote();

  worker = await home.startWorker();
  ends.undisturbed = await (await start('undisturbed')).result();
  for (const name of KILLED) ends[name] = await handles[name].result();
}, 240_000);
afterAll(async () => {
  await worker?.kill();
  await home?.close();
});

async function runBench(id: string): Promise<void> {
  const { taskQueue } = home.temporal;
  await client.workflow.execute('bench', { taskQueue, workflowId: `bench-${id}`, args: [INPUT] });
}

let runs = 0;

function start(name: Name, capUsd = BENCHES[name].capUsd) {
  runs += 1;
  const { taskQueue } = home.temporal;
  const request: RubricRequest = {
    ...{ benchId: BENCHES[name].id, judge: 'openai-compatible:judge', sample: 4, capUsd },
    agents: ['generation', 'reflection', 'ranking', 'overview'],
  };
  const workflowId = `${taskQueue}-rubric-${runs}`;
  return client.workflow.start<typeof rubric>('rubric', { taskQueue, workflowId, args: [request] });
}

type Calls = Awaited<ReturnType<typeof callsOf>>;

function callsOf(name: Name) {
  return db
    .selectFrom('bench_llm_calls')
    .select(['key', 'attempt', 'state', 'failure_kind', 'bound_usd', 'charged_usd'])
    .where('bench_id', '=', BENCHES[name].id)
    .where('kind', '=', 'rubric')
    .orderBy('key')
    .orderBy('attempt')
    .execute();
}

function budgetOf(name: Name) {
  return db
    .selectFrom('bench_budgets')
    .select(['cap_usd', 'held_usd'])
    .where('id', '=', rubricScope(BENCHES[name].id))
    .executeTakeFirstOrThrow();
}

const isSettled = ({ state }: { state: string }) => state === 'settled';
const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** Requests for scores that have come, of the keys that match. */
function countHeld(name: Name, attempt: number, key: RegExp): number {
  const begin = `${BENCHES[name].id}/rubric/`;
  return double.requests.filter(({ callId = '' }) => {
    return (
      callId?.startsWith(begin) && callId.endsWith(`#${attempt}`) && key.test(callId.slice(begin.length))
    );
  }).length;
}

/** kill -9; what was held back is answered to nobody. */
async function killAndNote(): Promise<void> {
  await worker.kill();
  for (const name of KILLED) {
    atDeath[name].push(await callsOf(name));
    double.letGo(BENCHES[name].id);
  }
}

/** States of a key's attempts, by agent and how often. */
function attemptsByAgent(calls: Calls): Record<string, number> {
  const states = new Map<string, string[]>();
  for (const { key, state } of calls) states.set(key, [...(states.get(key) ?? []), state]);
  const counts: Record<string, number> = {};
  for (const [key, ofKey] of states) {
    const told = `${key.split('/')[2]}: ${ofKey.join(', ')}`;
    counts[told] = (counts[told] ?? 0) + 1;
  }
  return counts;
}

test('the kills found 9 scores in flight, then 5 of them once more; and one that was settled and stood nowhere', () => {
  const inFlight = { 'reflection: sent': 4, 'ranking: sent': 4, 'overview: sent': 1 };
  const [first, second] = atDeath.asked.map(attemptsByAgent);
  expect(first).toEqual({ 'generation: settled': 4, ...inFlight });
  expect(second).toEqual({
    ...{ 'generation: settled': 4, 'reflection: in_doubt, settled': 4 },
    ...{ 'ranking: in_doubt, sent': 4, 'overview: in_doubt, sent': 1 },
  });
  const ofCapped = atDeath.capped.map((calls) =>
    calls
      .map(({ state }) => state)
      .sort()
      .join(),
  );
  const many = (count: number, state: string) => Array(count).fill(state) as string[];
  expect(ofCapped).toEqual([
    [...many(9, 'sent'), ...many(4, 'settled')].sort().join(),
    [...many(9, 'in_doubt'), ...many(5, 'sent'), ...many(4, 'settled')].sort().join(),
  ]);
  expect(attemptsByAgent(atDeath.settled[0]!)['overview: settled']).toBe(1);
  expect(scoredAtDeath).toBe(PIECES - 1);
});

test.each(['asked', 'settled'] as const)(
  'the bench %s has 13 scores, each once, and the marks of one that nothing happened to',
  async (name) => {
    expect(ends[name]).toEqual({ work: 13, valid: 13, invalid: 0, overBudget: 0 });
    expect(ends.undisturbed).toEqual(ends[name]);
    const scoresOf = async (of: Name) => (await readBenchRows(db, BENCHES[of].id)).bench_rubric_scores!;
    expect(await scoresOf(name)).toHaveLength(PIECES);
    expect(await scoresOf(name)).toEqual(await scoresOf('undisturbed'));
  },
);

test('no settled call was sent again, and each in flight once more for each kill that found it so', async () => {
  expect(attemptsByAgent(await callsOf('undisturbed'))).toEqual({
    ...{ 'generation: settled': 4, 'reflection: settled': 4, 'ranking: settled': 4, 'overview: settled': 1 },
  });
  expect(attemptsByAgent(await callsOf('settled'))).toEqual(attemptsByAgent(await callsOf('undisturbed')));
  expect(attemptsByAgent(await callsOf('asked'))).toEqual({
    ...{ 'generation: settled': 4, 'reflection: in_doubt, settled': 4 },
    ...{ 'ranking: in_doubt, in_doubt, settled': 4, 'overview: in_doubt, in_doubt, settled': 1 },
  });
  for (const name of [...KILLED, 'undisturbed'] as const) {
    const begin = `${BENCHES[name].id}/rubric/`;
    const sent = double.requests.flatMap(({ callId }) => (callId?.startsWith(begin) ? [callId] : []));
    const booked = (await callsOf(name)).map(({ key, attempt }) => `${key}#${attempt}`);
    expect(sent.sort()).toEqual(booked.sort());
  }
});

test('each of the 14 in doubt is booked with its bound, and the budget holds the sum of all charges', async () => {
  for (const name of ['asked', 'capped'] as const) {
    const calls = await callsOf(name);
    const inDoubt = calls.filter(({ state }) => state === 'in_doubt');
    expect(inDoubt).toHaveLength(14);
    for (const call of inDoubt) {
      expect(call).toMatchObject({ failure_kind: 'dropped', charged_usd: call.bound_usd });
    }
    const { held_usd: held } = await budgetOf(name);
    expect(held).toBeCloseTo(sumOf(calls.map(({ charged_usd }) => charged_usd)), 12);
  }
});

test('with 14 in doubt under a cap of $0.60 the 9 left are not sent, and a higher cap has just these scored', async () => {
  expect(ends.capped).toEqual({ work: 13, valid: 4, invalid: 0, overBudget: 9 });
  const { cap_usd: cap, held_usd: held } = await budgetOf('capped');
  expect(cap).toBe(0.6);
  expect(held).toBeLessThanOrEqual(0.6);
  expect(held).toBeGreaterThan(0.56);
  expect(await readRubricScores(db, BENCHES.capped.id)).toHaveLength(4);
  const before = await callsOf('capped');
  expect(await (await start('capped', 5)).result()).toMatchObject({ valid: 13, overBudget: 0 });
  const after = await callsOf('capped');
  expect(after).toHaveLength(before.length + 9);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(await readRubricScores(db, BENCHES.capped.id)).toHaveLength(PIECES);
});
