import { rm } from 'node:fs/promises';
import { endProcess } from '../../scripts/stack/own-process';
import { stopPostgres } from '../../scripts/stack/postgres-server';
import { takeRunning } from './running';

/** Ends what the global set-up started. */
// biome-ignore lint/style/noDefaultExport: jest calls a tear-down's default export
export default async function tearDown(): Promise<void> {
  const running = takeRunning();
  if (!running) return;
  await Promise.all([
    endProcess(running.temporal, { graceMs: 10_000 }),
    stopPostgres(running.cluster, { isHasty: true }),
  ]);
  await rm(running.folder, { recursive: true, force: true });
}
