import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { canEnter, type SystemUser } from './system-user';

/** The checkout this program runs from. */
export const PROJECT = resolve(__dirname, '..', '..');

/** Where the local stack keeps what it has. */
export interface StackHome {
  root: string;
  logs: string;
  artifacts: string;
  /** What runs, with its ports: stack.json. */
  record: string;
  /** Passwords of the local Postgres, readable by the owner alone. */
  secrets: string;
  /** Taken by whoever starts or stops something. */
  lock: string;
  temporalDb: string;
}

/** CO_SCIENTIST_HOME, or `data/` of the project; nothing is made. */
export function stackHome(env: NodeJS.ProcessEnv = process.env): StackHome {
  const root = env.CO_SCIENTIST_HOME ? resolve(env.CO_SCIENTIST_HOME) : join(PROJECT, 'data');
  return {
    root,
    logs: join(root, 'logs'),
    artifacts: join(root, 'artifacts'),
    record: join(root, 'stack.json'),
    secrets: join(root, 'secrets.json'),
    lock: join(root, 'starting'),
    temporalDb: join(root, 'temporal.db'),
  };
}

/**
 * The folder for the cluster's data. Postgres may have to run as another user, and one who cannot enter our home
 * (it lies under /root, say) gets a folder of its own under /var/lib, named by a hash of the home.
 */
export async function postgresFolder(home: StackHome, user: SystemUser | null): Promise<string> {
  await mkdir(home.root, { recursive: true });
  if (!user || (await canEnter(user, home.root))) return home.root;
  const hash = createHash('sha256').update(home.root).digest('hex').slice(0, 12);
  const folder = join('/var/lib', `co-scientist-${hash}`);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755); // whatever the umask
  return folder;
}
