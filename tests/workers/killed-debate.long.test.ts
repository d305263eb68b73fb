import type { Client } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { judgeScope } from '../../core/ids';
import type { Database } from '../../db/database';
import { readBenchRows, readCalls } from '../workflows/bench-rows';
import { HELD_INPUT, type HoldingDouble, newBenchId } from '../workflows/held-calls';
import { until } from '../workflows/until';
import { bookUnseen, createHeldHome, type HeldHome } from './held-home';
import { withoutDoubt } from './without-doubt';
import type { WorkerProcess } from './worker-process';

/** 2 matches in both orders, each verdict after one argument a side: 12 calls of the judge, and 2 hypotheses. */
const INPUT: BenchInput = {
  ...HELD_INPUT,
  ...{ verdictMode: 'debate', debateTurns: 1, n: 1, matches: 2, goldSet: 'none' },
};
const CALLS = 14;

const BENCHES = {
  undisturbed: { id: newBenchId(), maxInFlight: 2 },
  /** Both kills find two arguments of its first match in flight: the first ones, then the second ones. */
  asked: { id: newBenchId(), maxInFlight: 2 },
  /** The first kill finds an argument that is settled and of which nobody was told, the second one in flight. */
  settled: { id: newBenchId(), maxInFlight: 1 },
};
type Name = keyof typeof BENCHES;

let double: HoldingDouble;
let home: HeldHome;
let db: Database;
let client: Client;
let worker: WorkerProcess;
/** What the ledger said just before each of the kills. */
const atDeath: Record<Name, Awaited<ReturnType<typeof readCalls>>[]> = {
  undisturbed: [],
  asked: [],
  settled: [],
};
const summaries: Partial<Record<Name, BenchSummary>> = {};

beforeAll(async () => {
  // A worker that is gone is known after 3 s; nobody grades here.
  home = await createHeldHome({ CO_SCIENTIST_LEASE_SECONDS: '3', CO_SCIENTIST_GRADER: 'elsewhere' });
  ({ double, db, client } = home);
  worker = await home.startWorker();
  double.hold(BENCHES.asked.id, /^m0\/(ab|ba)\/.*\/1$/);
  double.hold(BENCHES.settled.id, /^m0\/ab\/.*\/1$/);
  const asked = await start('asked');
  const settled = await start('settled');
  await until('2 first arguments and 1 are in flight', async () => {
    return countHeld('asked', /\/1$/) === 2 && countHeld('settled', /\/1$/) === 1;
  });
  const { id: benchId } = BENCHES.settled;
  await bookUnseen(home, worker, {
    ...{ benchId, scope: judgeScope(benchId) },
    isBooked: async () =>
      (await readCalls(db, benchId)).some(({ kind, state }) => kind === 'debate' && state === 'settled'),
  });
  await killAndNote();

  double.hold(BENCHES.asked.id, /^m0\/(ab|ba)\/.*\/2$/);
  double.hold(BENCHES.settled.id, /^m1\/ab\/.*\/1$/);
  worker = await home.startWorker();
  await until('2 second arguments and 1 of the next match are in flight', async () => {
    return countHeld('asked', /\/2$/) === 2 && countHeld('settled', /^m1\/.*\/1$/) === 1;
  });
  await killAndNote();

  worker = await home.startWorker();
  summaries.undisturbed = await (await start('undisturbed')).result();
  summaries.asked = await asked.result();
  summaries.settled = await settled.result();
}, 180_000);
afterAll(async () => {
  await worker?.kill();
  await home?.close();
});

function start(name: Name) {
  const { id, maxInFlight } = BENCHES[name];
  const { taskQueue } = home.temporal;
  const args = [{ ...INPUT, maxInFlight }];
  return client.workflow.start('bench', { taskQueue, workflowId: `bench-${id}`, args });
}

/** Requests for arguments that have come, their keys without the bench's id. */
function countHeld(name: Name, key: RegExp): number {
  const { id } = BENCHES[name];
  return double.requests.filter(({ callId }) => {
    const [place = ''] = (callId ?? '').split('#');
    return place.startsWith(`${id}/m`) && key.test(place.slice(id.length + 1));
  }).length;
}

/** kill -9; what was held back is answered to nobody. */
async function killAndNote(): Promise<void> {
  await worker.kill();
  for (const name of ['asked', 'settled'] as const) {
    atDeath[name].push(await readCalls(db, BENCHES[name].id));
    double.letGo(BENCHES[name].id);
  }
}

test('the kills found 2 first arguments in flight and 1 settled unseen, then 2 second ones in flight and 1 of the next match', () => {
  const debates = (name: Name) =>
    atDeath[name].map((calls) =>
      calls
        .filter(({ kind }) => kind === 'debate')
        .map(({ key, attempt, state }) => `${key.slice(BENCHES[name].id.length + 1)}#${attempt} ${state}`),
    );
  const turn = (order: string, place: string, match = 0) =>
    `m${match}/${order}/openai-compatible:judge/${place}`;
  const first = (order: string) => [
    turn(order, '1#1 in_doubt'),
    turn(order, '1#2 settled'),
    turn(order, '2#1 sent'),
  ];
  expect(debates('asked')).toEqual([
    [turn('ab', '1#1 sent'), turn('ba', '1#1 sent')],
    [...first('ab'), ...first('ba')],
  ]);
  const whole = (order: string) => [turn(order, '1#1 settled'), turn(order, '2#1 settled')];
  expect(debates('settled')).toEqual([
    [turn('ab', '1#1 settled')],
    [...whole('ab'), ...whole('ba'), turn('ab', '1#1 sent', 1)],
  ]);
});

test.each(['asked', 'settled'] as const)(
  'the bench %s ends with the texts, matches, verdicts and figures of one that nothing happened to',
  async (name) => {
    expect(withoutDoubt(summaries[name]!)).toEqual(withoutDoubt(summaries.undisturbed!));
    const [rows, expected] = [
      await readBenchRows(db, BENCHES[name].id),
      await readBenchRows(db, BENCHES.undisturbed.id),
    ];
    for (const table of ['bench_hypotheses', 'bench_matches', 'bench_verdicts']) {
      expect(rows[table]).toEqual(expected[table]);
    }
    expect(rows.bench_verdicts).toHaveLength(4);
    expect(summaries[name]!.judge).toMatchObject({ verdicts: 4, invalid: 0 });
  },
);

test.each([
  ['asked', 4],
  ['settled', 1],
] as const)(
  'the bench %s sent no settled key again, and the %i arguments in flight once more, their first attempts in doubt',
  async (name, inFlight) => {
    const { id } = BENCHES[name];
    const now = await readCalls(db, id);
    const cutOff = atDeath[name].flatMap((calls) => calls.filter(({ state }) => state === 'sent'));
    expect(cutOff).toHaveLength(inFlight);
    const again = new Set(cutOff.map(({ key }) => key));
    for (const key of new Set(now.map((call) => call.key))) {
      const attempts = now.filter((call) => call.key === key).map(({ state }) => state);
      expect([key, attempts]).toEqual([key, again.has(key) ? ['in_doubt', 'settled'] : ['settled']]);
    }
    expect(now).toHaveLength(CALLS + inFlight);
    const sent = double.requests.flatMap(({ callId }) => (callId?.startsWith(id) ? [callId] : []));
    expect(sent.sort()).toEqual(now.map(({ key, attempt }) => `${key}#${attempt}`).sort());
  },
);
