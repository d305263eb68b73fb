import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Database } from '../../db/database';
import { isImported } from '../../db/imported-owner';
import { readResumable } from '../../db/resume';
import { CliError } from '../cli-error';
import { benchFailure } from './bench-failure';
import { printable } from './printable';

interface Asked {
  client: Client;
  db: Database;
}

/**
 * The workflow that a bench belongs to. Under its id another may run: that of the bench which an imported one is a copy
 * of, or anybody's.
 * @throws CliError when the bench has none here
 */
export async function ownWorkflow(asked: Asked, benchId: string): Promise<WorkflowHandle> {
  const own = await findOwn(asked, benchId);
  if (own.kind === 'none') throw own.why;
  return own.workflow;
}

/** null: none works on the bench, though its rows may call it running: it was terminated or lost, or never was here. */
export async function runningWorkflow(asked: Asked, benchId: string): Promise<WorkflowHandle | null> {
  const own = await findOwn(asked, benchId);
  return own.kind === 'found' && own.isRunning ? own.workflow : null;
}

type Own = { kind: 'found'; workflow: WorkflowHandle; isRunning: boolean } | { kind: 'none'; why: CliError };

async function findOwn({ client, db }: Asked, benchId: string): Promise<Own> {
  const { WorkflowNotFoundError } = require('@temporalio/client') as typeof import('@temporalio/client');
  const owner = (await readResumable(db, benchId))?.owner;
  if (!owner) throw new Error(`bench ${benchId}: its rows are gone`);
  if (isImported(owner)) return none(benchId, 'was imported: no workflow works on it here');
  const workflow = client.workflow.getHandle(owner.workflowId);
  try {
    const { raw, status } = await workflow.describe();
    if (raw.workflowExecutionInfo?.firstRunId === owner.firstRunId) {
      return { kind: 'found', workflow, isRunning: status.name === 'RUNNING' };
    }
  } catch (error) {
    const why = benchFailure(benchId, error);
    if (error instanceof WorkflowNotFoundError) return { kind: 'none', why };
    throw why;
  }
  return none(benchId, `has lost its workflow: what is called ${printable(owner.workflowId)} now is another`);
}

function none(benchId: string, what: string): Own {
  const remedy = `co-scientist resume ${benchId} takes it up, and pays only for what is missing`;
  return { kind: 'none', why: new CliError({ reason: `bench ${benchId} ${what}`, remedy }) };
}
