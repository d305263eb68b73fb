import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import type { FastDouble } from './fast-double';

/** Verdicts in flight, and no-op activities beside which they are held. */
export const WINDOW = 50;

/** A bench that does nothing but wait for its models: direct candidates over the HTTP double. */
export interface BenchSize {
  candidates: number;
  n: number;
  /** A pair. */
  matches: number;
}

export function countMatches({ candidates, matches }: BenchSize): number {
  return ((candidates * (candidates - 1)) / 2) * matches;
}

/** All slots of all candidates at once, then all their reviews, then a window of verdicts after the other. */
export function countWaves(size: BenchSize): number {
  const verdicts = sizesOfWaves(size)[2];
  return 1 + 1 + Math.ceil(verdicts / WINDOW);
}

/** Calls of generation, of reviews, of the tournament. */
export function sizesOfWaves(size: BenchSize): [number, number, number] {
  const hypotheses = size.candidates * size.n;
  return [hypotheses, hypotheses, 2 * countMatches(size)];
}

export function directInput({ candidates, n, matches }: BenchSize): BenchInput {
  const models = Array.from({ length: candidates }, (_, i) => `model-${i + 1}`);
  return {
    goal: 'Find an approved drug that could be tried against leukaemic stem cells.',
    candidates: models.map((model, i) => `c${i + 1}=openai-compatible:${model}@direct`),
    judge: 'openai-compatible:judge',
    prices: Object.fromEntries(
      ['judge', ...models].map((model) => [
        `openai-compatible:${model}`,
        { inputUsdPerMTok: 1, outputUsdPerMTok: 5 },
      ]),
    ),
    budgetPerCandidateUsd: 100,
    judgeBudgetUsd: 10_000,
    goldSet: 'none',
    n,
    matches,
    maxInFlight: WINDOW,
    probe: false,
  };
}

export interface TimedBench {
  benchId: string;
  workflowId: string;
  wallMs: number;
}

/** @throws Error when other calls were made than such a bench makes */
export async function timeBench(
  client: Client,
  taskQueue: string,
  double: FastDouble,
  size: BenchSize,
): Promise<TimedBench> {
  const before = double.requests();
  const workflowId = `${taskQueue}-${randomBytes(3).toString('hex')}`;
  const startedAt = performance.now();
  const options = { taskQueue, workflowId, args: [directInput(size)] };
  const summary = (await client.workflow.execute('bench', options)) as BenchSummary;
  const wallMs = performance.now() - startedAt;
  const calls = double.requests() - before;
  const meant = sizesOfWaves(size).reduce((sum, wave) => sum + wave, 0);
  if (calls !== meant) throw new Error(`${calls} calls: not the bench meant`);
  return { benchId: summary.benchId, workflowId, wallMs };
}

/** One run of a workflow of a bench: each continue-as-new is one of its own. */
export interface WorkflowRun {
  workflowId: string;
  runId: string;
}

/** Of the bench's workflow and all its children. */
export async function runsOf(client: Client, { workflowId, benchId }: TimedBench): Promise<WorkflowRun[]> {
  const runs: WorkflowRun[] = [];
  for (const query of [`WorkflowId = "${workflowId}"`, `WorkflowId STARTS_WITH "${benchId}/"`]) {
    for await (const run of client.workflow.list({ query })) runs.push(run);
  }
  return runs;
}

export async function countActivities(client: Client, runs: readonly WorkflowRun[]): Promise<number> {
  let activities = 0;
  for (const { workflowId, runId } of runs) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    activities += (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length;
  }
  return activities;
}
