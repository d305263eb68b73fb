import type { Client } from '@temporalio/client';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

/** What Temporal keeps of a bench, as text, payloads decoded. */
export interface KeptTexts {
  /** Workflows that were read: the bench and all below it. */
  workflowIds: string[];
  /** Every string and payload of every history, and of what the server tells of each workflow, memo included. */
  texts: string[];
  /** The BenchInput, where it has its place: the input of the bench's workflow and of createBench. */
  inputs: string[];
}

/** Reads all that Temporal keeps of a workflow and of its children, their children, and later runs. */
export async function readKeptTexts(client: Client, workflowId: string): Promise<KeptTexts> {
  const kept: KeptTexts = { workflowIds: [], texts: [], inputs: [] };
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  const waiting = [{ workflowId, runId }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const handle = client.workflow.getHandle(next.workflowId, next.runId);
    const { raw } = await handle.describe();
    const { events } = await handle.fetchHistory();
    kept.workflowIds.push(next.workflowId);
    kept.texts.push(...textsOf(raw));
    for (const event of events ?? []) {
      const input = next.workflowId === workflowId ? takeInput(event) : null;
      kept.inputs.push(...textsOf(input));
      kept.texts.push(...textsOf(event));
      waiting.push(...startedBy(event, next.workflowId));
    }
  }
  return kept;
}

/** Takes the BenchInput out of an event that may hold it. */
function takeInput({
  workflowExecutionStartedEventAttributes: start,
  activityTaskScheduledEventAttributes: scheduled,
}: HistoryEvent): unknown {
  const place = start ?? (scheduled?.activityType?.name === 'createBench' ? scheduled : null);
  if (!place) return null;
  const { input } = place;
  place.input = null;
  return input;
}

function startedBy(event: HistoryEvent, workflowId: string): { workflowId: string; runId: string }[] {
  const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
  const next = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  return [
    ...(child ? [{ workflowId: child.workflowId ?? '', runId: child.runId ?? '' }] : []),
    ...(next ? [{ workflowId, runId: next }] : []),
  ];
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsOf);
}
