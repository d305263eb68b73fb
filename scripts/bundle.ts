import { join, resolve } from 'node:path';
import { writeWorkflowBundle } from './write-workflow-bundle';

/** A program: writes the workflows' bundle, for workers that are to start without making it. */
async function main(): Promise<void> {
  const path = resolve(process.argv[2] ?? join(__dirname, '..', 'dist', 'workflow-bundle.js'));
  const { sizeBytes } = await writeWorkflowBundle(path);
  console.log(`${path}: ${(sizeBytes / 1e6).toFixed(1)} MB`);
  console.log(`workers take it by CO_SCIENTIST_WORKFLOW_BUNDLE=${path}; write it anew when the code changes`);
}

main().catch((error: unknown) => {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
