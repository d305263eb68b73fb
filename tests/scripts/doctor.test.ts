import { existsSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repairLinks } from '../../scripts/stack/postgres-binaries';
import { testTemporal } from '../stack/test-temporal';
import { runCli } from './run-cli';

interface Report {
  format: number;
  canRunBench: boolean;
  findings: { name: string; state: string; found: string; remedy: string | null }[];
}

let home: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'doctor-home-'));
  await chmod(home, 0o755);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function examine(env: Record<string, string>) {
  const run = await runCli(['doctor', '--json'], { CO_SCIENTIST_HOME: home, ...env });
  return { ...run, report: JSON.parse(run.stdout) as Report };
}

test('where the packages and a Temporal CLI are, a bench can run: exit code 0, and nothing is started', async () => {
  const { exitCode, report } = await examine({ TEMPORAL_CLI_PATH: testTemporal().executable });
  expect({ exitCode, canRunBench: report.canRunBench }).toEqual({ exitCode: 0, canRunBench: true });
  expect(report.findings.find(({ name }) => name === 'Postgres')?.found).toMatch(/^18\.4, packaged/);
  expect(existsSync(join(home, 'postgres'))).toBe(false);
});

test('without any Temporal CLI it says so, with the line that mends it: exit code 1', async () => {
  const { exitCode, report, stderr } = await examine({ PATH: '/usr/bin:/bin', XDG_CACHE_HOME: home });
  expect({ exitCode, canRunBench: report.canRunBench }).toEqual({ exitCode: 1, canRunBench: false });
  expect(report.findings.filter(({ state }) => state === 'missing').map(({ name }) => name)).toEqual([
    'Temporal',
  ]);
  expect(stderr).toMatch(/^error: a bench cannot run here: Temporal\n {2}fix: co-scientist up/);
});

test('it names the keys that are set, never their values, nor the password of a database that does not answer', async () => {
  const { exitCode, stdout, stderr, report } = await examine({
    DATABASE_URL: 'postgres://someone:hidden-password@127.0.0.1:1/none',
    ANTHROPIC_API_KEY: 'hidden-key',
    NCBI_API_KEY: 'hidden-too',
  });
  expect(exitCode).toBe(1);
  expect(stdout + stderr).not.toContain('hidden');
  const found = (name: string) => report.findings.find((finding) => finding.name === name)?.found;
  expect(found('Postgres')).toContain('DATABASE_URL (127.0.0.1:1/none) does not answer');
  expect(found('Providers')).toMatch(/open: .*anthropic/);
  expect(found('Literature keys')).toBe('set: NCBI_API_KEY');
});

test('a key that no header can hold is missing, for providers and for literature, and its value is not told', async () => {
  const { exitCode, stdout, stderr, report } = await examine({
    ...{ TEMPORAL_CLI_PATH: testTemporal().executable },
    OPENAI_API_KEY: 'hidden\u0001key',
    BRAVE_API_KEY: 'hidden\u0001too',
  });
  expect(exitCode).toBe(1);
  expect(stdout + stderr).not.toContain('hidden');
  const bad = report.findings.filter(({ state }) => state === 'missing');
  expect(bad.map(({ name, found }) => `${name}: ${found.split(' holds')[0]}`)).toEqual([
    'Providers: OPENAI_API_KEY:',
    'Literature keys: literature settings: BRAVE_API_KEY:',
  ]);
});

test('of 3 library links, the 2 that a skipped install script left out are made, relative to their folder', async () => {
  const native = join(home, 'package', 'native');
  await mkdir(join(native, 'lib'), { recursive: true });
  const link = (target: string) => ({ source: 'native/lib/libpq.so.5.18', target: `native/lib/${target}` });
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), '');
  symlinkSync('libpq.so.5.18', join(native, 'lib', 'libpq.so.5'));
  writeFileSync(
    join(native, 'pg-symlinks.json'),
    JSON.stringify([link('libpq.so.5'), link('libpq.so'), link('libpq')]),
  );
  expect(await repairLinks(native)).toBe(2);
  expect(readlinkSync(join(native, 'lib', 'libpq.so'))).toBe('libpq.so.5.18');
  expect(await repairLinks(native)).toBe(0);
});
