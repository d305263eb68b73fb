import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { identify, isAlive, type OwnProcess, processesWithArgument } from '../../scripts/stack/own-process';
import { runningPostgres } from '../../scripts/stack/postgres-server';
import { readRecord, type StackRecord } from '../../scripts/stack/stack-record';
import { runCli } from './run-cli';

/**
 * The local stack as a user has it: the CLI is run, real servers start and are really killed. One home for the whole
 * file; each test leaves it up or down and the next does not care which.
 */
jest.setTimeout(180_000);

let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'stack-home-'));
  await chmod(home, 0o755); // Postgres may run as another user
});

afterAll(async () => {
  await cli('down');
  rmSync(home, { recursive: true, force: true });
});

function cli(...args: string[]) {
  return runCli(args, { CO_SCIENTIST_HOME: home });
}

async function up(env: Record<string, string> = {}): Promise<string> {
  const { exitCode, stderr } = await runCli(['up'], { CO_SCIENTIST_HOME: home, ...env });
  expect({ exitCode, error: /error:.*/.exec(stderr)?.[0] }).toEqual({ exitCode: 0, error: undefined });
  return stderr;
}

/** Nothing runs, and all that a stack leaves behind is there. */
async function stopped(): Promise<void> {
  if (!existsSync(join(home, 'postgres', 'PG_VERSION')) || !existsSync(join(home, 'stack.json'))) await up();
  await cli('down');
}

async function record(): Promise<Required<StackRecord>> {
  return (await readRecord(join(home, 'stack.json'))) as Required<StackRecord>;
}

async function pids(): Promise<Record<'postgres' | 'temporal' | 'worker', number>> {
  const { postgres, temporal, worker } = await record();
  return { postgres: postgres.process.pid, temporal: temporal.process.pid, worker: worker.process.pid };
}

/** How many servers and workers of this home run, by their command lines. */
async function census(): Promise<{ postgres: number; temporal: number; worker: number }> {
  return {
    postgres: (await runningPostgres(join(home, 'postgres'))) ? 1 : 0,
    temporal: (await processesWithArgument(join(home, 'temporal.db'))).length,
    worker: (await processesWithArgument(`--home=${home}`)).length,
  };
}

const ONE_OF_EACH = { postgres: 1, temporal: 1, worker: 1 };
const NONE = { postgres: 0, temporal: 0, worker: 0 };

test('in a home that nothing has run in yet, `list` says that there are 0 benches, and `show` how to have one', async () => {
  const list = await cli('list', '--json');
  expect({ exitCode: list.exitCode, stdout: JSON.parse(list.stdout) }).toEqual({
    exitCode: 0,
    stdout: { benches: [] },
  });
  expect((await cli('show', 'bnc_x')).stderr).toContain('there are none yet; start one');
});

test('two `up` at once share one stack: 1 Postgres, 1 Temporal, 1 worker', async () => {
  await Promise.all([up(), up()]);
  expect(await census()).toEqual(ONE_OF_EACH);
});

test('`up` on a running stack starts nothing: the 3 processes stay', async () => {
  await up();
  const before = await pids();
  await up();
  expect(await pids()).toEqual(before);
});

test('Postgres never runs as root, and listens on 127.0.0.1 alone', async () => {
  await up();
  const { postgres } = await record();
  const owner = process.platform === 'linux' ? statSync(`/proc/${postgres.process.pid}`).uid : 1;
  expect(owner).not.toBe(0);
  const secrets = JSON.parse(await readFile(join(home, 'secrets.json'), 'utf8'));
  const client = new Client({
    connectionString: `postgres://bench_worker:${secrets.roles.bench_worker}@127.0.0.1:${postgres.port}/co_scientist`,
  });
  await client.connect();
  const { rows } = await client.query('SHOW listen_addresses');
  await client.end();
  expect(rows).toEqual([{ listen_addresses: '127.0.0.1' }]);
});

test.each(['worker', 'temporal', 'postgres'] as const)(
  'after kill -9 of the %s, `up` starts that one anew, and 1 of each runs',
  async (part) => {
    await up();
    const before = await pids();
    process.kill(before[part], 'SIGKILL');
    await up();
    const after = await pids();
    expect(after[part]).not.toBe(before[part]);
    expect(await census()).toEqual(ONE_OF_EACH);
  },
);

test('after kill -9 of all three at once, `up` has all three again', async () => {
  await up();
  for (const pid of Object.values(await pids())) process.kill(pid, 'SIGKILL');
  await up();
  expect(await census()).toEqual(ONE_OF_EACH);
});

test('`down` ends what a lost record does not tell of, and a second `down` finds nothing', async () => {
  await up();
  writeFileSync(join(home, 'stack.json'), '{"form');
  expect((await cli('down')).stdout).toBe('ended: worker, temporal, postgres\n');
  expect(await census()).toEqual(NONE);
  expect((await cli('down')).stdout).toBe('nothing was running\n');
});

test('`down` leaves alone a process that has got the number of one of ours', async () => {
  await stopped();
  const bystander = spawn('sleep', ['300'], { stdio: 'ignore' });
  const own = (await identify(bystander.pid ?? 0)) as OwnProcess;
  const reused = { ...own, birth: 'another boot/1' };
  const before = await record();
  writeFileSync(
    join(home, 'stack.json'),
    JSON.stringify({
      ...before,
      temporal: { ...before.temporal, process: reused },
      worker: { ...before.worker, process: reused },
    }),
  );
  expect((await cli('down')).stdout).toBe('nothing was running\n');
  expect(await isAlive(own)).toBe(true);
  bystander.kill('SIGKILL');
});

test('a data directory that is no database is moved aside, and what an initdb left midway is cleared', async () => {
  await stopped();
  rmSync(join(home, 'postgres', 'global', 'pg_control'));
  await mkdir(join(home, 'postgres.partial', 'data', 'base'), { recursive: true });
  const said = await up();
  expect(said).toContain('is no database');
  const left = readdirSync(home).filter((name) => name.startsWith('postgres'));
  expect(left).toEqual(['postgres', expect.stringMatching(/^postgres\.broken-\d+$/)]);
});

test('a database whose password was lost gets a new one and keeps its rows', async () => {
  await stopped();
  rmSync(join(home, 'secrets.json'));
  const { stdout, stderr } = await runCli(['up'], { CO_SCIENTIST_HOME: home });
  expect(stderr).toContain('password of the local database is lost');
  expect(stdout).toContain('Schema    up to date'); // a new database would have been migrated
});

test('taken ports are passed over: 3 others are used', async () => {
  await stopped();
  const before = await record();
  const ports = [before.postgres.port, before.temporal.port, before.temporal.uiPort];
  const squatters = ports.map((port) => createServer().listen(port, '127.0.0.1'));
  await up();
  const { postgres, temporal } = await record();
  for (const squatter of squatters) squatter.close();
  for (const port of [postgres.port, temporal.port, temporal.uiPort]) expect(ports).not.toContain(port);
});

test('the lock of a command that was killed lapses by itself', async () => {
  await mkdir(join(home, 'starting.lock'), { recursive: true });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(home, 'starting.lock'), longAgo, longAgo);
  await up();
  expect(await census()).toEqual(ONE_OF_EACH);
});

test('an API key stands in no file of the home, and the secrets are for their owner alone: mode 600', async () => {
  const canary = 'sk-canary-5f3a9c';
  await cli('down');
  await up({ ANTHROPIC_API_KEY: canary });
  const texts = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(home, 'postgres')))
    .filter((entry) => entry.name !== 'temporal.db-journal') // comes and goes
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(texts.filter((text) => text.includes(canary))).toHaveLength(0);
  expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test.each([
  ['OPENAI_API_KEY', 'hidden\u0001key'],
  ['BRAVE_API_KEY', 'hidden\u007fkey'],
  ['CO_SCIENTIST_RATES', 'openai=hidden'],
])(
  'a worker that ends because of %s is told with that variable, and without its value',
  async (name, value) => {
    const { exitCode, stdout, stderr } = await runCli(['up'], { CO_SCIENTIST_HOME: home, [name]: value });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: the worker did not start: .*${name}: `, 'm'));
    expect(stdout + stderr).not.toContain('hidden');
  },
);

test('a changed key starts the worker anew, a key that this shell lacks does not', async () => {
  if (!(await census()).worker) await up({ ANTHROPIC_API_KEY: 'one' });
  const first = await pids();
  expect(await up({ ANTHROPIC_API_KEY: 'two' })).toContain('ANTHROPIC_API_KEY changed');
  const second = await pids();
  expect(second.worker).not.toBe(first.worker);
  expect(await up()).toContain('the worker keeps ANTHROPIC_API_KEY');
  expect(await pids()).toEqual({ ...second });
});

test('`down --wipe` asks, refuses without a terminal with exit code 2, and with --yes leaves no database', async () => {
  await up();
  expect((await cli('down', '--wipe')).exitCode).toBe(2);
  expect(await census()).toEqual(ONE_OF_EACH);
  expect((await cli('down', '--wipe', '--yes')).exitCode).toBe(0);
  expect(await census()).toEqual(NONE);
  expect(readdirSync(home)).toEqual([]);
});
