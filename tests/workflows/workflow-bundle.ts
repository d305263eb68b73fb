import { access, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { STACK_FILE } from '../stack/test-stack';

/** The workflows' bundle, made by the first of a run's test files that asks and kept for the others. */
export async function workflowBundle(): Promise<{ codePath: string }> {
  const folder = dirname(process.env[STACK_FILE] ?? '');
  const codePath = join(folder, 'workflow-bundle.js');
  const isThere = await access(codePath).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const { code } = await bundleWorkflowCode({
      workflowsPath: require.resolve('../../workflows'),
      logger: new DefaultLogger('ERROR'),
    });
    const whole = `${codePath}.${process.pid}`; // another file may be reading while this one writes
    await writeFile(whole, code);
    await rename(whole, codePath);
  }
  return { codePath };
}
