import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
