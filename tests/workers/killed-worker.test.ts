import type { Client } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import type { Database } from '../../db/database';
import { readBenchRows, readCalls } from '../workflows/bench-rows';
import { HELD_INPUT, type HoldingDouble, newBenchId } from '../workflows/held-calls';
import { until } from '../workflows/until';
import { createHeldHome, type HeldHome } from './held-home';
import { withoutDoubt } from './without-doubt';
import type { WorkerProcess } from './worker-process';

const INPUT: BenchInput = { ...HELD_INPUT, reviewer: 'openai-compatible:judge', maxInFlight: 4 };

/** The benches, and which of their calls get no answer: those are in flight when the worker is killed. */
const BENCHES = {
  undisturbed: { id: newBenchId(), held: /^$/ },
  judging: { id: newBenchId(), held: /^m[4-7]\// },
  generating: { id: newBenchId(), held: /^two\/\d+\/turn\// },
};
type Name = keyof typeof BENCHES;
type Calls = Awaited<ReturnType<typeof readCalls>>;

let double: HoldingDouble;
let home: HeldHome;
let db: Database;
let client: Client;
let worker: WorkerProcess;
const summaries: Partial<Record<Name, BenchSummary>> = {};
const callsAtDeath: Partial<Record<Name, Calls>> = {};

beforeAll(async () => {
  home = await createHeldHome();
  ({ double, db, client } = home);
  worker = await home.startWorker();
  const judging = await start('judging');
  const generating = await start('generating');
  await until('8 verdicts are in and 4 in flight, 2 texts are in and 2 in flight', async () => {
    return (
      (await count('judging', 'judge', 'settled')) === 8 &&
      countHeld('judging') === 4 &&
      (await count('generating', 'generation', 'settled')) === 2 &&
      countHeld('generating') === 2
    );
  });
  await worker.kill();
  callsAtDeath.judging = await callsOf('judging');
  callsAtDeath.generating = await callsOf('generating');
  for (const { id } of Object.values(BENCHES)) double.letGo(id);
  worker = await home.startWorker();
  summaries.undisturbed = await (await start('undisturbed')).result();
  summaries.judging = await judging.result();
  summaries.generating = await generating.result();
}, 120_000);
afterAll(async () => {
  await worker?.kill();
  await home?.close();
});

function start(name: Name) {
  const { taskQueue } = home.temporal;
  double.hold(BENCHES[name].id, BENCHES[name].held);
  const workflowId = `bench-${BENCHES[name].id}`;
  return client.workflow.start('bench', { taskQueue, workflowId, args: [INPUT] });
}

async function callsOf(name: Name): Promise<Calls> {
  return readCalls(db, BENCHES[name].id);
}

async function count(name: Name, kind: string, state: string): Promise<number> {
  return (await callsOf(name)).filter((call) => call.kind === kind && call.state === state).length;
}

/** Requests that have arrived and get no answer: a call's row is there a moment before its request is. */
function countHeld(name: Name): number {
  const { id, held } = BENCHES[name];
  return double.requests.filter(
    ({ callId }) => callId?.startsWith(id) && held.test(callId.slice(id.length + 1)),
  ).length;
}

describe.each([
  ['judging', 4],
  ['generating', 2],
] as const)('a bench whose worker was killed while it was %s', (name, inFlight) => {
  test('ends with the schedule, texts, 16 verdicts and ratings of a bench that nothing happened to', async () => {
    const [summary, expected] = [summaries[name]!, summaries.undisturbed!];
    expect(withoutDoubt(summary)).toEqual(withoutDoubt(expected));
    expect(new Set(summary.candidates.map(({ meanElo }) => meanElo)).size).toBe(2);
    const [rows, expectedRows] = [
      await readBenchRows(db, summary.benchId),
      await readBenchRows(db, expected.benchId),
    ];
    for (const table of [
      'bench_hypotheses',
      'bench_reviews',
      'bench_matches',
      'bench_verdicts',
      'bench_gold_hits',
    ]) {
      expect(rows[table]).toEqual(expectedRows[table]);
    }
    expect(rows.bench_verdicts).toHaveLength(16);
  });

  test(`sent no settled call again, and the ${inFlight} in flight once more, their first attempt in doubt`, async () => {
    const before = callsAtDeath[name]!;
    const now = await callsOf(name);
    const attemptsOf = (key: string) =>
      now.filter((call) => call.key === key).map(({ state, failure_kind }) => [state, failure_kind]);
    const settled = before.filter(({ state }) => state === 'settled');
    const sent = before.filter(({ state }) => state === 'sent');
    expect(sent).toHaveLength(inFlight);
    for (const { key } of settled) expect([key, attemptsOf(key)]).toEqual([key, [['settled', null]]]);
    for (const { key } of sent) {
      const attempts = [
        ['in_doubt', 'dropped'],
        ['settled', null],
      ];
      expect([key, attemptsOf(key)]).toEqual([key, attempts]);
    }
    // 4 hypotheses, 4 reviews, 16 verdicts, and nothing that was not asked for before.
    expect(now).toHaveLength(24 + inFlight);
    const requests = double.requests.filter(({ callId }) => callId?.startsWith(BENCHES[name].id));
    expect(requests).toHaveLength(24 + inFlight);
  });
});
