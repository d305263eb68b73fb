import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/**
 * Bundles the workflows into a file as a worker does for itself, in some seconds, when it is given none. A worker
 * that reads the file meanwhile finds the old one whole.
 */
export async function writeWorkflowBundle(path: string): Promise<{ sizeBytes: number }> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(__dirname, '..', 'workflows', 'index.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  await mkdir(dirname(path), { recursive: true });
  const whole = `${path}.${randomUUID()}`; // two may make it at once, also in one process
  await writeFile(whole, code);
  await rename(whole, path);
  return { sizeBytes: Buffer.byteLength(code, 'utf8') };
}
