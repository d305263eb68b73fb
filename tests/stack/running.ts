import type { OwnProcess } from '../../scripts/stack/own-process';
import type { PostgresCluster } from '../../scripts/stack/postgres-server';

/** What this run's set-up started, kept for its tear-down: jest runs both in one process. */
export interface Running {
  folder: string;
  cluster: PostgresCluster;
  temporal: OwnProcess | null;
}

const KEY = Symbol.for('co-scientist-test-stack');

export function keepRunning(running: Running): void {
  Reflect.set(globalThis, KEY, running);
}

export function takeRunning(): Running | null {
  const running = (Reflect.get(globalThis, KEY) as Running | undefined) ?? null;
  Reflect.deleteProperty(globalThis, KEY);
  return running;
}
