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
  isNudge: boolean;
  isPaused: boolean;
}

export type HypothesisOutcome = 'draft' | 'failed' | 'over_budget';

export interface HypothesisProgress {
  turn: number;
}

/** One slot: model turns until there is a draft, or none will come. */
export async function hypothesis(input: HypothesisInput): Promise<HypothesisOutcome> {
  const gate = new PauseGate(input.isPaused);
  let turn = input.firstTurn;
  setHandler(defineQuery<HypothesisProgress>('progress'), () => ({ turn }), {
    description: 'The model turn this slot is at.',
  });
  const lastTurn = input.firstTurn + input.maxTurns - 1;
  for (; turn <= lastTurn; turn += 1) {
    await gate.pass();
    try {
      const outcome = await modelActivities(input.provider, `turn ${turn}`).takeModelTurn({
        benchId: input.benchId,
        epoch: input.epoch,
        hypothesisId: input.hypothesisId,
        turn,
        isNudge: input.isNudge,
        isLastTurn: turn === lastTurn,
      });
      if (outcome.kind !== 'again') return outcome.kind;
    } catch (error) {
      if (isBudgetExceeded(error)) return 'over_budget';
      throw error;
    }
  }
  return 'failed';
}
