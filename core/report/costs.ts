import type { KnownCosts } from '../known-costs';
import { sumUsd } from '../prices';
import type { RecordedCall } from './recorded-bench';

/** What some calls came to; the same sums as db/costs.ts makes in SQL. */
export interface CallCosts extends KnownCosts {
  inputTokens: number;
  outputTokens: number;
  /** Part of the output; what a model thought before it answered. */
  reasoningTokens: number;
}

export function costsOf(calls: readonly RecordedCall[]): CallCosts {
  return {
    costUsd: sumUsd(calls.map(({ costUsd }) => costUsd ?? 0)),
    nUnknownCost: calls.filter(({ costUsd, state }) => costUsd === null && ENDED.includes(state)).length,
    inDoubtUsd: sumUsd(calls.filter(({ state }) => OPEN.includes(state)).map(({ chargedUsd }) => chargedUsd)),
    inputTokens: total(calls, 'inputTokens'),
    outputTokens: total(calls, 'outputTokens'),
    reasoningTokens: total(calls, 'reasoningTokens'),
  };
}

/** @param scopeId of a candidate, the judge or the bench, as core/ids.ts makes them */
export function callsOfScope(calls: readonly RecordedCall[], scopeId: string): RecordedCall[] {
  return calls.filter(({ scopeIds }) => scopeIds.includes(scopeId));
}

const ENDED: readonly string[] = ['settled', 'superseded', 'failed'];
const OPEN: readonly string[] = ['sent', 'in_doubt'];

function total(
  calls: readonly RecordedCall[],
  field: 'inputTokens' | 'outputTokens' | 'reasoningTokens',
): number {
  return calls.reduce((sum, call) => sum + (call[field] ?? 0), 0);
}
