import type { BenchPlan } from './bench-plan';
import type { BenchState, HypothesisState } from './bench-states';
import type { BenchSummary, CandidateRank, CandidateSummary } from './bench-summary';
import { BrokenInvariant } from './broken-invariant';
import { countWords } from './count-words';
import { isKept } from './kept';
import type { KnownCosts } from './known-costs';
import { meanOf } from './mean';
import type { Agreement } from './outcome';
import type { CandidateRatings } from './ratings/candidate-ratings';
import type { JudgeConduct } from './ratings/judge-conduct';
import type { BenchRatings } from './ratings/rate-bench';
import { replicatesOf, slotsPerCandidate } from './replicates';
import type { ScipivotSummary } from './scipivot/summary';
import { summariseJudges } from './summarise-judges';

/** What the rows of a bench say, gathered; ids are row ids. */
export interface BenchFacts {
  benchId: string;
  status: BenchState;
  plan: BenchPlan;
  /** In the order of the plan. */
  candidates: { id: string; costs: Costs; goldHitNames: string[] | null }[];
  slots: { id: string; candidateId: string; state: HypothesisState; failureKind: string | null }[];
  /** Those that were played. */
  matches: {
    candA: string;
    candB: string;
    winner: 'a' | 'b' | 'tie';
    agreement: Agreement | null;
  }[];
  /** Every match of the stored schedule; `unplayed` by reason. */
  schedule: { scheduled: number; unplayed: Record<string, number> };
  /** null where none of its own texts met in a match that was played. */
  ratings: BenchRatings | null;
  conduct: JudgeConduct;
  /** Elo by hypothesis id, of those that have played. */
  elo: ReadonlyMap<string, number>;
  /** Reviews and sessions too. */
  judge: { costs: Costs; verdicts: number; invalid: number };
  /** By `provider:model`: its verdicts, and what they and their debates cost. */
  judges: ReadonlyMap<string, { costs: Costs; verdicts: number; invalid: number }>;
  /** All calls of the bench, probes included. */
  totalCosts: Costs;
  /** Where the bench has a SciΠvot data set. */
  scipivot?: ScipivotSummary | undefined;
}

export interface Costs extends KnownCosts {
  inputTokens: number;
  outputTokens: number;
}

/** A bench's summary, pure: the same rows give the same summary. Candidates come by rank, then by plan. */
export function summariseBench(facts: BenchFacts): BenchSummary {
  const candidates = byRank(facts.candidates.map((_, i) => summariseCandidate(facts, i)));
  return {
    format: 1,
    benchId: facts.benchId,
    status: facts.status,
    simulated: facts.plan.isSimulated,
    seed: facts.plan.seed,
    replicates: replicatesOf(facts.plan),
    isDriftLeftOut: facts.ratings?.given.settings.isDriftLeftOut ?? false,
    candidates,
    pipelineMinusRaw: facts.ratings?.pipelineMinusRaw ?? null,
    ...summariseJudges(facts),
    matches: { ...facts.schedule, played: facts.matches.length },
    totalCostUsd: facts.totalCosts.costUsd,
    nUnknownCost: facts.totalCosts.nUnknownCost,
    inDoubtUsd: facts.totalCosts.inDoubtUsd,
    ...(facts.scipivot === undefined ? {} : { scipivot: facts.scipivot }),
  };
}

function summariseCandidate(facts: BenchFacts, position: number): CandidateSummary {
  const planned = facts.plan.candidates[position];
  const candidate = facts.candidates[position];
  if (!planned || !candidate) throw new BrokenInvariant(`summary: no candidate at position ${position}`);
  const slots = facts.slots.filter((slot) => slot.candidateId === candidate.id);
  const kept = slots.filter(isKept).length;
  const goldHitNames = kept === 0 ? null : candidate.goldHitNames;
  const elos = slots.flatMap((slot) => facts.elo.get(slot.id) ?? []);
  return {
    ...rankOf(facts.ratings?.given, planned.label),
    label: planned.label,
    provider: planned.provider,
    model: planned.model,
    mode: planned.mode,
    nPlanned: slotsPerCandidate(facts.plan),
    nHypotheses: kept,
    ...countOutcomes(facts, candidate.id),
    asRun: rankOf(facts.ratings?.asRun, planned.label),
    meanElo: meanOf(elos),
    topElo: elos.length > 0 ? Math.max(...elos) : null,
    goldHits: goldHitNames?.length ?? null,
    goldHitNames,
    costUsd: candidate.costs.costUsd,
    nUnknownCost: candidate.costs.nUnknownCost,
    inDoubtUsd: candidate.costs.inDoubtUsd,
    inputTokens: candidate.costs.inputTokens,
    outputTokens: candidate.costs.outputTokens,
    failures: countFailures(slots),
  };
}

function countOutcomes(facts: BenchFacts, id: string): { wins: number; losses: number; ties: number } {
  const counts = { wins: 0, losses: 0, ties: 0 };
  for (const { candA, candB, winner } of facts.matches) {
    if (candA !== id && candB !== id) continue;
    if (winner === 'tie') counts.ties += 1;
    else if ((winner === 'a') === (candA === id)) counts.wins += 1;
    else counts.losses += 1;
  }
  return counts;
}

/** Slots that ended without a hypothesis, by kind: the failure's, or `duplicate`, or `over_budget`. */
function countFailures(slots: BenchFacts['slots']): Record<string, number> {
  return countWords(
    slots
      .filter((slot) => ['failed', 'duplicate', 'over_budget'].includes(slot.state))
      .map((slot) => (slot.state === 'failed' ? (slot.failureKind ?? 'failed') : slot.state)),
  );
}

/** A candidate without a played match has none, and comes last. */
function rankOf(ratings: CandidateRatings | undefined, label: string): CandidateRank {
  const rated = ratings?.candidates.find(({ candidate }) => candidate === label);
  return {
    rank: rated?.rank ?? null,
    rating: rated?.rating ?? null,
    ratingLow: rated?.interval?.low ?? null,
    ratingHigh: rated?.interval?.high ?? null,
    rankLow: rated?.rankLow ?? null,
    rankHigh: rated?.rankHigh ?? null,
    letters: rated?.rating == null ? null : rated.letters,
  };
}

function byRank(candidates: CandidateSummary[]): CandidateSummary[] {
  return [...candidates].sort((a, b) => compareRanks(a.rank, b.rank));
}

function compareRanks(a: number | null, b: number | null): number {
  if (a === b) return 0;
  return (a ?? Number.MAX_SAFE_INTEGER) - (b ?? Number.MAX_SAFE_INTEGER);
}
