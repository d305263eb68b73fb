import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../db/database';
import { importBench } from '../../db/import-bench';
import { writeReports } from '../../scripts/report/write-reports';
import { BENCH_ID, madeUp } from '../core/report/made-up';
import { testDatabaseOfFile } from '../stack/test-database';
import { testTemporal } from '../stack/test-temporal';
import { runCli } from './run-cli';

// Two benches of simulated models, imported; then what is written of them.
const database = testDatabaseOfFile();
const folder = mkdtempSync(join(tmpdir(), 'report-'));
const OTHER = 'bnc_01KQTEST00000000000000TWO0';

beforeAll(async () => {
  const db = database.open('owner');
  const one = await madeUp();
  const other = await madeUp({ benchId: OTHER, input: { ...one.record.run.input, seed: 5 } });
  for (const { record, attempts } of [one, other]) {
    await importBench(
      db,
      record,
      attempts.map((attempt) => [attempt]),
    );
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

async function write(name: string): Promise<Record<string, string>> {
  const db = openDatabase(database.workerUrl, { maxConnections: 2 });
  const reports = join(folder, name);
  await writeReports(db, BENCH_ID, { artifacts: null, reports });
  await db.destroy();
  return Object.fromEntries(
    readdirSync(reports).map((file) => [file, readFileSync(join(reports, file), 'utf8')]),
  );
}

test('a bench leaves a page, its Markdown and the page of all benches; written twice, the same bytes', async () => {
  const first = await write('first');
  expect(Object.keys(first).sort()).toEqual(['BENCH_RESULTS.md', `${BENCH_ID}.html`, `${BENCH_ID}.md`]);
  expect(await write('second')).toEqual(first);
});

test('the page of all has both benches, oldest first, one table of two runs, and a kind of 2 benches', async () => {
  const { 'BENCH_RESULTS.md': page = '' } = await write('all');
  const headings = [...page.matchAll(/^## (bnc_\w+)$/gm)].map((match) => match[1]);
  expect(headings).toEqual([BENCH_ID, OTHER]);
  expect(page).toContain('2 runs, equal but for the seed');
  expect(page).toMatch(/\| aml-repurposing-paper-5 \| 2 \| \$[\d.]+ to \$[\d.]+ \| 4 \| 24 \| simulated \|/);
});

test('every query on the page runs as it stands, and answers for its bench: 4 candidates, 24 matches, 12 slots', async () => {
  const { 'BENCH_RESULTS.md': page = '' } = await write('sql');
  const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map((match) => match[1]!);
  expect(queries).toHaveLength(2 * 4);
  const client = new Client({ connectionString: database.workerUrl });
  await client.connect();
  const counts: number[] = [];
  for (const query of queries) counts.push((await client.query(query)).rows.length);
  await client.end();
  // Calls: generation by two models, review and verdicts by one.
  expect(counts).toEqual([4, 24, 12, 4, 4, 24, 12, 4]);
});

function envOf(): Record<string, string> {
  return {
    CO_SCIENTIST_HOME: join(folder, 'home'),
    ...database.env,
    TEMPORAL_ADDRESS: testTemporal().address,
  };
}

const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

test('compare gives differences of 4 candidates on one scale; power takes spread and dollars from a bench', async () => {
  const narrow = { ...envOf(), COLUMNS: '40' };
  const [compared, told, power, same] = await Promise.all(
    [
      ['compare', BENCH_ID, OTHER, '--json'],
      ['compare', BENCH_ID, OTHER],
      ['power', '--gap', '200', '--candidates', '4', '--from', BENCH_ID, '--json'],
      ['compare', BENCH_ID, BENCH_ID],
    ].map((args) => runCli(args, envOf())),
  );
  const comparison = JSON.parse(compared!.stdout);
  expect(comparison).toMatchObject({ before: BENCH_ID, after: OTHER, leftOut: [], kind: 'differences' });
  expect(comparison.candidates).toHaveLength(4);
  const sum = comparison.candidates.reduce(
    (total: number, { change }: { change: number }) => total + change,
    0,
  );
  expect(sum).toBeCloseTo(0, 6);
  expect(told!.stdout).toMatch(/^candidate +before +after +change +95 %$/m);
  const { plans, isSimulated, usdPerVerdict } = JSON.parse(power!.stdout);
  expect({ isSimulated, plans: plans.length }).toEqual({ isSimulated: true, plans: 1 });
  expect(plans[0].usd).toBeGreaterThan(0);
  expect(usdPerVerdict).toBeGreaterThan(0);
  expect(same).toMatchObject({ exitCode: 2, stdout: '' });
  const onPhone = await runCli(['compare', BENCH_ID, OTHER], narrow);
  expect(longest(onPhone.stdout)).toBeLessThanOrEqual(40);
  expect(onPhone.stdout).toMatch(/^candidate +95 %$/m);
});

test('show draws intervals, and shows one match, one hypothesis, and the methods as one paragraph', async () => {
  const [bench, match, slot, methods] = await Promise.all(
    [[], ['--match', '17'], ['--hypothesis', '3', '--json'], ['--methods']].map((more) =>
      runCli(['show', BENCH_ID, ...more], envOf()),
    ),
  );
  expect(bench!.stdout).toMatch(/^ratings, each with its 95 % interval looked at alone:\n(.*├.*●.*┤\n){4}/m);
  expect(match!.stdout).toMatch(/^match 17 of bnc_/);
  expect(JSON.parse(slot!.stdout)).toMatchObject({ number: 3, hypothesis: { k: 3 } });
  expect(methods!.stdout.trim().split('\n')).toHaveLength(1);
  for (const word of [
    'sim:referee',
    'seed 20261004',
    'SHA-256',
    'Bradley–Terry',
    'clusters',
    '24 were played',
    'cost $',
  ]) {
    expect(methods!.stdout).toContain(word);
  }
});

test('a blind sheet of 6 matches, filled in as the judge judged, agrees 6 of 6; a bad row is listed with its line', async () => {
  const to = join(folder, 'blind');
  const written = await runCli(['export', BENCH_ID, '--blind', '6', '--to', to, '--json'], envOf());
  const { table, key, page } = JSON.parse(written.stdout) as Record<string, string>;
  expect(readFileSync(page!, 'utf8')).toContain('Pair 6');
  const { items } = JSON.parse(readFileSync(key!, 'utf8')) as { items: { judge: string }[] };
  let row = 0;
  const filled = readFileSync(table!, 'utf8').replaceAll(/,"",""$/gm, () => `,"${items[row++]!.judge}",""`);
  writeFileSync(table!, filled);
  const agreed = await runCli(['agree', table!], envOf());
  expect(agreed.stdout).toMatch(/^6 of 6 matches judged$/m);
  expect(agreed.stdout).toMatch(/^the same of left, right and tie +6 of 6 +100 % +61 % to 100 %$/m);
  const onPhone = await runCli(['agree', table!], { ...envOf(), COLUMNS: '40' });
  expect(longest(onPhone.stdout)).toBeLessThanOrEqual(40);
  writeFileSync(join(to, 'bad.csv'), 'item,answer\n1,perhaps\n');
  const refused = await runCli(['agree', join(to, 'bad.csv'), '--key', key!], envOf());
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('line 2: item 1: the answer "perhaps" is none of left, right, tie');
});

test('the command names what it wrote, as text and as JSON', async () => {
  const env = envOf();
  const html = join(folder, 'home', 'reports', `${BENCH_ID}.html`);
  const text = await runCli(['report', BENCH_ID.slice(0, 28)], env);
  expect([text.exitCode, text.stdout.split('\n')[0]]).toEqual([0, html]);
  const json = await runCli(['report', BENCH_ID, '--to', join(folder, 'json'), '--json'], env);
  expect(JSON.parse(json.stdout)).toMatchObject({
    html: join(folder, 'json', `${BENCH_ID}.html`),
    markdown: join(folder, 'json', `${BENCH_ID}.md`),
    pages: [join(folder, 'json', `${BENCH_ID}.html`)],
  });
  const none = await runCli(['report', 'bnc_ZZ'], env);
  expect([none.exitCode, none.stderr.includes('there is no bench')]).toEqual([1, true]);
});
