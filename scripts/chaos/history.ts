import type { Client, WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Input = Record<string, unknown>;

/** Whether an activity of this type, whose input is as wanted, has completed in this workflow. */
export async function hasCompleted(
  client: Client,
  workflowId: string,
  activityType: string,
  isWanted: (input: Input) => boolean,
): Promise<boolean> {
  const events = (await readHistory(client, workflowId)).events ?? [];
  const scheduled = events.find(({ activityTaskScheduledEventAttributes: it }) => {
    return it?.activityType?.name === activityType && isWanted(firstInput(it.input?.payloads?.[0]?.data));
  });
  return events.some(
    ({ activityTaskCompletedEventAttributes: it }) =>
      it && scheduled && String(it.scheduledEventId) === String(scheduled.eventId),
  );
}

/** The workflow id of the child whose id is like this, once the parent has started it; null before. */
export async function findChildId(client: Client, parentId: string, like: RegExp): Promise<string | null> {
  const events = (await readHistory(client, parentId)).events ?? [];
  const ids = events.map((event) => event.childWorkflowExecutionStartedEventAttributes);
  return ids.map((it) => it?.workflowExecution?.workflowId).find((id) => id && like.test(id)) ?? null;
}

/** How large a workflow's history is: events, and bytes as the server counts them; of the last run unless one is named. */
export async function historySize(
  client: Client,
  workflowId: string,
  runId?: string,
): Promise<{ events: number; bytes: number }> {
  const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
  const { historyLength, historySizeBytes } = raw.workflowExecutionInfo ?? {};
  return { events: Number(historyLength), bytes: Number(historySizeBytes) };
}

async function readHistory(client: Client, workflowId: string): Promise<History> {
  return client.workflow.getHandle(workflowId).fetchHistory();
}

function firstInput(data: Uint8Array | null | undefined): Input {
  return data ? (JSON.parse(Buffer.from(data).toString('utf8')) as Input) : {};
}
