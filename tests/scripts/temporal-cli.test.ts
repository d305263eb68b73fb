import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { obtainTemporalCli } from '../../scripts/stack/obtain-temporal-cli';
import { runProgram } from '../../scripts/stack/run-program';
import { cachedTemporalCli, findTemporalCli } from '../../scripts/stack/temporal-cli';

/** A program that answers `--version` as CLI 1.5.1 does, but for the number. */
function plantCli(path: string, version: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "temporal version 1.5.1 (Server ${version}, UI 2.42.1)"\n`);
  chmodSync(path, 0o755);
  return path;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('TEMPORAL_CLI_PATH is taken before PATH, and PATH before the cache: servers 1.1.1, 2.2.2, 3.3.3', async () => {
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: `/nowhere:${join(folder, 'path')}` };
  plantCli(cachedTemporalCli(env), '3.3.3');
  expect(await findTemporalCli(env)).toMatchObject({ serverVersion: '3.3.3', origin: 'cache' });
  plantCli(join(folder, 'path', 'temporal'), '2.2.2');
  expect(await findTemporalCli(env)).toMatchObject({ serverVersion: '2.2.2', origin: 'PATH' });
  const given = plantCli(join(folder, 'mine'), '1.1.1');
  expect(await findTemporalCli({ ...env, TEMPORAL_CLI_PATH: given })).toMatchObject({
    serverVersion: '1.1.1',
    origin: 'TEMPORAL_CLI_PATH',
  });
});

test('a program named temporal that is another one is passed over: null', async () => {
  writeFileSync(join(folder, 'temporal'), '#!/bin/sh\necho "temporal 0.9"\n', { mode: 0o755 });
  expect(await findTemporalCli({ XDG_CACHE_HOME: folder, PATH: folder })).toBeNull();
});

test('a TEMPORAL_CLI_PATH that leads to no CLI is an error that names it, never passed over', async () => {
  plantCli(join(folder, 'temporal'), '2.2.2');
  const env = { TEMPORAL_CLI_PATH: '/bin/true', PATH: folder };
  await expect(findTemporalCli(env)).rejects.toThrow(/TEMPORAL_CLI_PATH is \/bin\/true/);
});

/** No CLI, no Go of this machine, and a proxy on which nobody listens, so that no download can begin. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const proxy = 'http://127.0.0.1:1';
  return {
    PATH: `${join(folder, 'go')}:/usr/bin:/bin`,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
  };
}

/** A `go` that says it is of this version and whose `install` puts a CLI into GOBIN. */
function plantGo(version: string): void {
  const cli = plantCli(join(folder, 'built'), '4.4.4');
  mkdirSync(join(folder, 'go'));
  writeFileSync(
    join(folder, 'go', 'go'),
    `#!/bin/sh\n[ "$1" = version ] && echo "go version go${version} linux/amd64" || cp ${cli} "$GOBIN/temporal"\n`,
    { mode: 0o755 },
  );
}

test('where it cannot be downloaded, Go 1.25 builds it into the cache, and the next look finds it there', async () => {
  plantGo('1.25.0');
  const env = bareEnvironment();
  const said: string[] = [];
  const built = await obtainTemporalCli((line) => said.push(line), env);
  expect(built).toEqual({ executable: cachedTemporalCli(env), serverVersion: '4.4.4', origin: 'go install' });
  expect(said.join('\n')).toContain('github.com/temporalio/cli/cmd/temporal@v1.5.1');
  expect(await obtainTemporalCli(() => undefined, env)).toMatchObject({ origin: 'cache' });
  expect(readdirSync(dirname(cachedTemporalCli(env)))).toEqual(['temporal']); // and nothing unfinished
});

test('with Go 1.24 there is no way left: the error names all five', async () => {
  plantGo('1.24.9');
  const failure = await obtainTemporalCli(() => undefined, bareEnvironment()).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    exitCode: 1,
    details: { reason: expect.stringContaining('Go 1.24.9 is older than 1.25') },
  });
  const { remedy } = (failure as { details: { remedy: string } }).details;
  for (const way of ['TEMPORAL_CLI_PATH', 'PATH', 'cache', 'temporal.download', 'Go 1.25']) {
    expect(remedy).toContain(way);
  }
});

test('a program whose figure does not grow is ended as without progress, long before its time is up', async () => {
  const stall = { afterMs: 100, measure: async () => 1 };
  const answer = await runProgram('sleep', ['300'], { timeoutMs: 300_000, stall });
  expect(answer).toMatchObject({ exitCode: null, problem: 'no progress' });
});
