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

/** @throws CliError when the database has an older schema than this code */
export async function withRowsOf<T>(stack: Stack, work: (db: Database) => Promise<T>): Promise<T> {
  const { pendingMigrations } = require('../../db/migrate') as typeof import('../../db/migrate');
  const { openDatabase } = require('../../db/database') as typeof import('../../db/database');
  const url = stack.databaseUrls.worker;
  const pending = await pendingMigrations(url);
  if (pending.length > 0) {
    throw new CliError({
      reason: `the database has an older schema than this program: it lacks ${pending.join(', ')}`,
      remedy: 'co-scientist migrate',
    });
  }
  const db = openDatabase(url, { maxConnections: 3 });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
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
