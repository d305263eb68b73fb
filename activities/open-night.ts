import { ApplicationFailure } from '@temporalio/common';
import type { BenchInput } from '../core/bench-input';
import { nightSeed } from '../core/nightly/night-seed';
import { openNight as beginNight, findNightly } from '../db/nightlies';
import type { ActivityDeps } from './activity-deps';

export interface OpenNightInput {
  /** The nightly's name. */
  nightly: string;
  namespace: string;
  workflowId: string;
  firstRunId: string;
}

/**
 * Begins a night and says which bench it is. A retry, and a reset of the workflow, find the night they began.
 * @throws ApplicationFailure `InvalidNightly` (final): there is no such nightly
 */
export function createOpenNight({ db }: ActivityDeps) {
  return async function openNight({ nightly: name, ...owner }: OpenNightInput): Promise<BenchInput> {
    const nightly = typeof name === 'string' ? await findNightly(db, name) : undefined;
    if (!nightly) {
      throw ApplicationFailure.create({
        type: 'InvalidNightly',
        message: `nightly: no nightly ${JSON.stringify(name)} (co-scientist nightly list shows them)`,
        nonRetryable: true,
      });
    }
    const { night } = await beginNight(db, nightly, owner);
    return { ...nightly.input, budgetUsd: nightly.budgetUsd, seed: nightSeed(nightly.seed, night) };
  };
}
