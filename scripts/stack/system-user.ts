import { CliError } from '../cli-error';
import { runProgram } from './run-program';

/** A user of this machine, as the system knows it. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** Asked for in this order; one of them is on every Linux and macOS. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * Whom the Postgres server must run as: null (the current user), or an unprivileged one when we are root,
 * because initdb and postgres refuse root.
 * @throws CliError when we are root and the machine has no such user
 */
export async function serverUser(): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of CANDIDATES) {
    const user = await findUser(name);
    if (user && user.uid !== 0) return user;
  }
  throw new CliError({
    reason: `Postgres refuses to run as root, and none of the users ${CANDIDATES.join(', ')} exists`,
    remedy: 'create one: useradd --system --no-create-home postgres',
  });
}

async function findUser(name: string): Promise<SystemUser | null> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => {
      const answer = await runProgram('id', [flag, name], { timeoutMs: 5_000 });
      return answer.exitCode === 0 ? Number.parseInt(answer.stdout, 10) : null;
    }),
  );
  return typeof uid === 'number' && typeof gid === 'number' ? { name, uid, gid } : null;
}

/** Whether the user can enter this directory; tried, not computed from modes, so that ACLs count too. */
export async function canEnter(user: SystemUser | null, directory: string): Promise<boolean> {
  const answer = await runProgram('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { timeoutMs: 5_000, user });
  return answer.exitCode === 0;
}
