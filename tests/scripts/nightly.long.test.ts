import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../db/database';
import { readBaseline, readNightly } from '../../db/nightlies';
import { type NightView, readNights } from '../../db/nightly-view';
import { readCalls } from '../workflows/bench-rows';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { temporalCli } from '../workflows/temporal-cli';
import { until } from '../workflows/until';
import { pretendNights, setModel } from './pretended-nights';
import { type CliRun, runCli } from './run-cli';

// One nightly of two simulated models, from its creation to its end, by the command line and a real Schedule.
let worker: BenchWorker;
let owner: Database;
let env: Record<string, string>;
const home = mkdtempSync(join(tmpdir(), 'nightly-'));
const notices = join(home, 'notices.jsonl');

beforeAll(async () => {
  worker = await startBenchWorker();
  owner = openDatabase(worker.database.ownerUrl, { maxConnections: 1 });
  env = {
    CO_SCIENTIST_HOME: home,
    CO_SCIENTIST_TASK_QUEUE: worker.temporal.taskQueue,
    ...worker.database.env,
    TEMPORAL_ADDRESS: worker.temporal.address,
  };
});
afterAll(async () => {
  await owner.destroy();
  await worker.close();
  rmSync(home, { recursive: true, force: true });
});

const nightly = (...args: string[]): Promise<CliRun> => runCli(['nightly', ...args], env);
/** Names of Schedules are the server's, which other test files use too. */
const NAME = `nights-${process.pid}`;
const AT_THREE = '0 3 * * *';
const CREATE = [
  ...[
    'create',
    'Find a drug for a disease that has none.',
    '--name',
    NAME,
    '-c',
    'steady=sim:alder@direct',
    '-c',
    'fickle=sim:alder@direct',
  ],
  ...['--judge', 'sim:fair-referee', '--n', '2', '--matches', '2', '--no-probe'],
  ...['--cron', AT_THREE, '--time-zone', 'Europe/Berlin', '--budget', '20', '--alpha', '0.2'],
];

/** As `show` reads it. */
async function shown() {
  const id = await nightlyId();
  const { baseline } = await readNightly(owner, id);
  return {
    baseline,
    panel: await readBaseline(owner, id, baseline),
    nights: (await readNights(owner, id)) as (NightView & { benchId: string })[],
  };
}

async function nightlyId(): Promise<string> {
  return (await owner.selectFrom('bench_nightlies').select('id').executeTakeFirstOrThrow()).id;
}

/** As `trigger --wait` does. */
async function playNight(): Promise<void> {
  const schedule = worker.client.schedule.getHandle(`nightly-${NAME}`);
  const before = (await schedule.describe()).info.recentActions.length;
  await schedule.trigger();
  for (;;) {
    const { recentActions } = (await schedule.describe()).info;
    const begun = recentActions[before];
    if (begun) {
      await worker.client.workflow.getHandle(begun.action.workflow.workflowId).result();
      return;
    }
    await sleep(50);
  }
}

async function matchesOf(benchId: string) {
  return owner
    .selectFrom('bench_matches')
    .select(['index', 'hyp_a as a', 'hyp_b as b', 'state'])
    .where('bench_id', '=', benchId)
    .orderBy('index')
    .execute();
}

test('what is wrong is said at once, nothing is created, and the exit code is 2', async () => {
  const run = await nightly(
    'create',
    '-c',
    'a=sim:alder',
    '--name',
    'No Good',
    '--time-zone',
    'Mars',
    '--webhook',
    'x',
  );
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('candidates: 1 given, a bench needs at least 2');
  const second = await nightly(
    'create',
    '--preset',
    'demo',
    '--name',
    'No Good',
    '--time-zone',
    'Mars',
    '--webhook',
    'x',
    ...['--orders', 'balanced', '--repeat-share', '0.5', '--replicates', '2'],
  );
  expect(second.exitCode).toBe(2);
  for (const flag of ['--budget: missing', '--name:', '--time-zone:', '--cron: missing', '--webhook:']) {
    expect(second.stderr).toContain(flag);
  }
  for (const flag of ['--orders: balanced', '--repeat-share: a night', '--replicates: a night']) {
    expect(second.stderr).toContain(flag);
  }
  expect((await nightly('list')).stdout).toContain('no nightlies yet');
});

// Quartz and node-cron read six fields from seconds on, Temporal as five and a year: one line, two meanings.
test.each(['0 3 * * * *', '* * * * * * *', '3'])('%j is not five fields: exit 2', async (cron) => {
  const run = await nightly('create', '--preset', 'demo', '--budget', '20', '--cron', cron);
  expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('is not five fields')]);
});

// Five fields, or a word, that only Temporal can refuse; the last is fine by the letter, and there is no 31 February.
test.each([
  ['61 3 * * *', 'Temporal takes no'],
  ['@nightly', 'Temporal takes no'],
  ['0 0 31 2 *', 'has no time ahead'],
])(
  '%j is no time for nights: exit 2, in 1 error, and neither a row nor a Schedule is left',
  async (cron, words) => {
    const run = await nightly(...CREATE.map((word) => (word === AT_THREE ? cron : word)));
    expect([run.exitCode, run.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: --cron: .*\n {2}fix: .*\n$/),
    ]);
    expect(run.stderr).toContain(words);
    expect(await owner.selectFrom('bench_nightlies').select('id').execute()).toEqual([]);
    await expect(worker.client.schedule.getHandle(`nightly-${NAME}`).describe()).rejects.toThrow(
      /not found/i,
    );
  },
  60_000,
);

test('a Schedule of its name that is there already stays as it is, and no row is left: exit 1', async () => {
  const { schedule } = worker.client;
  const there = await schedule.create({
    scheduleId: `nightly-${NAME}`,
    spec: { cronExpressions: ['0 5 * * *'] },
    action: { type: 'startWorkflow', workflowType: 'nightly', taskQueue: 'none', args: [] },
  });
  const run = await nightly(...CREATE);
  expect([run.exitCode, run.stderr]).toEqual([
    1,
    expect.stringContaining(`a Schedule nightly-${NAME} already`),
  ]);
  expect((await there.describe()).action).toMatchObject({ taskQueue: 'none' });
  await there.delete();
  expect(await owner.selectFrom('bench_nightlies').select('id').execute()).toEqual([]);
}, 60_000);

test('its creation makes a Schedule at 3 o’clock in Berlin, one night at a time, and says $20 × 30 = $600', async () => {
  const run = await nightly(...CREATE, '--on-regression', `cat >> ${notices}; env >> ${notices}`);
  expect(run.stderr).toBe('');
  expect(run.stdout).toContain('simulated $20 × 30 = simulated $600 a month at most');
  const { spec, policies, action } = await worker.client.schedule.getHandle(`nightly-${NAME}`).describe();
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 6 * 3_600_000 });
  expect(spec.timezone).toBe('Europe/Berlin');
  expect(action).toMatchObject({ workflowType: 'nightly', args: [{ nightly: NAME }] });
  expect((await nightly(...CREATE)).stderr).toContain(`there is a nightly ${NAME} already`);
}, 120_000);

test('with nothing judged a check is no pass: exit code 1', async () => {
  const run = await nightly('show', NAME, '--check');
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain('nothing to check');
}, 60_000);

test('the first night is an ordinary bench, and its 4 hypotheses become the panel with 6 anchors', async () => {
  expect((await nightly('trigger', NAME, '--wait')).exitCode).toBe(0);
  const { nights, panel } = await shown();
  expect(nights).toMatchObject([{ night: 1, kind: 'baseline', candidates: [] }]);
  expect(panel?.pinnedBench).toBe(nights[0]?.benchId);
  expect(new Set(panel?.opponents).size).toBe(4);
  expect(panel?.anchors).toHaveLength(6);
}, 120_000);

test('the second holds 2 fresh hypotheses each against the panel, 8 matches a candidate and the anchors, no round robin', async () => {
  await playNight();
  const { nights, panel } = await shown();
  const night = nights[1];
  expect(night).toMatchObject({
    kind: 'measured',
    candidates: [
      { label: 'steady', played: 8, nights: 1, verdict: 'underpowered' },
      { label: 'fickle', played: 8, nights: 1, verdict: 'underpowered' },
    ],
  });
  const matches = await matchesOf(night?.benchId ?? '');
  expect(matches.map(({ state }) => state)).toEqual(Array(22).fill('played'));
  expect(matches.slice(0, 6).map(({ a, b }) => [a, b])).toEqual(panel?.anchors);
  for (const { a, b } of matches.slice(6)) {
    expect(a).toMatch(new RegExp(`^${night?.benchId}/(steady|fickle)/[12]$`));
    expect(panel?.opponents).toContain(b);
  }
  // Each score once more, from the rows.
  const { rows } = await sql<{ label: string; score: number }>`
    SELECT c.label, avg(m.score_a) AS score FROM bench_matches m JOIN bench_candidates c ON c.id = m.cand_a
     WHERE c.bench_id = ${night?.benchId} AND m.bench_id = c.bench_id GROUP BY c.label`.execute(owner);
  for (const { label, score } of rows) {
    expect(night?.candidates.find((one) => one.label === label)?.score).toBeCloseTo(score, 9);
  }
  const check = await nightly('show', NAME, '--check');
  expect(check.exitCode).toBe(0);
  expect(check.stdout).toContain('underpowered');
}, 120_000);

test('the panel’s texts keep the rating they have in their own bench, and the night rates nobody', async () => {
  const { nights, panel } = await shown();
  const elo = await owner
    .selectFrom('bench_hypotheses')
    .select('elo')
    .where('id', 'in', panel?.opponents ?? [])
    .execute();
  // Zero-sum around 1200, as its bench left them.
  expect(elo.reduce((sum, row) => sum + (row.elo ?? 0), 0)).toBeCloseTo(4 * 1200, 6);
  const run = await owner
    .selectFrom('bench_runs')
    .select('ratings')
    .where('id', '=', nights[1]?.benchId ?? '')
    .executeTakeFirstOrThrow();
  expect(run.ratings).toBeNull();
});

test('of its judge the night’s summary tells all the same: 22 matches in both orders, and the flips that the rows have', async () => {
  const { nights } = await shown();
  const benchId = nights[1]?.benchId ?? '';
  const { summary } = await owner
    .selectFrom('bench_runs')
    .select('summary')
    .where('id', '=', benchId)
    .executeTakeFirstOrThrow();
  // The same place named in both orders is a flip.
  const { rows } = await sql<{ flips: number }>`
    SELECT count(*) AS flips FROM bench_verdicts ab JOIN bench_verdicts ba USING (match_id)
     WHERE ab.bench_id = ${benchId} AND ab."order" = 'ab' AND ba."order" = 'ba'
       AND ab.winner_position = ba.winner_position AND ab.winner_position <> 'tie'`.execute(owner);
  const [judge] = summary!.judges;
  expect(judge).toMatchObject({ matches: 22, verdicts: 44, flips: rows[0]!.flips });
  expect(judge!.flips).toBe(summary!.judge.flips);
  expect(judge!.positionBias!.firstFirst + judge!.positionBias!.secondSecond).toBe(judge!.flips);
});

test('a skill that has dropped is called regressed: exit code 3, and the command is run once, without the worker’s keys', async () => {
  await pretendNights(owner, await nightlyId(), 30, 8);
  await setModel(owner, 'fickle', 'hazel,skill=-20,spread=0');
  await playNight();
  const check = await nightly('show', NAME, '--check');
  expect(check.stderr).toContain('regressed: fickle');
  expect(check.exitCode).toBe(3);
  const { nights } = await shown();
  expect(nights.at(-1)).toMatchObject({
    toldState: 'told',
    candidates: [{ verdict: 'no_change' }, { label: 'fickle', verdict: 'regressed' }],
  });
  // An alias that answers with another model than it did: seen although the candidate is still called the same.
  expect(nights.at(-1)?.changes).toMatchObject([{ who: 'fickle' }]);
  const told = readFileSync(notices, 'utf8');
  expect(JSON.parse(told.split('\n')[0]?.replace(/\}[^}]*$/, '}') ?? '')).toMatchObject({
    nightly: NAME,
    regressed: [{ label: 'fickle' }],
    verdicts: { steady: 'no_change', fickle: 'regressed' },
  });
  expect(told).toContain('CO_SCIENTIST_REGRESSED=fickle');
  expect(told).not.toContain('DATABASE');
  writeFileSync(notices, '');
  // The next night it is no news.
  await playNight();
  expect((await shown()).nights.at(-1)).toMatchObject({ toldState: null });
  expect(readFileSync(notices, 'utf8')).toBe('');
}, 180_000);

test('accepted, it is the normal state: the same panel, the evidence anew', async () => {
  expect((await nightly('accept', NAME)).stdout).toContain('baseline 2 from the next night on');
  const { baseline, panel } = await shown();
  expect(baseline).toBe(2);
  expect(panel?.opponents).toHaveLength(4);
}, 60_000);

test('a night that is cancelled is not judged, and is once its bench is resumed', async () => {
  await setModel(owner, 'steady', 'alder,latency=1500');
  const workflowId = `by-hand-${NAME}`;
  const { taskQueue } = worker.temporal;
  const handle = await worker.client.workflow.start('nightly', {
    workflowId,
    taskQueue,
    args: [{ nightly: NAME }],
  });
  await until('its models are asked', async () => {
    const night = (await shown()).nights.at(-1);
    if (night?.workflowId !== workflowId || night.benchId === null) return false;
    return (await readCalls(owner, night.benchId)).some(({ kind }) => kind === 'generation');
  });
  await handle.cancel();
  await handle.result().catch(() => undefined);
  const [cancelled] = (await shown()).nights.slice(-1);
  expect(cancelled).toMatchObject({ judgedAt: null, benchState: 'cancelled', baseline: 2, candidates: [] });
  await worker.run({ resume: cancelled?.benchId ?? '' });
  expect((await shown()).nights.at(-1)).toMatchObject({
    benchId: cancelled?.benchId,
    benchState: 'finished',
    candidates: [
      { played: 8, nights: 1 },
      { played: 8, nights: 1 },
    ],
  });
}, 60_000);

test('paused and unpaused, listed, then deleted with its Schedule; the benches of its nights stay', async () => {
  const before = (await shown()).nights.map(({ benchId }) => benchId);
  await nightly('pause', NAME);
  const { state } = await worker.client.schedule.getHandle(`nightly-${NAME}`).describe();
  expect(state.paused).toBe(true);
  await nightly('unpause', NAME);
  expect((await nightly('list')).stdout).toMatch(new RegExp(`${NAME}\\s+on\\s+20\\d\\d-.*sim\\. \\$600`));
  expect((await nightly('show', NAME)).stdout).toMatch(/ in all, simulated \$\d/);
  expect((await nightly('delete', NAME)).exitCode).toBe(0);
  await expect(worker.client.schedule.getHandle(`nightly-${NAME}`).describe()).rejects.toThrow(/not found/i);
  const benches = await owner.selectFrom('bench_runs').select('id').where('id', 'in', before).execute();
  expect(benches).toHaveLength(5);
}, 120_000);

test('the guide’s own `temporal schedule create` makes the same Schedule', async () => {
  const guide = readFileSync(join(__dirname, '../../docs/guide/nightly.md'), 'utf8');
  const command = /^temporal (schedule create[\s\S]*?[^\\])$/m.exec(guide)?.[1] ?? '';
  const words = (command.replaceAll('\\\n', ' ').match(/'[^']*'|\S+/g) ?? []).map((word) =>
    word.replaceAll("'", ''),
  );
  const scheduleId = `nightly-${NAME}-guide`;
  const here: Record<string, string> = {
    'nightly-aml': scheduleId,
    'co-scientist': worker.temporal.taskQueue,
  };
  await temporalCli(worker.temporal, ...words.map((word) => here[word] ?? word));
  const schedule = worker.client.schedule.getHandle(scheduleId);
  const { spec, policies, action } = await schedule.describe();
  await schedule.delete();
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 6 * 3_600_000 });
  expect(spec.timezone).toBe('Europe/Berlin');
  expect(action).toMatchObject({ workflowType: 'nightly', args: [{ nightly: 'aml' }] });
}, 60_000);
