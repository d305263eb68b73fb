import { defineQuery, setHandler } from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import { modelActivities } from './activity-options';
import { isBudgetExceeded } from './failure-kinds';
import { PauseGate } from './pause-gate';

export interface HypothesisInput extends BenchRef {
  hypothesisId: string;
  provider: string;
  /** The first turn's number, from 1. */
  firstTurn: number;
  maxTurns: number;
  isPaused: boolean;
}

export type HypothesisOutcome = 'draft' | 'failed' | 'over_budget';

export interface HypothesisProgress {
  turn: number;
}

/** One slot: model turns until there is a draft, or none will come. */
export async function hypothesis(input: HypothesisInput): Promise<HypothesisOutcome> {
  const { benchId, epoch, hypothesisId, provider } = input;
  const gate = new PauseGate(input.isPaused);
  let turn = input.firstTurn;
  setHandler(defineQuery<HypothesisProgress>('progress'), () => ({ turn }), {
    description: 'The model turn this slot is at.',
  });
  for (; turn < input.firstTurn + input.maxTurns; turn += 1) {
    await gate.pass();
    try {
      const model = modelActivities(provider, `turn ${turn}`);
      const outcome = await model.takeModelTurn({ benchId, epoch, hypothesisId, turn });
      if (outcome.kind === 'draft' || outcome.kind === 'failed') return outcome.kind;
    } catch (error) {
      if (isBudgetExceeded(error)) return 'over_budget';
      throw error;
    }
  }
  return 'failed';
}
