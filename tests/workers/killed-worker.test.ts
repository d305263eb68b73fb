import { Client, Connection } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { type Database, openDatabase } from '../../db/database';
import { readBenchId, readBenchRows, readCalls } from '../workflows/bench-rows';
import { until } from '../workflows/until';
import { createWorkerHome, type WorkerHome, type WorkerProcess } from './worker-process';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder,skill=2,latency=200@direct', 'two=sim:elm,latency=2500@direct'],
  judge: 'sim:referee,latency=900',
  goldSet: 'aml-repurposing-paper-5',
  n: 2,
  matches: 8,
  maxInFlight: 4,
  probe: false,
};

let home: WorkerHome;
let db: Database;
let client: Client;
let worker: WorkerProcess;
type Calls = Awaited<ReturnType<typeof readCalls>>;
const ended: Record<string, { summary: BenchSummary; callsAtDeath: Calls }> = {};
beforeAll(async () => {
  home = await createWorkerHome();
  db = openDatabase(home.database.workerUrl);
  const connection = await Connection.connect({ address: home.temporal.address });
  client = new Client({ connection, namespace: home.temporal.namespace });
  worker = await home.startWorker();
  const judging = await start('judging');
  await until('verdicts are in and in flight', async () => {
    return (
      (await count('judging', 'judge', 'settled')) >= 4 && (await count('judging', 'judge', 'sent')) >= 2
    );
  });
  const generating = await start('generating');
  await until('one candidate has written, the other writes', async () => {
    const settled = await count('generating', 'generation', 'settled');
    return settled >= 2 && (await count('generating', 'generation', 'sent')) >= 2;
  });
  await worker.kill();
  const callsAtDeath = { judging: await callsOf('judging'), generating: await callsOf('generating') };
  worker = await home.startWorker();
  const undisturbed = await start('undisturbed');
  for (const [name, handle] of Object.entries({ undisturbed, judging, generating })) {
    const calls = name === 'undisturbed' ? [] : callsAtDeath[name as keyof typeof callsAtDeath];
    ended[name] = { summary: await handle.result(), callsAtDeath: calls };
  }
}, 120_000);
afterAll(async () => {
  await worker.stop();
  await client.connection.close();
  await db.destroy();
  await home.database.drop();
});

function start(name: string) {
  const { taskQueue } = home.temporal;
  return client.workflow.start('bench', { taskQueue, workflowId: `${taskQueue}-${name}`, args: [INPUT] });
}

async function callsOf(name: string): Promise<Calls> {
  const id = await readBenchId(db, `${home.temporal.taskQueue}-${name}`).catch(() => null);
  return id === null ? [] : readCalls(db, id);
}

async function count(name: string, kind: string, state: string): Promise<number> {
  return (await callsOf(name)).filter((call) => call.kind === kind && call.state === state).length;
}

/** What a call in doubt adds to a summary: its bound, which stands apart from all costs. */
function withoutDoubt({ benchId: _, ...summary }: BenchSummary) {
  return {
    ...summary,
    inDoubtUsd: 0,
    candidates: summary.candidates.map((candidate) => ({ ...candidate, inDoubtUsd: 0 })),
  };
}

describe.each([
  ['judging', 'judge'],
  ['generating', 'generation'],
])('a bench whose worker was killed while %s', (name, kind) => {
  test('ends with the schedule, texts, verdicts and ratings of a bench that nothing happened to', async () => {
    const expected = ended.undisturbed!.summary;
    const { summary } = ended[name]!;
    expect(withoutDoubt(summary)).toEqual(withoutDoubt(expected));
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

  test('sent no settled call again, and each call that was in flight once more, the first attempt being in doubt', async () => {
    const { callsAtDeath } = ended[name]!;
    const now = await callsOf(name);
    const attemptsOf = (key: string) =>
      now.filter((call) => call.key === key).map(({ state, failure_kind }) => [state, failure_kind]);
    const settled = callsAtDeath.filter(({ state }) => state === 'settled');
    const inFlight = callsAtDeath.filter(({ state }) => state === 'sent');
    expect(settled.filter((call) => call.kind === kind).length).toBeGreaterThanOrEqual(2);
    expect(inFlight.length).toBeGreaterThanOrEqual(1);
    for (const { key } of settled) expect([key, attemptsOf(key)]).toEqual([key, [['settled', null]]]);
    for (const { key } of inFlight) {
      expect([key, attemptsOf(key)]).toEqual([
        key,
        [
          ['in_doubt', 'dropped'],
          ['settled', null],
        ],
      ]);
    }
    // 4 hypotheses, 4 reviews, 16 verdicts, and nothing that was not asked for before.
    expect(now).toHaveLength(24 + inFlight.length);
  });
});
