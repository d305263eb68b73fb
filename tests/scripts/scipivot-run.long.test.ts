import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { fixtureQuestions } from '../workflows/scipivot-worker';
import { runCli } from './run-cli';
import { expectLimits, json } from './scipivot-runs';

jest.setTimeout(120_000);

const CASES = 24;
let worker: BenchWorker;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  worker = await startBenchWorker();
  folder = mkdtempSync(path.join(tmpdir(), 'scipivot-cli-'));
  const { database, temporal } = worker;
  env = {
    CO_SCIENTIST_HOME: path.join(folder, 'home'),
    ...database.env,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    CO_SCIENTIST_TASK_QUEUE: temporal.taskQueue,
  };
  await exported('first', CASES);
  await exported('other', 3);
});
afterAll(async () => {
  await worker.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (...parts: string[]) => path.join(folder, ...parts);
const cli = (args: string[], changes: Record<string, string> = {}) =>
  runCli(['scipivot', ...args], { ...env, ...changes });

async function exported(name: string, cases: number): Promise<void> {
  writeFileSync(at(`${name}.json`), JSON.stringify({ questions: fixtureQuestions(cases) }));
  const { exitCode } = await cli([
    ...[
      'export',
      '--allow-unpinned',
      '--questions',
      at(`${name}.json`),
      '--output',
      at(`${name}-receipt.json`),
    ],
    ...['--public-dir', at(name, 'public'), '--grader-dir', at(name, 'grader')],
  ]);
  expect(exitCode).toBe(0);
}

function load(set: string, name: string, ...more: string[]) {
  const places = ['--public-dir', at(set, 'public'), '--grader-dir', at(set, 'grader')];
  return cli(['load', ...places, '--name', name, ...more]);
}

test('load brings 24 cases in, says so again of the same content, and refuses another under the name', async () => {
  const first = await load('first', 'first', '--receipt', at('first-receipt.json'));
  expect(first).toMatchObject({ exitCode: 0, stdout: 'first: 24 cases, unpinned\n' });
  const again = await load('first', 'first');
  expect(again.stdout).toContain('it stood there already, with the same content');
  const other = await load('other', 'first');
  expect(other.exitCode).toBe(1);
  expect(other.stderr).toContain('a name stands for one content');
  expect((await cli(['sets'])).stdout).toMatch(/^first {2}24 cases {2}unpinned {2}prompts [0-9a-f]{16}…\n$/);
});

test('load refuses directories that do not belong together, a receipt of another export, a bad name and a nested place', async () => {
  const mixed = await cli([
    ...['load', '--name', 'mixed', '--public-dir', at('first', 'public')],
    ...['--grader-dir', at('other', 'grader')],
  ]);
  expect(mixed).toMatchObject({ exitCode: 1 });
  expect(mixed.stderr).toMatch(/no reference.*21 problems in all|no reference/s);
  const receipt = await load('first', 'mixed', '--receipt', at('other-receipt.json'));
  expect(receipt.stderr).toContain('prompts.jsonl is not the file that');
  expect((await load('first', 'Bad Name')).exitCode).toBe(2);
  const nested = await cli([
    ...['load', '--name', 'nested', '--public-dir', folder],
    ...['--grader-dir', at('first', 'grader')],
  ]);
  expect(nested.exitCode).toBe(2);
  expect((await cli(['sets'])).stdout.split('\n')).toHaveLength(2);
});

test('load warns of a grader directory that others may read', async () => {
  chmodSync(at('other', 'grader'), 0o755);
  const { stderr, exitCode } = await load('other', 'open');
  expect({ exitCode, warns: /warning: .*grader is open to others \(mode 755\)/.test(stderr) }).toEqual({
    exitCode: 0,
    warns: true,
  });
});

describe('run', () => {
  let ran: Awaited<ReturnType<typeof cli>>;
  let out: string;
  beforeAll(async () => {
    await load('first', 'first');
    out = at('run');
    ran = await cli([
      ...[
        'run',
        '--data',
        'first',
        '-c',
        'knows=sim:elm,accuracy=1',
        '-c',
        'always-a=sim:elm,answer=always-a',
      ],
      ...['--judge', 'sim:coin', '--output-dir', out],
    ]);
  });

  test('shows each one’s score with its interval, and the published figures apart, labelled as published', () => {
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toMatch(/knows +100\.00 % +no interval +100\.00 %/);
    expect(ran.stdout).toMatch(/always-a +50\.00 % +no interval +0\.00 % +100\.00 %/);
    expect(ran.stdout).toMatch(/judge sim:coin +[\d.]+ % +[\d.]+ % to [\d.]+ %/);
    expect(ran.stdout).toContain('knows − always-a: +50.00');
    expect(ran.stdout).toMatch(/published by the paper's authors, not run here[\s\S]*63\.71 % \(316\/496\)/);
    expect(ran.stdout).toContain('simulated, dollars included');
    expect(ran.stdout).not.toContain('Elo');
  });

  test('writes predictions of which `score` makes the same score.json to the byte, and run.json with every limit', async () => {
    expect(readdirSync(out).sort()).toEqual(['01-knows', '02-always-a', '03-judge-sim_coin', 'run.json']);
    for (const name of ['01-knows', '02-always-a', '03-judge-sim_coin']) {
      const scored = await cli([
        ...['score', '--references', at('first', 'grader', 'references.json')],
        ...['--predictions', path.join(out, name, 'predictions.jsonl'), '--output', at(`${name}.json`)],
      ]);
      expect(scored.exitCode).toBe(0);
      expect(readFileSync(path.join(out, name, 'score.json'), 'utf8')).toBe(
        readFileSync(at(`${name}.json`), 'utf8'),
      );
    }
    const run = json(path.join(out, 'run.json'));
    expectLimits(run);
    expect(run).toMatchObject({
      kind: 'scipivot_run',
      status: 'finished',
      simulated: true,
      seeds: [20261004, 20261004],
    });
    expect((run.candidates as { files: string }[]).map(({ files }) => files)).toEqual([
      '01-knows',
      '02-always-a',
    ]);
  });

  test('never writes over a run: an output directory with something in it is refused before anything starts', async () => {
    const { exitCode, stderr } = await cli([
      'run',
      '--data',
      'first',
      '-c',
      'a=sim:elm',
      '--output-dir',
      out,
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('has something in it');
  });

  test('detached, it prints its id and how its files are had; `results` writes its files once it is over, and `show --json` has its scores', async () => {
    const { stdout, stderr, exitCode } = await cli([
      'run',
      '--data',
      'first',
      '-c',
      'a=sim:elm,accuracy=1',
      '--detach',
    ]);
    expect(exitCode).toBe(0);
    const benchId = stdout.trim();
    expect(stderr).toContain(`co-scientist scipivot results ${benchId}\n`);
    await worker.client.workflow.getHandle(`bench-${benchId}`).result();
    expect((await cli(['results', benchId, '--output-dir', at('later')])).exitCode).toBe(0);
    expect(existsSync(at('later', '01-a', 'score.json'))).toBe(true);
    const shown = JSON.parse((await runCli(['show', benchId, '--json'], env)).stdout);
    expect(shown.scipivot.subjects[0]).toMatchObject({ subject: 'a', score: { mean: 1, nCases: 24 } });
  });

  test('refuses an unknown data set and a bad candidate, and starts nothing', async () => {
    const unknown = await cli(['run', '--data', 'frist', '-c', 'a=sim:elm']);
    expect(unknown).toMatchObject({ exitCode: 1 });
    expect(unknown.stderr).toContain('no data set "frist" (loaded: first');
    expect((await cli(['run', '--data', 'first', '-c', 'a=nobody:elm'])).exitCode).toBe(2);
    expect((await cli(['run', '--data', 'first'])).exitCode).toBe(2);
  });

  test('where workers may read the references it prints the SQL that parts the roles, and starts nothing', async () => {
    const unparted = { DATABASE_URL: worker.database.ownerUrl };
    const { exitCode, stdout, stderr } = await cli(['run', '--data', 'first', '-c', 'a=sim:elm'], unparted);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('role bench_owner of the workers (DATABASE_URL) may read the references');
    expect(stdout).toMatch(/^CREATE ROLE bench_owner LOGIN PASSWORD[\s\S]*CREATE ROLE bench_grader/);
    const blind = await cli(['run', '--data', 'first', '-c', 'a=sim:elm'], {
      DATABASE_GRADER_URL: worker.database.workerUrl,
    });
    expect(blind.stderr).toContain('role bench_worker (DATABASE_GRADER_URL) may not read the references');
  });
});
