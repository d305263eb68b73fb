import { join } from 'node:path';
import { bundleWorkflows } from './workflow-bundle';

const PROJECT = join(__dirname, '..');

/** A program for CI: bundles the workflows and fails when their code reaches a module that it must not. */
async function main(): Promise<void> {
  const { sizeBytes, forbidden, failure } = await bundleWorkflows(
    join(PROJECT, 'workflows', 'index.ts'),
    PROJECT,
  );
  for (const { module, chain } of forbidden) {
    console.error(`error: workflow code reaches '${module}': ${[...chain, module].join(' → ')}`);
  }
  if (forbidden.length > 0) console.error('  fix: `import type` it, or move what needs it to an activity');
  if (failure) console.error(`error: the workflows cannot be bundled\n${failure}`);
  if (forbidden.length > 0 || failure) process.exitCode = 1;
  else console.log(`workflow bundle: ${(sizeBytes / 1e6).toFixed(1)} MB, without a Node module`);
}

void main();
