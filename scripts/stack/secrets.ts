import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BENCH_ROLES, type BenchRole } from '../../db/cluster';
import { CliError } from '../cli-error';

/** What only this user may know. */
export interface StackSecrets {
  superuser: string;
  roles: Record<BenchRole, string>;
  /** Keys the fingerprints of the worker's environment, so that they tell nothing about it. */
  fingerprintKey: string;
}

/**
 * Reads the secrets, or draws new ones when there are none. A database that was made with lost ones gets the new
 * ones at its next start.
 * @throws CliError when the file is there and cannot be read
 */
export async function stackSecrets(file: string): Promise<StackSecrets> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CliError({
      reason: `${file} cannot be read: ${error.code}`,
      remedy: 'run this as the user who started the stack first, or set CO_SCIENTIST_HOME to another folder',
    });
  });
  const secrets = text === null ? null : parse(text);
  if (secrets) {
    await chmod(file, 0o600);
    return secrets;
  }
  const fresh: StackSecrets = {
    superuser: password(),
    roles: { bench_owner: password(), bench_worker: password(), bench_grader: password() },
    fingerprintKey: password(),
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return fresh;
}

function parse(text: string): StackSecrets | null {
  try {
    const secrets = JSON.parse(text) as StackSecrets;
    const all = [
      secrets.superuser,
      secrets.fingerprintKey,
      ...BENCH_ROLES.map((role) => secrets.roles[role]),
    ];
    return all.every((value) => typeof value === 'string' && value !== '') ? secrets : null;
  } catch {
    return null;
  }
}

function password(): string {
  return randomBytes(24).toString('hex');
}
