import type { Client, Connection } from '@temporalio/client';
import type { Database } from '../../db/database';
import { CliError } from '../cli-error';
import { reportProgress } from '../report-progress';
import type { Stack } from '../stack/ensure-stack';

/** The stack with a connection to its rows. */
export interface BenchRows {
  stack: Stack;
  db: Database;
}

/**
 * Opens the stack's rows for a command that reads them, starting what is missing.
 * @throws CliError when the database has an older schema than this code
 */
export async function withBenchRows<T>(work: (rows: BenchRows) => Promise<T>): Promise<T> {
  const { ensureStack } = require('../stack/ensure-stack') as typeof import('../stack/ensure-stack');
  const stack = await ensureStack({ report: reportProgress });
  return withRowsOf(stack, (db) => work({ stack, db }));
}

/** @throws CliError when the database has an older schema than this code, or none and is not ours */
export async function withRowsOf<T>(stack: Stack, work: (db: Database) => Promise<T>): Promise<T> {
  const { openDatabase } = require('../../db/database') as typeof import('../../db/database');
  await checkSchema(stack);
  const db = openDatabase(stack.databaseUrls.worker, { maxConnections: 3 });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** A database of ours that nothing has been in yet gets its schema: it holds no bench, and a command may say so. */
async function checkSchema({ databaseUrls }: Stack): Promise<void> {
  const { pendingMigrations, migrateToLatest } =
    require('../../db/migrate') as typeof import('../../db/migrate');
  const { migrations } = require('../../db/migrations') as typeof import('../../db/migrations');
  const { givenDatabase } = require('../stack/given-database') as typeof import('../stack/given-database');
  const pending = await pendingMigrations(databaseUrls.worker);
  if (pending.length === 0) return;
  const isEmpty = pending.length === Object.keys(migrations).length;
  if (isEmpty && !givenDatabase()) {
    await migrateToLatest(databaseUrls.owner);
    return;
  }
  throw new CliError({
    reason: isEmpty
      ? 'the database has no tables of this program yet'
      : `the database has an older schema than this program: it lacks ${pending.join(', ')}`,
    remedy: 'co-scientist migrate',
  });
}

/** Without one a bench of ours would wait for ever. */
export async function ensureOwnWorker(stack: Stack): Promise<void> {
  if (stack.isExternal) return;
  const { ensureWorker } = require('../stack/ensure-stack') as typeof import('../stack/ensure-stack');
  await ensureWorker(stack, { report: reportProgress });
}

/** Connects to the stack's Temporal for the time of the work. */
export async function withTemporal<T>({ temporal }: Stack, work: (client: Client) => Promise<T>): Promise<T> {
  const temporalClient = require('@temporalio/client') as typeof import('@temporalio/client');
  let connection: Connection;
  try {
    connection = await temporalClient.Connection.connect(temporal.connectionOptions ?? {});
  } catch (error) {
    throw new CliError({
      reason: `Temporal at ${temporal.address} does not answer: ${(error as Error).message}`,
      remedy: 'co-scientist doctor says what is running',
      error,
    });
  }
  try {
    return await work(new temporalClient.Client({ connection, namespace: temporal.namespace }));
  } finally {
    await connection.close();
  }
}

/** Of a workflow in the local server's UI; null with a server of the user's own. */
export function workflowUrl({ uiUrl, temporal }: Stack, workflowId: string): string | null {
  if (uiUrl === null) return null;
  return `${uiUrl}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
