import type { Client } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchPlan } from '../../core/bench-plan';
import { plannedVerdicts } from '../../core/planned-verdicts';
import { countText } from '../../core/report/figure-text';
import { DEFAULT_TASK_QUEUE } from '../../core/task-queues';
import type { bench } from '../../workflows';

export interface StartedBench {
  benchId: string;
  workflowId: string;
}

/** Draws an id; the workflow's id carries it, and nothing of it stands in the input. */
export function drawBenchId(): StartedBench {
  const { ulid } = require('ulid') as typeof import('ulid');
  const benchId = `bnc_${ulid()}`;
  return { benchId, workflowId: `bench-${benchId}` };
}

/** Starts the workflow on the base queue. Its summary, for lists in Temporal's UI, holds no text of the bench. */
export async function startBench(
  client: Client,
  { workflowId }: StartedBench,
  { input, plan }: { input: BenchInput; plan: BenchPlan },
): Promise<void> {
  await client.workflow.start<typeof bench>('bench', {
    workflowId,
    taskQueue: baseTaskQueue(),
    args: [input],
    staticSummary: summarise(plan),
  });
}

export function baseTaskQueue(): string {
  return process.env.CO_SCIENTIST_TASK_QUEUE || DEFAULT_TASK_QUEUE;
}

function summarise(plan: BenchPlan): string {
  const parts = [
    plan.preset ?? 'no preset',
    countText(plan.candidates.length, 'candidate'),
    `n ${plan.n}`,
    `${plannedVerdicts(plan).matches} matches`,
  ];
  return [...parts, ...(plan.isSimulated ? ['simulated'] : [])].join(' · ');
}
