import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { TRANSCRIPTS } from '../activities/evaluation/recorded-transcripts';
import { runCli } from './run-cli';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'co-scientist-eval-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Neither a key nor a server is in reach. */
const ALONE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', TEMPORAL_ADDRESS: '127.0.0.1:1' };

test('eval --offline needs no server and no key, says a line a check, and exits with 0', async () => {
  const junit = join(folder, 'deep', 'eval.xml');
  const { exitCode, stdout } = await runCli(['eval', '--offline', '--junit', junit], ALONE);
  expect(stdout).toContain('16 passed, 0 failed, 0 had nothing to check');
  expect(stdout).toMatch(/generation +budget-exceeded +3 refusals; 2 slots ended over budget/);
  expect(stdout).toContain('rubric: no judge has scored this work');
  expect(exitCode).toBe(0);
  const [suite] = new DOMParser()
    .parseFromString(readFileSync(junit, 'utf8'), 'text/xml')
    .getElementsByTagName('testsuite');
  expect([suite?.getAttribute('tests'), suite?.getAttribute('failures')]).toEqual(['16', '0']);
});

test('a transcript with other bytes and one that is missing fail the check of files, and eval exits with 1', async () => {
  cpSync(TRANSCRIPTS, folder, { recursive: true });
  const verdicts = join(folder, 'offline', 'transcripts', 'judge');
  const [one, other] = readdirSync(verdicts).map((name) => join(verdicts, name));
  writeFileSync(one!, `${readFileSync(one!, 'utf8')} `);
  rmSync(other!);
  const { exitCode, stdout, stderr } = await runCli(['eval', 'ranking', '--from', folder, '--json'], ALONE);
  const { passed, transcripts } = JSON.parse(stdout) as {
    passed: boolean;
    transcripts: { checks: { name: string; state: string; violations: { message: string }[] }[] }[];
  };
  expect(passed).toBe(false);
  const files = transcripts[0]?.checks.find(({ name }) => name === 'files');
  expect(files?.state).toBe('failed');
  expect(files?.violations.map(({ message }) => message).sort()).toEqual([
    'has other bytes than its bench lists',
    'is missing',
  ]);
  expect(stderr).toMatch(/checks failed/);
  expect(exitCode).toBe(1);
});

test('a wrong agent and a wrong share are told together, with what was meant, and eval exits with 2', async () => {
  const { exitCode, stderr } = await runCli(['eval', 'rankin', '--min-compliance', '2'], ALONE);
  expect(stderr).toContain('did you mean ranking?');
  expect(stderr).toContain('--min-compliance: not a share from 0 to 1');
  expect(exitCode).toBe(2);
});

test('a judge needs a bench of the database, and is asked nothing offline: all that is wrong is told at once', async () => {
  const flags = ['--judge', 'sim:referee', '--offline', '--sample', '0', '--max-usd', 'x', '--price', '1'];
  const { exitCode, stderr } = await runCli(['eval', ...flags], ALONE);
  for (const said of ['--offline forbids', 'give --bench', '--sample:', '--max-usd:', '--price:']) {
    expect(stderr).toContain(said);
  }
  expect(exitCode).toBe(2);
});

test('what is said of a judge means nothing without one, and that is an error', async () => {
  const { exitCode, stderr } = await runCli(['eval', '--sample', '3', '--max-usd', '1'], ALONE);
  expect(stderr).toContain('--sample, --max-usd: means nothing without --judge');
  expect(exitCode).toBe(2);
});
