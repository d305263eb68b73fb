import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { RubricRequest } from '../../activities/evaluation/open-rubric';
import { EVAL_AGENTS } from '../../core/evaluation/eval-check';
import { usdText } from '../../core/report/figure-text';
import type { Database } from '../../db/database';
import type { RubricProgress, rubric } from '../../workflows/rubric';
import { withRowsOf, withTemporal } from '../bench/bench-connection';
import { rootCause } from '../bench/bench-failure';
import { confirm } from '../bench/confirm';
import { findBenchId } from '../bench/find-bench';
import { printable } from '../bench/printable';
import { readProblems } from '../bench/read-problems';
import { prepareStack } from '../bench/run-bench';
import { baseTaskQueue } from '../bench/start-bench';
import { CliError, UsageError } from '../cli-error';
import type { EvalRequest, JudgeRequest } from './eval-request';

/**
 * Has a judge score a bench's work by the agents' rubrics, as a workflow of its own: it goes on when this command is left.
 * @returns the bench's id and what has been scored
 * @throws UsageError for what cannot be scored; CliError when it was not begun, or failed
 */
export async function scoreWork(
  { benchId: text, agent }: EvalRequest & { benchId: string },
  { judge, sample, capUsd, maxInFlight, price, isYes }: JudgeRequest,
): Promise<{ benchId: string; progress: RubricProgress }> {
  const { stack } = await prepareStack();
  return withRowsOf(stack, async (db: Database) => {
    const benchId = await findBenchId(db, text);
    const agents = agent ? [agent] : [...EVAL_AGENTS];
    process.stderr.write(
      `${judge} scores ${agents.join(', ')} of ${benchId}: at most ${sample} of each, ${usdText(capUsd)} in all\n`,
    );
    if (!judge.startsWith('sim:')) await confirm('  start? [y/N] ', { isYes });
    const request: RubricRequest = {
      ...{ benchId, judge, agents, sample, capUsd },
      ...(maxInFlight === null ? {} : { maxInFlight }),
      ...(price ? { price } : {}),
    };
    return withTemporal(stack, async (client) => ({ benchId, progress: await run(client, request) }));
  });
}

async function run(client: Client, request: RubricRequest): Promise<RubricProgress> {
  const workflowId = `rubric-${request.benchId}-${randomBytes(4).toString('hex')}`;
  try {
    return await client.workflow.execute<typeof rubric>('rubric', {
      workflowId,
      taskQueue: baseTaskQueue(),
      args: [request],
      staticSummary: `${request.judge} scores ${request.benchId}`,
    });
  } catch (error) {
    throw readEnd(error, workflowId);
  }
}

function readEnd(error: unknown, workflowId: string): Error {
  const cause = rootCause(error);
  if (cause.type === 'InvalidRubric') {
    const { head: reason, problems } = readProblems(cause.message ?? '');
    return new UsageError({ reason, problems, remedy: 'see docs/guide/eval.md' });
  }
  return new CliError({
    reason: `the scores did not come: ${printable(cause.message ?? '')}`,
    remedy: `what was scored is kept and not paid again: ask once more (workflow ${workflowId})`,
    error,
  });
}
