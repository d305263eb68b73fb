import { cachedWorkflowBundle } from '../../scripts/stack/cached-workflow-bundle';

/** The workflows' bundle, made by the first of the test files that asks and kept for the others. */
export async function workflowBundle(): Promise<{ codePath: string }> {
  const codePath = await cachedWorkflowBundle();
  if (!codePath) throw new Error('the cache for the workflows’ bundle cannot be written');
  return { codePath };
}
