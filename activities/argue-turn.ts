import type { ActivityDeps } from './activity-deps';
import { FrozenPlans } from './frozen-plans';
import { hearDebate, readJudgedOrder, type VerdictInput } from './hear-debate';

export interface ArgumentInput extends VerdictInput {
  /** From 1; both sides together. */
  turn: number;
}

/**
 * One argument of the debate before a verdict: one call, so that a provider's rate counts it as one. Those before it
 * are read. Where it breaks off, `judgeVerdict` is still to be asked: it stores the invalid verdict.
 */
export function createArgueTurn(deps: ActivityDeps) {
  const plans = new FrozenPlans(deps.db);
  return async function argueTurn(input: ArgumentInput): Promise<'argued' | 'broken_off' | 'skipped'> {
    const place = await readJudgedOrder(deps, plans, input);
    if (place.judged.match.state === 'unplayed') return 'skipped'; // a candidate was dropped since it was handed out
    const { state } = await hearDebate(deps, input, place, input.turn);
    return state === 'heard' ? 'argued' : 'broken_off';
  };
}
