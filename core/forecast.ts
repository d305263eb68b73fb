import type { BenchPlan, PlannedCandidate, PlannedModel } from './bench-plan';
import { argumentTurns } from './debate';
import { meanOf } from './mean';
import { formatModelRef } from './model-ref';
import { OUTPUT_CAPS } from './output-caps';
import { MAX_MATCHES_IN_ALL } from './planned-settings';
import { plannedVerdicts } from './planned-verdicts';
import { callBoundUsd, computeCostUsd, type ModelPrice, roundUsd, sumUsd } from './prices';
import { detectableGapElo, EXPECTED_NOISE, type UnitCosts } from './ratings/power';
import { replicatesOf, slotsPerCandidate } from './replicates';

/** What a bench will probably cost and take, and what it could see, before anything is paid. Money in USD. */
export interface Forecast {
  candidates: { label: string; expectedUsd: number; worstUsd: number }[];
  /** Reviews and verdicts, of all judges. */
  judge: { expectedUsd: number; worstUsd: number };
  /** What of it each judge's own verdicts and debates take, were there no cap. */
  judges: { judge: string; expectedUsd: number; worstUsd: number }[];
  bench: { expectedUsd: number; worstUsd: number };
  expectedMinutes: number;
  /** Of them, until the last hypothesis is written. */
  expectedGenerationMinutes: number;
  /** Elo gap seen in 80 % of such benches, at the spread below; null where no interval is possible. */
  detectableGapElo: number | null;
  /** Assumed spread between a candidate's hypotheses, in logits. */
  assumedSpread: number;
}

/** Another size of the same bench. */
export interface Alternative {
  n: number;
  matches: number;
  expectedUsd: number;
  detectableGapElo: number | null;
}

/** Tokens of a call as such benches usually need them; reasoning models may need several times the output. */
const USUAL = {
  direct: { inputTokens: 1_300, outputTokens: 1_500 },
  /** All turns of a slot together: the conversation is sent again with each. */
  pipeline: { inputTokens: 60_000, outputTokens: 4_000 },
  review: { inputTokens: 2_000, outputTokens: 500 },
  verdict: { inputTokens: 4_500, outputTokens: 500 },
  /** One turn of a debate, what was argued before not counted. */
  argument: { inputTokens: 4_000, outputTokens: 400 },
  /** One session of SciΠvot: two plans, and a letter. */
  scipivot: { inputTokens: 500, outputTokens: 200 },
} as const;

/** A typical request of a judge in bytes, for bounds. */
const JUDGE_REQUEST_BYTES = 20_000;
/** A long argument of a debate in bytes, for bounds. */
const ARGUMENT_BYTES = 8_000;
/** A conversation grown by tool answers, in bytes, for bounds. */
const GENERATION_REQUEST_BYTES = { direct: 8_000, pipeline: 250_000 } as const;
const SECONDS = { turn: 20, verdict: 8, pipelineTurns: 7 } as const;
const ASSUMED_SPREAD = 0.6;
/** Of a SciΠvot data set of the release's size, whose plans are some hundred words. */
const SCIPIVOT = { sessions: 2 * 248, requestBytes: 6_000 } as const;

/** Expected from usual calls; worst from the caps and the bounds, whichever bites first. */
export function forecastBench(plan: BenchPlan): Forecast {
  return {
    ...forecastSpending(plan),
    detectableGapElo: gapOf(plan, plan.n, plan.matches),
    assumedSpread: ASSUMED_SPREAD,
  };
}

/** Its money and time alone, which take no time to work out. */
export function forecastSpending(plan: BenchPlan): Omit<Forecast, 'detectableGapElo' | 'assumedSpread'> {
  return {
    ...forecastMoney(plan),
    expectedMinutes: expectedGenerationMinutes(plan) + expectedJudgingMinutes(plan),
    expectedGenerationMinutes: expectedGenerationMinutes(plan),
  };
}

function forecastMoney(plan: BenchPlan): Pick<Forecast, 'candidates' | 'judge' | 'judges' | 'bench'> {
  const candidates = plan.candidates.map((candidate) => forecastCandidate(plan, candidate));
  const judge = forecastJudge(plan);
  const sum = (of: 'expectedUsd' | 'worstUsd'): number =>
    sumUsd([...candidates.map((c) => c[of]), judge[of]]);
  const cap = plan.budgets.benchUsd ?? Number.POSITIVE_INFINITY;
  return {
    candidates,
    judge,
    judges: plan.judges.map((one) => {
      const { expectedUsd, worstUsd } = forecastVerdicts(plan, one);
      return {
        judge: formatModelRef(one),
        expectedUsd: roundUsd(expectedUsd),
        worstUsd: roundUsd(worstUsd),
      };
    }),
    bench: { expectedUsd: Math.min(sum('expectedUsd'), cap), worstUsd: Math.min(sum('worstUsd'), cap) },
  };
}

/**
 * What one more hypothesis with its review, and one more verdict, usually cost: means over candidates and judges. A
 * verdict has the debate before it and its share of the repeats, so that counts times these are the forecast.
 */
export function usualUnitCosts(plan: BenchPlan): UnitCosts {
  const { candidates, judges, reviewer, repeatShare } = plan;
  const review = reviewer ? usualCost(reviewer.price, USUAL.review) : 0;
  return {
    usdPerHypothesis: meanOf(candidates.map(({ price, mode }) => usualCost(price, USUAL[mode])))! + review,
    usdPerVerdict:
      meanOf(judges.map((judge) => forecastVerdict(plan, judge).expectedUsd))! * (1 + repeatShare),
  };
}

/** What the whole plan would cost if no cap cut it short. */
export function uncappedUsd(plan: BenchPlan): number {
  const none = Number.POSITIVE_INFINITY;
  const budgets = { perCandidateUsd: none, judgeUsd: none, benchUsd: null };
  return forecastMoney({ ...plan, budgets }).bench.expectedUsd;
}

function forecastCandidate(plan: BenchPlan, candidate: PlannedCandidate): Forecast['candidates'][number] {
  const cap = plan.budgets.perCandidateUsd;
  const sessions = forecastSessions(plan, candidate);
  const expected =
    slotsPerCandidate(plan) * usualCost(candidate.price, USUAL[candidate.mode]) + sessions.expectedUsd;
  const bound = callBoundUsd(candidate.price, {
    requestBytes: GENERATION_REQUEST_BYTES[candidate.mode],
    maxOutputTokens: plan.generation.maxOutputTokens,
    tokensPerByte: null,
  });
  const turns =
    candidate.mode === 'pipeline' ? plan.generation.maxTurns : Math.min(3, plan.generation.maxTurns);
  return {
    label: candidate.label,
    expectedUsd: roundUsd(Math.min(expected, cap)),
    worstUsd: roundUsd(Math.min(slotsPerCandidate(plan) * turns * bound + sessions.worstUsd, cap)),
  };
}

function forecastSessions(
  { scipivot }: BenchPlan,
  { price }: PlannedModel,
): { expectedUsd: number; worstUsd: number } {
  if (!scipivot) return { expectedUsd: 0, worstUsd: 0 };
  const { sessions, requestBytes } = SCIPIVOT;
  const size = { requestBytes, maxOutputTokens: OUTPUT_CAPS.scipivot, tokensPerByte: null };
  return {
    expectedUsd: sessions * usualCost(price, USUAL.scipivot),
    worstUsd: sessions * callBoundUsd(price, size),
  };
}

function forecastJudge(plan: BenchPlan): Forecast['judge'] {
  const reviews = plan.candidates.length * slotsPerCandidate(plan);
  const cap = plan.budgets.judgeUsd;
  const review = plan.reviewer && {
    expectedUsd: reviews * usualCost(plan.reviewer.price, USUAL.review),
    worstUsd: reviews * judgeBoundUsd(plan.reviewer, JUDGE_REQUEST_BYTES, OUTPUT_CAPS.review),
  };
  const parts = [
    ...(review ? [review] : []),
    ...plan.judges.map((judge) => forecastVerdicts(plan, judge)),
    ...plan.judges.map((judge) => forecastSessions(plan, judge)),
  ];
  const sum = (of: keyof Money): number => roundUsd(Math.min(sumUsd(parts.map((part) => part[of])), cap));
  return { expectedUsd: sum('expectedUsd'), worstUsd: sum('worstUsd') };
}

interface Money {
  expectedUsd: number;
  worstUsd: number;
}

/** All of one judge's verdicts, repeats too. */
function forecastVerdicts(plan: BenchPlan, judge: PlannedModel): Money {
  const planned = plannedVerdicts(plan);
  const verdicts = (planned.verdicts + planned.repeats) / plan.judges.length;
  const { expectedUsd, worstUsd } = forecastVerdict(plan, judge);
  return { expectedUsd: verdicts * expectedUsd, worstUsd: verdicts * worstUsd };
}

/** One verdict with the debate before it: a later call reads what was argued before. */
function forecastVerdict(plan: BenchPlan, judge: PlannedModel): Money {
  const turns = argumentTurns(plan);
  const { price } = judge;
  let expectedUsd = 0;
  let worstUsd = 0;
  for (let turn = 1; turn <= turns + 1; turn++) {
    const isVerdict = turn > turns;
    const usual = isVerdict ? USUAL.verdict : USUAL.argument;
    const read = (turn - 1) * USUAL.argument.outputTokens;
    expectedUsd += usualCost(price, { ...usual, inputTokens: usual.inputTokens + read });
    const bytes = JUDGE_REQUEST_BYTES + (turn - 1) * ARGUMENT_BYTES;
    worstUsd += judgeBoundUsd(judge, bytes, isVerdict ? OUTPUT_CAPS.verdict : OUTPUT_CAPS.argument);
  }
  return { expectedUsd, worstUsd };
}

function judgeBoundUsd({ price }: PlannedModel, requestBytes: number, maxOutputTokens: number): number {
  return callBoundUsd(price, { requestBytes, maxOutputTokens, tokensPerByte: null });
}

function usualCost(price: ModelPrice, tokens: { inputTokens: number; outputTokens: number }): number {
  const unknown = {
    cachedInputTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    reportedCostUsd: null,
  };
  return computeCostUsd(price, { ...unknown, ...tokens }) ?? 0;
}

function expectedGenerationMinutes(plan: BenchPlan): number {
  const hasPipeline = plan.candidates.some(({ mode }) => mode === 'pipeline');
  return (replicatesOf(plan) * SECONDS.turn * (hasPipeline ? SECONDS.pipelineTurns : 1)) / 60;
}

function expectedJudgingMinutes(plan: BenchPlan): number {
  const review = plan.reviewer ? replicatesOf(plan) * SECONDS.verdict : 0;
  const { verdicts, repeats } = plannedVerdicts(plan);
  const asked = plan.candidates.length + plan.judges.length;
  const judging =
    (verdicts + repeats) * (argumentTurns(plan) + 1) + (plan.scipivot ? SCIPIVOT.sessions * asked : 0);
  return (review + Math.ceil(judging / plan.maxInFlight) * SECONDS.verdict) / 60;
}

/** What to expect of a judge of which nothing is known, asked as the plan asks: a panel, or one order, tells more, or less. */
export function usualNoise(plan: BenchPlan): typeof EXPECTED_NOISE {
  const verdictsPerMatch = plannedVerdicts(plan).ordersPerMatch * plan.judges.length;
  return { ...EXPECTED_NOISE, verdictsPerMatch };
}

function gapOf(plan: BenchPlan, n: number, matches: number): number | null {
  const runs = replicatesOf(plan);
  if (matches === 0 || n * runs < 2) return null;
  const candidates = plan.candidates.length;
  const gap = detectableGapElo(
    { candidates, n: n * runs, matches: matches * runs },
    { spread: ASSUMED_SPREAD, ...usualNoise(plan) },
  );
  return Number.isFinite(gap) ? gap : null;
}

/**
 * Other sizes at about the same price, at most a tenth more: fewer hypotheses with more matches, and the other way
 * round.
 */
export function alternativesOf(plan: BenchPlan): Alternative[] {
  const maxUsd = uncappedUsd(plan) * 1.1;
  if (maxUsd === 0) return []; // free models buy any size
  const most = MOST / replicatesOf(plan);
  const sizes = [plan.n + 1, plan.n - 1]
    .filter((n) => n >= 2 && n <= most)
    .map((n) => largestAt(plan, n, maxUsd));
  return sizes.flatMap((size) => size ?? []);
}

/**
 * The size with the smallest detectable gap whose expected price fits the purse.
 * @param maxUsd USD
 * @returns null when not even two hypotheses and one match a pair do
 */
export function fitToPurse(plan: BenchPlan, maxUsd: number): Alternative | null {
  let best: Alternative | null = null;
  for (let n = 2; n <= MOST / replicatesOf(plan); n += 1) {
    const size = largestAt(plan, n, maxUsd);
    if (size === null) break;
    if (best === null || gapOrNone(size) < gapOrNone(best)) best = size;
  }
  return best;
}

/** Of a candidate's hypotheses in all runs, and of matches a pair. */
const MOST = 1000;

/** The most matches that so many hypotheses leave money for: more matches never see less. */
function largestAt(plan: BenchPlan, n: number, maxUsd: number): Alternative | null {
  const priceAt = (matches: number): number => uncappedUsd({ ...plan, n, matches });
  if (priceAt(1) > maxUsd) return null;
  const pairs = (plan.candidates.length * (plan.candidates.length - 1)) / 2;
  let fits = 1;
  let tooMany = Math.min(MOST, Math.floor(MAX_MATCHES_IN_ALL / (pairs * replicatesOf(plan)))) + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (priceAt(middle) <= maxUsd) fits = middle;
    else tooMany = middle;
  }
  return {
    n,
    matches: fits,
    expectedUsd: priceAt(fits),
    detectableGapElo: gapOf(plan, n, fits),
  };
}

function gapOrNone({ detectableGapElo: gap }: Alternative): number {
  return gap ?? Number.POSITIVE_INFINITY;
}
