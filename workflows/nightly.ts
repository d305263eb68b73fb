import { workflowInfo } from '@temporalio/workflow';
import type { BenchSummary } from '../core/bench-summary';
import { rowActivities } from './activity-options';
import { bench } from './bench';
import { findApplicationFailure } from './failure-kinds';

export interface NightlyInput {
  /** The nightly's name, as `co-scientist nightly create` was given it. */
  nightly: string;
}

/**
 * One night: an ordinary bench whose rows say that it is a night, so it meets the panel, is judged when it has
 * finished, and can be paused, raised and resumed as any bench.
 * @throws ApplicationFailure `InvalidNightly`: there is no such nightly
 */
export async function nightly(input: NightlyInput): Promise<BenchSummary> {
  const { namespace, workflowId, firstExecutionRunId: firstRunId } = workflowInfo();
  const owner = { namespace, workflowId, firstRunId };
  const benchInput = await rowActivities()
    .openNight({ ...owner, nightly: input?.nightly })
    .catch((error: unknown) => {
      throw findApplicationFailure(error) ?? error;
    });
  return bench(benchInput);
}
