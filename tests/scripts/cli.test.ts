import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { COMMANDS } from '../../scripts/commands';
import { runCli } from './run-cli';

test('a mistyped command is a usage error, 2, and names the one meant', async () => {
  const { exitCode, stderr } = await runCli(['dwon']);
  expect(exitCode).toBe(2);
  expect(stderr).toBe("error: unknown command 'dwon'\n  fix: did you mean down?\n");
});

test.each([['up', '--nonsense'], ['up', 'extra'], ['--nonsense']])(
  '`%s %s` is a usage error, 2, told in two lines',
  async (...args) => {
    const { exitCode, stderr } = await runCli(args.filter(Boolean));
    expect(exitCode).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(2);
  },
);

test.each([['dwon'], ['doctor'], ['demo', '--help']])(
  '`%s` in a pipe is without colours, also under CI and FORCE_COLOR',
  async (...args) => {
    const { stdout, stderr } = await runCli(args, { CI: '1', FORCE_COLOR: '1' });
    expect(stdout + stderr).not.toContain('\u001b');
  },
);

test('help and version end with 0, and help lists every command of the registry', async () => {
  const help = await runCli(['--help']);
  expect(help.exitCode).toBe(0);
  for (const { name } of COMMANDS) expect(help.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  expect((await runCli(['--version'])).exitCode).toBe(0);
});

// full(4): every write to it fails with ENOSPC.
(existsSync('/dev/full') ? test : test.skip)('output onto a full disk ends with 1 and two lines', () => {
  const bin = join(resolve(__dirname, '..', '..'), 'scripts', 'bin.cjs');
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [bin, '--version'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: the output cannot be written: ENOSPC.*\n {2}fix: .*\n$/);
});

test('an error shows its stack with --debug only', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cli-home-'));
  const env = {
    CO_SCIENTIST_HOME: home,
    TEMPORAL_CLI_PATH: '/nowhere',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  };
  const plain = await runCli(['up'], env);
  expect(plain.exitCode).toBe(1);
  expect(plain.stderr).not.toMatch(/^ {4}at /m);
  const debugged = await runCli(['up', '--debug'], env);
  expect(debugged.stderr).toMatch(/^ {4}at .*scripts\/stack\//m);
  rmSync(home, { recursive: true });
});
