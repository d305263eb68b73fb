import type { BenchPlan } from '../bench-plan';
import type { CandidateSummary } from '../bench-summary';
import { countWords } from '../count-words';
import { candidateScope } from '../ids';
import { linearPercentile } from '../percentile';
import { callsOfScope, costsOf } from './costs';
import type { RecordedBench, RecordedCall } from './recorded-bench';

/** A line of the leaderboard, ratings apart. */
export interface CandidateReport extends CandidateSummary {
  state: string;
  /** Thinking as it was asked of this model: a budget reaches Anthropic's models alone. */
  thinking: BenchPlan['thinking'];
  /** Tokens it thought all the same; part of the output tokens. */
  reasoningTokens: number;
  /** Of its own answered calls; null when none was answered. */
  latency: Latency | null;
  /** Requests that got no answer, by kind; most were asked again. */
  unansweredCalls: Record<string, number>;
}

/** In milliseconds, percentiles by linear interpolation (R's type 7). */
export interface Latency {
  calls: number;
  p50Ms: number;
  p95Ms: number;
}

/** @param rows of the summary, in any order; the reports come in the same */
export function reportCandidates(
  { run, candidates, calls }: RecordedBench,
  rows: readonly CandidateSummary[],
): CandidateReport[] {
  const byLabel = new Map(candidates.map((candidate) => [candidate.label, candidate]));
  return rows.map((row) => {
    const candidate = byLabel.get(row.label);
    const own = candidate ? callsOfScope(calls, candidateScope(candidate.id)) : [];
    return {
      ...row,
      state: candidate?.state ?? 'planned',
      thinking: row.provider === 'anthropic' ? run.plan.thinking : 'off',
      reasoningTokens: costsOf(own).reasoningTokens,
      latency: latencyOf(own),
      unansweredCalls: countUnanswered(own),
    };
  });
}

/** From request to answer, over settled calls alone; linear percentiles. null where none was timed. */
export function latencyOf(calls: readonly RecordedCall[]): Latency | null {
  const times = calls
    .filter(({ state }) => state === 'settled')
    .flatMap(({ latencyMs }) => latencyMs ?? [])
    .sort((one, other) => one - other);
  if (times.length === 0) return null;
  const sorted = Float64Array.from(times);
  return {
    calls: times.length,
    p50Ms: linearPercentile(sorted, 50),
    p95Ms: linearPercentile(sorted, 95),
  };
}

/** By kind, in the order of their names. */
function countUnanswered(calls: readonly RecordedCall[]): Record<string, number> {
  const unanswered = calls.filter(({ state }) => state === 'failed' || state === 'in_doubt');
  return countWords(unanswered.map(({ failureKind }) => failureKind ?? 'unknown'));
}
