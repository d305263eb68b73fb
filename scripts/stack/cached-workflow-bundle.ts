import { access, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from './temporal-cli';
import { codeVersion } from './worker-environment';

/** What workflow code can reach: of the other rooms it knows types alone. */
const BUNDLED_ROOMS = ['core', 'workflows'];
const MAX_AGE_MS = 7 * 24 * 3_600_000;

/** How a worker is told of a bundle; empty: it makes its own. */
export type BundleVariable = Partial<Record<'CO_SCIENTIST_WORKFLOW_BUNDLE', string>>;

/** The bundle that a worker's environment names itself, else this checkout's cached one. */
export async function bundleVariable(workerEnv: NodeJS.ProcessEnv = {}): Promise<BundleVariable> {
  const path = workerEnv.CO_SCIENTIST_WORKFLOW_BUNDLE || (await cachedWorkflowBundle());
  return path ? { CO_SCIENTIST_WORKFLOW_BUNDLE: path } : {};
}

/**
 * The workflows' bundle of this checkout's code, kept in our cache under the code's hash: made once, in some seconds,
 * instead of at each start of a worker.
 * @returns its path; null when the cache cannot be written, and each worker bundles for itself
 * @throws what the bundler throws of code that it cannot bundle
 */
export async function cachedWorkflowBundle(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const version = (await codeVersion(BUNDLED_ROOMS)).slice(0, 16);
  const path = join(cacheFolder(env), `workflows-${version}.js`);
  try {
    if (await isThere(path)) {
      await utimes(path, new Date(), new Date());
      return path;
    }
    const { writeWorkflowBundle } =
      require('../write-workflow-bundle') as typeof import('../write-workflow-bundle');
    await writeWorkflowBundle(path);
    await forgetOldBundles(dirname(path));
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error; // the code cannot be bundled
    return null;
  }
}

/** Bundles of code that nobody has started for a week. */
async function forgetOldBundles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('workflows-')) continue;
    const file = join(folder, name);
    const found = await stat(file).catch(() => null); // another may have renamed or removed it
    if (found && Date.now() - found.mtimeMs > MAX_AGE_MS) await rm(file, { force: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
