import { dirname } from 'node:path';
import { endRun } from './run-folder';
import { STACK_FILE } from './test-stack';

/** Ends what the global set-up started. */
// biome-ignore lint/style/noDefaultExport: jest calls a tear-down's default export
export default async function tearDown(): Promise<void> {
  const file = process.env[STACK_FILE];
  if (file) await endRun(dirname(file));
}
