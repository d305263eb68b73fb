import { serverVersion } from '../../db/cluster';
import { CliError } from '../cli-error';
import type { DatabaseUrls } from './local-postgres';

/** The Postgres the user named in DATABASE_URL; null: none, so a local one is ours to run. */
export function givenDatabase(env: NodeJS.ProcessEnv = process.env): DatabaseUrls | null {
  const worker = env.DATABASE_URL;
  if (!worker) return null;
  return { worker, owner: env.DATABASE_OWNER_URL || worker, grader: env.DATABASE_GRADER_URL || worker };
}

/** @throws CliError when it cannot be reached; the URL's password is not told */
export async function checkGivenDatabase(urls: DatabaseUrls): Promise<void> {
  for (const [role, name] of [
    ['worker', 'DATABASE_URL'],
    ['owner', 'DATABASE_OWNER_URL'],
    ['grader', 'DATABASE_GRADER_URL'],
  ] as const) {
    if (role !== 'worker' && urls[role] === urls.worker) continue;
    await serverVersion(urls[role]).catch((error: NodeJS.ErrnoException) => {
      throw new CliError({
        reason: `${name} (${placeOf(urls[role])}) does not answer: ${error.message || error.code}`,
        remedy: `start that Postgres or mend ${name}; unset DATABASE_URL to have a local one`,
        error,
      });
    });
  }
}

/** Host, port and database of a URL, and nothing that could be a secret. */
export function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    return 'not a URL';
  }
}
