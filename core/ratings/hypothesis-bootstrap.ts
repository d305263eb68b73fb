import { linearPercentile } from '../percentile';
import { randomFrom } from '../random';
import { DEFAULT_PRIOR, fitBradleyTerry, type VirtualTies } from './bradley-terry';
import { ratingFromLogit } from './elo-scale';
import type { Interval } from './interval';
import { type MatchDesign, matchDesign } from './match-design';
import type { PairCounts } from './pair-counts';
import type { RatedMatch } from './rated-match';

/**
 * Percentile intervals of candidates' ratings from resampled hypotheses: each candidate's are drawn with
 * replacement, and a match counts as often as both of its sides were drawn, so both orders, all repeats and all
 * judges of a hypothesis stay together. Shown beside the headline intervals, which hold better with few
 * hypotheses (docs/decisions/0011).
 */
export interface HypothesisBootstrap {
  seed: number;
  resamples: number;
  /** Resamples whose win graph was not strongly connected: rated with the prior. */
  withPrior: number;
  prior: VirtualTies;
  /** By name; ratings of mean 1000, linear quantiles at 2.5 and 97.5 %. */
  candidates: { candidate: string; interval: Interval }[];
}

/** @param resamples of the hypotheses, 1 or more */
export function bootstrapHypotheses(
  matches: readonly RatedMatch[],
  { resamples, seed }: { resamples: number; seed: number },
): HypothesisBootstrap {
  const design = matchDesign(matches);
  const random = randomFrom(seed, 'hypothesis bootstrap');
  const size = design.candidates.length;
  const ownHypotheses = design.candidates.map((_, c) =>
    Array.from(design.candidateOf.keys()).filter((h) => design.candidateOf[h] === c),
  );
  const ratings = design.candidates.map(() => new Float64Array(resamples));
  const drawn = new Float64Array(design.hypotheses.length);
  let withPrior = 0;
  for (let k = 0; k < resamples; k++) {
    drawn.fill(0);
    for (const own of ownHypotheses) {
      for (let draw = 0; draw < own.length; draw++) drawn[own[random.integers(0, own.length)]!]! += 1;
    }
    const fit = fitBradleyTerry(weightedPairs(design, drawn));
    if (!fit.isConnected) withPrior += 1;
    for (let c = 0; c < size; c++) ratings[c]![k] = ratingFromLogit(fit.theta[c]!);
  }
  return {
    seed,
    resamples,
    withPrior,
    prior: DEFAULT_PRIOR,
    candidates: design.candidates.map((candidate, c) => {
      const sorted = ratings[c]!.sort();
      return {
        candidate,
        interval: { low: linearPercentile(sorted, 2.5), high: linearPercentile(sorted, 97.5) },
      };
    }),
  };
}

/** The pairs' games and scores, each match as often as its two hypotheses were drawn together. */
function weightedPairs(design: MatchDesign, drawn: Float64Array): PairCounts {
  const size = design.candidates.length;
  const games = new Float64Array(size * size);
  const scores = new Float64Array(size * size);
  for (const { a, b, hypA, hypB, scoreA } of design.matches) {
    const times = drawn[hypA]! * drawn[hypB]!;
    if (times === 0) continue;
    const cell = a < b ? a * size + b : b * size + a;
    games[cell]! += times;
    scores[cell]! += times * (a < b ? scoreA : 1 - scoreA);
  }
  const cells = Array.from(games.keys()).filter((cell) => games[cell]! > 0);
  return {
    items: design.candidates,
    low: Int32Array.from(cells, (cell) => Math.floor(cell / size)),
    high: Int32Array.from(cells, (cell) => cell % size),
    games: Float64Array.from(cells, (cell) => games[cell]!),
    scoreLow: Float64Array.from(cells, (cell) => scores[cell]!),
  };
}
