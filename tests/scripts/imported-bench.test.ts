import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchInput } from '../../core/bench-input';
import type { RecordedAttempt } from '../../core/report/recorded-bench';
import { openDatabase } from '../../db/database';
import { readAttempts, readRecordedBench } from '../../db/export-reads';
import { importBench } from '../../db/import-bench';
import { cancelBench } from '../../scripts/bench/cancel-bench';
import { dropFromBench, raiseBenchBudget, signalBench } from '../../scripts/bench/change-bench';
import { watchBench } from '../../scripts/bench/watch-bench';
import { pauseSignal, unpauseSignal } from '../../workflows/pause-gate';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { until } from '../workflows/until';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
  judge: 'sim:referee,latency=400',
  goldSet: 'none',
  n: 2,
  matches: 10,
  maxInFlight: 2,
};
const home = mkdtempSync(join(tmpdir(), 'imported-bench-'));

/** Where a bench stands still in the middle of its matches, and where it was imported as it stood then. */
let there: BenchWorker;
let here: BenchWorker;
let original: Awaited<ReturnType<BenchWorker['start']>>;
let benchId: string;

beforeAll(async () => {
  [there, here] = await Promise.all([startBenchWorker(), startBenchWorker()]);
  original = await there.start(INPUT);
  await until('4 verdicts are in', async () => (await verdictsOf(there)) >= 4);
  await original.signal(pauseSignal);
  await until('it is paused', async () => (await runOf(there))?.state === 'paused');
  benchId = (await runOf(there))?.id ?? '';
  await copyBench();
  Object.assign(process.env, {
    CO_SCIENTIST_HOME: home,
    CO_SCIENTIST_TASK_QUEUE: here.temporal.taskQueue,
    ...here.database.env,
    TEMPORAL_ADDRESS: here.temporal.address,
  });
}, 60_000);
afterAll(async () => {
  await Promise.all([there.close(), here.close()]);
  rmSync(home, { recursive: true });
});

async function copyBench(): Promise<void> {
  const { calls, ...bench } = await readRecordedBench(there.db, benchId);
  const keys = [...new Set(calls.map(({ key }) => key))];
  const attempts: RecordedAttempt[][] = [];
  for await (const ofKey of readAttempts(there.db, benchId, keys)) attempts.push(ofKey);
  const owner = openDatabase(here.database.ownerUrl, { maxConnections: 1 });
  await importBench(owner, bench, attempts);
  await owner.destroy();
}

async function runOf({ db }: BenchWorker) {
  return db.selectFrom('bench_runs').select(['id', 'state']).executeTakeFirst();
}

async function verdictsOf({ db }: BenchWorker): Promise<number> {
  return (await db.selectFrom('bench_verdicts').select('match_id').execute()).length;
}

/** What has been asked of the workflow that still runs, over other rows, where the bench was exported from. */
async function askedOfOriginal(): Promise<(string | null | undefined)[]> {
  const { events } = await original.fetchHistory();
  return (events ?? []).flatMap((event) => {
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name;
    const cancelled = event.workflowExecutionCancelRequestedEventAttributes ? 'cancel' : null;
    return update ?? event.workflowExecutionSignaledEventAttributes?.signalName ?? cancelled ?? [];
  });
}

test.each([
  ['cancel', () => cancelBench(benchId, { isJson: false })],
  ['pause', () => signalBench(benchId, 'pause')],
  ['unpause', () => signalBench(benchId, 'unpause')],
  ['drop', () => dropFromBench(benchId, 'two')],
  ['watch', () => watchBench(benchId, { isJson: false })],
])(
  '%s of an imported bench says that no workflow works on it here, and asks nothing of its original',
  async (_, run) => {
    await expect(run()).rejects.toMatchObject({
      message: `bench ${benchId} was imported: no workflow works on it here`,
      details: { remedy: `co-scientist resume ${benchId} takes it up, and pays only for what is missing` },
    });
    expect(await askedOfOriginal()).toEqual(['pause']);
  },
);

test('raise-budget raises the cap in the imported rows alone', async () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await raiseBenchBudget(benchId, 'judge', 7);
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    `judge: cap $7\nnext  co-scientist resume ${benchId}\n`,
  ]);
  write.mockRestore();
  const capOf = ({ db }: BenchWorker) =>
    db.selectFrom('bench_budgets').select('cap_usd').where('id', '=', `${benchId}/judge`).executeTakeFirst();
  expect([await capOf(here), await capOf(there)]).toEqual([{ cap_usd: 7 }, { cap_usd: 5 }]);
  expect(await askedOfOriginal()).toEqual(['pause']);
});

test('a resume that takes over ends it here, by 20 verdicts, while the original stands where it stood; that ends like it', async () => {
  const before = await verdictsOf(there);
  const resumed = await here.run({ resume: benchId, takeOver: true });
  expect(resumed).toMatchObject({ benchId, status: 'finished', judge: { verdicts: 20 } });
  expect([await verdictsOf(there), (await original.describe()).status.name]).toEqual([before, 'RUNNING']);
  await original.signal(unpauseSignal);
  const { candidates } = (await original.result()) as typeof resumed;
  expect(resumed.candidates.map(({ meanElo }) => meanElo)).toEqual(candidates.map(({ meanElo }) => meanElo));
});

test('one imported from a namespace that this Temporal does not have is resumed too', async () => {
  const row = here.db.updateTable('bench_runs').where('id', '=', benchId);
  const gone = { namespace: 'nowhere', first_run_id: 'of-a-server-that-is-gone', state: 'failed' } as const;
  await row.set({ ...gone, summary: null }).execute();
  expect(await here.run({ resume: benchId })).toMatchObject({ status: 'finished', judge: { verdicts: 20 } });
});

test('one whose workflow id another run has taken since is not steered through that', async () => {
  const { workflowId } = original;
  const row = here.db.updateTable('bench_runs').where('id', '=', benchId);
  const running = { state: 'running', finished_at: null, summary: null } as const;
  await row
    .set({ ...running, namespace: 'default', workflow_id: workflowId, first_run_id: 'another' })
    .execute();
  await expect(cancelBench(benchId, { isJson: false })).rejects.toThrow(
    `bench ${benchId} has lost its workflow: what is called ${workflowId} now is another`,
  );
});
