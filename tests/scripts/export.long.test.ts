import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportOptions } from '../../activities/reporting/report-options';
import { reportBench } from '../../core/report/bench-report';
import { factsOfRecord } from '../../core/report/facts-of-record';
import type { BenchFacts } from '../../core/summarise-bench';
import { readBenchFacts } from '../../db/bench-facts';
import { openDatabase } from '../../db/database';
import { readRecordedBench } from '../../db/export-reads';
import { filesOf } from '../activities/reporting/files-of';
import { createTestDatabase, type TestDatabase, testDatabaseOfFile } from '../stack/test-database';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { type CliRun, runCli } from './run-cli';

// A real bench with tool calls, reviews, failed slots and matches without a hypothesis; then the CLI over its rows.
let worker: BenchWorker;
let benchId: string;
const empty = testDatabaseOfFile();
const folder = mkdtempSync(join(tmpdir(), 'export-'));

beforeAll(async () => {
  worker = await startBenchWorker({ artifactsDir: join(folder, 'on-finishing') });
  const summary = await worker.run({
    goal: 'Find a drug for acute myeloid leukaemia (AML).',
    candidates: [
      'reader=sim:alder@pipeline',
      'raw=sim:alder@direct',
      'broken=sim:elm,fail=refused:0.6@direct',
    ],
    judge: 'sim:referee,fail=truncated:0.1',
    reviewer: 'sim:referee',
    goldSet: 'aml-repurposing-paper-5',
    literature: 'bundled',
    session: 'offline-replay',
    seed: 16, // of which a slot of `raw` names an entity of the gold set
    n: 3,
    matches: 4,
  });
  benchId = summary.benchId;
}, 120_000);
afterAll(async () => {
  await worker.close();
  rmSync(folder, { recursive: true });
});

function envOf(database: TestDatabase): Record<string, string> {
  return {
    CO_SCIENTIST_HOME: join(folder, 'home'),
    ...database.env,
    TEMPORAL_ADDRESS: worker.temporal.address,
  };
}

const cli = (args: string[], database: TestDatabase = worker.database): Promise<CliRun> =>
  runCli(args, envOf(database));

test('the record makes the same facts as the rows, to the last digit of ratings, costs and gold hits', async () => {
  const record = await readRecordedBench(worker.db, benchId);
  expect(comparable(factsOfRecord(record))).toEqual(comparable(await readBenchFacts(worker.db, benchId)));
});

/** Facts as plain values, without what only one side counts: slots and matches carry more of their rows here or there. */
function comparable({ slots, matches, elo, ...rest }: BenchFacts): unknown {
  const counted = (name: string, value: unknown) =>
    name === 'calls' || name === 'reasoningTokens' ? undefined : value;
  const facts = {
    ...rest,
    elo: [...elo],
    slots: slots.map(({ id, candidateId, state, failureKind }) => ({ id, candidateId, state, failureKind })),
    matches: matches.map(({ candA, candB, winner, agreement }) => ({ candA, candB, winner, agreement })),
  };
  return JSON.parse(JSON.stringify(facts, counted));
}

const OWN_SET = {
  name: 'mine',
  version: 1,
  source: { title: 'A list', publisher: 'Me', id: 'list-1', url: 'https://example.org/list' },
  publishedOn: '2026-01-31',
  criteria: ['chosen by me'],
  // What the sim models name, of any candidate; and what nobody does.
  entities: [
    { name: 'acute myeloid', aliases: ['AML', 'leukaemia', 'leukemia'] },
    { name: 'Unobtainium', aliases: [] },
  ],
};

test('a worker with a place for artifacts leaves, on finishing, the bytes that export writes', async () => {
  const exported = join(folder, 'exported');
  expect((await cli(['export', benchId, '--to', exported])).exitCode).toBe(0);
  expect(filesOf(join(folder, 'on-finishing'))).toEqual(filesOf(exported));
});

test('rescored by a set of one’s own it keeps its own score, and `show` and the page have both', async () => {
  const path = join(folder, 'mine.json');
  writeFileSync(path, JSON.stringify(OWN_SET));
  const before = JSON.parse((await cli(['show', benchId, '--json'])).stdout) as object;
  const run = await cli(['rescore', benchId, '--goldset', path, '--json']);
  expect([run.exitCode, run.stderr]).toEqual([0, '']);
  const { candidates } = JSON.parse(run.stdout) as { candidates: { label: string; named: string[] }[] };
  expect(candidates.map(({ label }) => label)).toEqual(['reader', 'raw', 'broken']);
  expect(new Set(candidates.flatMap(({ named }) => named))).toEqual(new Set(['acute myeloid']));
  const shown = await cli(['show', benchId]);
  expect(shown.stdout).toContain('gold set mine 1, after the fact:\n  reader: ');
  expect(JSON.parse((await cli(['show', benchId, '--json'])).stdout)).toEqual(before);
  const record = await readRecordedBench(worker.db, benchId);
  const { rescores } = reportBench(record, reportOptions());
  expect(rescores.map(({ name, isRuntime, kept }) => [name, isRuntime, kept?.origin])).toEqual([
    ['aml-repurposing-paper-5', true, undefined],
    ['aml-repurposing-paper-top3', false, undefined],
    ['mine', false, 'file'],
  ]);
}, 120_000);

test('another set under the same name and version is refused, one of a registered name too', async () => {
  const path = join(folder, 'other.json');
  writeFileSync(path, JSON.stringify({ ...OWN_SET, entities: OWN_SET.entities.slice(0, 1) }));
  const other = await cli(['rescore', benchId, '--goldset', path]);
  expect([other.exitCode, other.stdout]).toEqual([2, '']);
  expect(other.stderr).toContain('was rescored by another set mine of version 1');
  writeFileSync(path, JSON.stringify({ ...OWN_SET, name: 'aml-repurposing-paper-5' }));
  const borrowed = await cli(['rescore', benchId, '--goldset', path]);
  expect([borrowed.exitCode, borrowed.stderr.includes('a registered one is')]).toEqual([2, true]);
});

test('exported, verified, imported into an empty database and exported again, it is the same bytes', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const exported = await cli(['export', benchId, '--to', first, '--json']);
  expect(exported.exitCode).toBe(0);
  const { files } = JSON.parse(exported.stdout) as { files: number };
  const before = filesOf(first);
  expect(Object.keys(before)).toHaveLength(files);
  expect(Object.keys(before).every((name) => name.startsWith('/offline-replay/'))).toBe(true);

  const verified = await cli(['verify', first]);
  expect([verified.exitCode, verified.stderr]).toEqual([0, '']);
  expect(verified.stdout).toContain('every figure follows from them');

  const imported = await cli(['import', first], empty);
  expect([imported.exitCode, imported.stdout]).toEqual([0, `${benchId}: co-scientist show ${benchId}\n`]);
  expect((await cli(['export', benchId, '--to', second], empty)).exitCode).toBe(0);
  expect(filesOf(second)).toEqual(before);
}, 120_000);

test('all its rows stand in the other database, column by column, but for leases and whose it is', async () => {
  const here = await rowsOf(worker.database);
  const there = await rowsOf(empty);
  expect(Object.keys(here)).toEqual([
    'bench_budgets',
    'bench_candidates',
    'bench_gold_hits',
    'bench_hypotheses',
    'bench_llm_calls',
    'bench_matches',
    'bench_rescores',
    'bench_reviews',
    'bench_runs',
    'bench_token_rates',
    'bench_tool_calls',
    'bench_verdicts',
  ]);
  expect(there).toEqual(here);
});

/** Every row that belongs to the bench, of whatever table: one that the bundle forgot would be missing there. */
async function rowsOf({ ownerUrl }: TestDatabase): Promise<Record<string, unknown[]>> {
  const { Client } = require('pg') as typeof import('pg');
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE column_name = 'bench_id' AND table_schema = 'public' UNION SELECT 'bench_runs' ORDER BY 1`,
  );
  const all: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) - 'lease_until' - 'first_run_id' AS row FROM ${name} t
        WHERE ${name === 'bench_runs' ? 'id' : 'bench_id'} = $1 ORDER BY 1`,
      [benchId],
    );
    if (rows.length > 0) all[name] = rows.map(({ row }) => row);
  }
  await client.end();
  return all;
}

test('what was imported can be shown and reported as if it had run there', async () => {
  const [here, there] = [
    await cli(['show', benchId, '--json']),
    await cli(['show', benchId, '--json'], empty),
  ];
  expect([there.exitCode, there.stdout]).toEqual([0, here.stdout]);
  const places = [join(folder, 'pages-here'), join(folder, 'pages-there')];
  expect((await cli(['report', benchId, '--to', places[0]!])).exitCode).toBe(0);
  expect((await cli(['report', benchId, '--to', places[1]!], empty)).exitCode).toBe(0);
  expect(filesOf(places[1]!)).toEqual(filesOf(places[0]!));
}, 120_000);

test('a bench that is there already is not imported again: exit 1, with a way out', async () => {
  const again = await cli(['import', join(folder, 'first')], empty);
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain(`${benchId} is in this database already`);
  expect(again.stderr).toContain('fix: ');
});

test('a changed figure is listed by verify, exit 1, and keeps the bench out, unless --unverified', async () => {
  const copy = join(folder, 'changed');
  await cli(['export', benchId, '--to', copy]);
  const path = join(copy, 'offline-replay', 'bench', `${benchId}.json`);
  const file = JSON.parse(readFileSync(path, 'utf8')) as { candidates: { wins: number }[] };
  file.candidates[0]!.wins += 1;
  writeFileSync(path, JSON.stringify(file));
  const verified = await cli(['verify', copy]);
  expect(verified.exitCode).toBe(1);
  expect(verified.stdout).toContain(`${benchId}/reader wins: stored`);
  expect(verified.stderr).toContain('1 thing does not hold');
  const other = await createTestDatabase();
  const refused = await cli(['import', copy], other);
  expect([refused.exitCode, refused.stderr.includes('nothing was imported')]).toEqual([1, true]);
  expect((await cli(['import', copy, '--unverified'], other)).exitCode).toBe(0);
  await other.drop();
}, 120_000);

test('a plan with 2 broken fields is refused by import in one error that names both, --unverified or not', async () => {
  const copy = join(folder, 'broken-plan');
  await cli(['export', benchId, '--to', copy]);
  const path = join(copy, 'offline-replay', 'bench', `${benchId}.json`);
  const file = JSON.parse(readFileSync(path, 'utf8')) as { settings: Record<string, unknown> };
  Object.assign(file.settings, { debateTurns: 0, orders: 'either' });
  writeFileSync(path, JSON.stringify(file));
  for (const more of [[], ['--unverified']]) {
    const refused = await cli(['import', copy, ...more]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('2 things do not hold, so nothing was imported');
    expect(refused.stderr).toMatch(/settings\.orders: .*\n.*settings\.debateTurns: /);
  }
}, 120_000);

test('without a transcript that the bench lists, verify does not say that every figure follows', async () => {
  const copy = join(folder, 'short');
  await cli(['export', benchId, '--to', copy]);
  const lost = Object.keys(filesOf(copy)).find((name) => name.includes('/transcripts/judge/'));
  rmSync(join(copy, lost!));
  const { exitCode, stdout } = await cli(['verify', copy]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('not checked: figures: files of the bench are missing');
  expect(stdout).toContain('no figure that could be checked differs');
  expect(stdout).not.toContain('every figure follows');
}, 60_000);

test('an import that fails midway leaves no row', async () => {
  const copy = join(folder, 'twice');
  await cli(['export', benchId, '--to', copy]);
  const path = join(copy, 'offline-replay', 'bench', `${benchId}.json`);
  const file = JSON.parse(readFileSync(path, 'utf8')) as { budgets: object[] };
  file.budgets.push(file.budgets[0]!); // a key that cannot stand twice, and the last rows that are written
  writeFileSync(path, JSON.stringify(file));
  const other = await createTestDatabase();
  expect((await cli(['import', copy, '--unverified'], other)).exitCode).toBe(1);
  const db = openDatabase(other.ownerUrl, { maxConnections: 1 });
  expect(await db.selectFrom('bench_runs').select('id').execute()).toEqual([]);
  expect(await db.selectFrom('bench_llm_calls').select('key').execute()).toEqual([]);
  await db.destroy();
  await other.drop();
}, 120_000);

test('tables of all benches: one file each, a row a slot, 9 slots', async () => {
  const csv = join(folder, 'csv');
  const run = await cli(['export', '--csv', '--to', csv, '--json']);
  expect(run.exitCode).toBe(0);
  const { files } = JSON.parse(run.stdout) as { files: { path: string; rows: number }[] };
  const rows = Object.fromEntries(files.map((file) => [file.path.slice(csv.length + 1), file.rows]));
  expect(rows).toMatchObject({ 'runs.csv': 1, 'candidates.csv': 3, 'hypotheses.csv': 9, 'matches.csv': 12 });
});

test.each([
  [['export'], 'no bench named'],
  [['verify', '/nowhere/at/all'], 'is no folder'],
  [['verify', __dirname], 'holds no bench'],
  [['import', '/nowhere/at/all'], 'is no folder'],
])('%j is a usage error, 2', async (args, reason) => {
  const run = await cli(args);
  expect([run.exitCode, run.stderr.includes(reason)]).toEqual([2, true]);
});
