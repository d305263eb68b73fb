import { defineQuery, setHandler } from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import { literatureActivities, modelActivities } from './activity-options';
import { isBudgetExceeded } from './failure-kinds';
import { PauseGate } from './pause-gate';
import { Window } from './window';

export interface HypothesisInput extends BenchRef {
  hypothesisId: string;
  provider: string;
  heartbeatMs: number;
  /** The first turn's number, from 1. */
  firstTurn: number;
  maxTurns: number;
  isPaused: boolean;
  /** Whether it ends as `held` when the candidate's first calls all fail in the same way, for its parent to hold. */
  mayHold?: boolean;
}

export type HypothesisOutcome =
  | { kind: 'draft' }
  | { kind: 'failed'; reason: string }
  | { kind: 'over_budget' }
  /** Not ended: nothing more is asked until somebody says so. */
  | { kind: 'held'; reason: string };

export interface HypothesisProgress {
  turn: number;
}

/** One slot: model turns until there is a draft, or none will come. */
export async function hypothesis(input: HypothesisInput): Promise<HypothesisOutcome> {
  const { benchId, epoch, hypothesisId, provider, heartbeatMs, mayHold } = input;
  const gate = new PauseGate(input.isPaused);
  let turn = input.firstTurn;
  setHandler(defineQuery<HypothesisProgress>('progress'), () => ({ turn }), {
    description: 'The model turn this slot is at.',
  });
  for (; turn < input.firstTurn + input.maxTurns; turn += 1) {
    await gate.pass();
    try {
      const model = modelActivities(provider, heartbeatMs, `turn ${turn}`);
      const outcome = await model.takeModelTurn({
        ...{ benchId, epoch, hypothesisId, turn },
        ...(mayHold ? { mayHold } : {}),
      });
      if (outcome.kind === 'draft' || outcome.kind === 'failed' || outcome.kind === 'held') return outcome;
      if (outcome.kind === 'tools') await runTools(input, gate, turn, outcome.indexes);
    } catch (error) {
      if (isBudgetExceeded(error)) return { kind: 'over_budget' };
      throw error;
    }
  }
  return { kind: 'failed', reason: 'no_call' };
}

/** Tools of one turn that run side by side. */
const TOOLS_SIDE_BY_SIDE = 4;

async function runTools(
  { benchId, epoch, hypothesisId, heartbeatMs }: HypothesisInput,
  gate: PauseGate,
  turn: number,
  indexes: number[],
): Promise<void> {
  await Window.open(TOOLS_SIDE_BY_SIDE, async (window) => {
    for (const index of indexes) {
      await window.start(async () => {
        await gate.pass();
        const literature = literatureActivities(heartbeatMs, `turn ${turn}, tool ${index}`);
        await literature.runTool({ benchId, epoch, hypothesisId, turn, index });
      });
    }
  });
}
