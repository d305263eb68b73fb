import { byStrength, sharedRanks, type VirtualTies } from './bradley-terry';
import {
  type CandidateFit,
  contrastOf,
  differenceWeights,
  fitCandidates,
  isDriftLeftOut,
  strengthWeights,
} from './candidate-fit';
import { chanceOfBest } from './chance-of-best';
import { compactLetters } from './compact-letters';
import { DEFAULT_MARGIN_ELO, type DifferenceWord, differenceWord } from './difference-word';
import { eloFromLogit, MEAN_RATING, ratingFromLogit } from './elo-scale';
import {
  CONFIDENCE,
  type Interval,
  intervalAmongPairs,
  singleInterval,
  type TooFew,
  whyNoInterval,
} from './interval';
import { rankIntervals } from './rank-intervals';
import type { RatedMatch } from './rated-match';

/** Bradley–Terry ratings of candidates, with what is known and not known of them. Everything in Elo points. */
export interface CandidateRatings {
  settings: RatingSettings;
  /** By rank; those without a played match last, by name. */
  candidates: CandidateRating[];
  /** Every pair of rated candidates, the better-ranked first. */
  differences: CandidateDifference[];
}

export interface RatingSettings {
  method: 'bt';
  /** Mean rating of the rated candidates. */
  mean: number;
  confidence: number;
  /** Differences up to this count as none. */
  marginElo: number;
  seed: number;
  /** Draws behind `chanceOfBest`. */
  draws: number;
  /** The win graph is strongly connected: the ratings are the exact maximum of the likelihood. */
  isConnected: boolean;
  components: number;
  /** What was added because it is not; null otherwise. */
  prior: VirtualTies | null;
  /** Distance from the maximum, in points scored. */
  gradient: number;
  runs: number;
  /** Two to four replicates: drift between runs is not in the intervals. */
  isDriftLeftOut: boolean;
  isJudgeUninformative: boolean;
}

export interface CandidateRating {
  candidate: string;
  /** From 1; equal ratings share a rank; null without a played match. */
  rank: number | null;
  rating: number | null;
  /** 95 %, for this candidate looked at alone; null when there are too few to tell. */
  interval: Interval | null;
  whyNoInterval: TooFew | null;
  /** From simultaneous differences; null without a played match. */
  rankLow: number | null;
  rankHigh: number | null;
  /** Candidates that share a letter are not shown to differ. */
  letters: string;
  /** null where intervals are not shown. */
  chanceOfBest: number | null;
  matches: number;
  /** Hypotheses with a played match. */
  hypotheses: number;
}

export interface CandidateDifference {
  a: string;
  b: string;
  /** A − B. */
  elo: number;
  /** 95 %, for this difference looked at alone. */
  interval: Interval | null;
  /** All of the bench's differences hold at once in 95 % of benches: the one that words are taken from. */
  amongPairs: Interval | null;
  word: DifferenceWord;
}

export interface RatingOptions {
  /** All candidates of the bench, also those that played nothing. Default: those in the matches. */
  candidates?: readonly string[];
  seed: number;
  draws?: number;
  marginElo?: number;
  prior?: VirtualTies;
  /** True when the judge flips too often to be believed (judge-orders.ts): no word but that. */
  isJudgeUninformative?: boolean;
}

const DEFAULT_DRAWS = 10_000;

/**
 * Ratings (mean 1000), intervals, ranks and pairwise differences of a bench's candidates, in Elo points. Unplayed matches
 * are left out; candidates without a played one come last, unrated.
 * @throws RangeError when a hypothesis stands under two candidates, or a candidate plays itself
 */
export function rateCandidates(matches: readonly RatedMatch[], options: RatingOptions): CandidateRatings {
  return ratingsOfFit(
    fitCandidates(matches, options.prior ? { prior: options.prior } : {}),
    matches,
    options,
  );
}

/** The same from a fit at hand. */
export function ratingsOfFit(
  fit: CandidateFit,
  matches: readonly RatedMatch[],
  options: RatingOptions,
): CandidateRatings {
  const settings = settingsOf(fit, options);
  const ranking = byStrength(fit.bradleyTerry);
  const differences = allDifferences(fit, ranking, settings);
  return {
    settings,
    candidates: [...rated(fit, ranking, differences, settings), ...unrated(fit, matches, options.candidates)],
    differences: differences.list,
  };
}

function settingsOf(fit: CandidateFit, options: RatingOptions): RatingSettings {
  const { isConnected, components, prior, gradient } = fit.bradleyTerry;
  return {
    method: 'bt',
    mean: MEAN_RATING,
    confidence: CONFIDENCE,
    marginElo: options.marginElo ?? DEFAULT_MARGIN_ELO,
    seed: options.seed,
    draws: options.draws ?? DEFAULT_DRAWS,
    isConnected,
    components,
    prior,
    gradient,
    runs: fit.design.runs.length,
    isDriftLeftOut: isDriftLeftOut(fit),
    isJudgeUninformative: options.isJudgeUninformative ?? false,
  };
}

interface Differences {
  list: CandidateDifference[];
  /** By places in the ranking: whether the first is surely better. */
  isBetter: (first: number, second: number) => boolean;
}

function allDifferences(fit: CandidateFit, ranking: number[], settings: RatingSettings): Differences {
  const size = ranking.length;
  const list: CandidateDifference[] = [];
  const surely = new Set<number>();
  for (let first = 0; first < size; first++) {
    for (let second = first + 1; second < size; second++) {
      const difference = differenceOf(fit, ranking[first]!, ranking[second]!, settings);
      list.push(difference);
      if (difference.word === 'better') surely.add(first * size + second);
      if (difference.word === 'worse') surely.add(second * size + first);
    }
  }
  return { list, isBetter: (first, second) => surely.has(first * size + second) };
}

function differenceOf(
  fit: CandidateFit,
  a: number,
  b: number,
  settings: RatingSettings,
): CandidateDifference {
  const size = fit.design.candidates.length;
  const contrast = contrastOf(fit, differenceWeights(size, a, b));
  const isShown = whyNoInterval(fit, a) === null && whyNoInterval(fit, b) === null;
  const amongPairs = isShown ? inElo(intervalAmongPairs(contrast, size)) : null;
  return {
    a: fit.design.candidates[a]!,
    b: fit.design.candidates[b]!,
    elo: eloFromLogit(contrast.estimate),
    interval: isShown ? inElo(singleInterval(contrast)) : null,
    amongPairs,
    word: settings.isJudgeUninformative
      ? 'uninformative_judge'
      : differenceWord(amongPairs, settings.marginElo),
  };
}

function rated(
  fit: CandidateFit,
  ranking: number[],
  differences: Differences,
  settings: RatingSettings,
): CandidateRating[] {
  const size = ranking.length;
  const ranks = rankIntervals(size, differences.isBetter);
  const letters = compactLetters(size, (i, j) => differences.isBetter(i, j) || differences.isBetter(j, i));
  const places = sharedRanks(fit.bradleyTerry);
  const allShown = ranking.every((candidate) => whyNoInterval(fit, candidate) === null);
  const chances = allShown && size > 1 ? chanceOfBest(fit, settings.draws, settings.seed) : null;
  return ranking.map((candidate, place) => {
    const contrast = contrastOf(fit, strengthWeights(size, candidate));
    const reason = whyNoInterval(fit, candidate);
    return {
      candidate: fit.design.candidates[candidate]!,
      rank: places[candidate]!,
      rating: ratingFromLogit(contrast.estimate),
      interval: reason === null ? inElo(singleInterval(contrast), MEAN_RATING) : null,
      whyNoInterval: reason,
      ...ranks[place]!,
      letters: letters[place]!,
      chanceOfBest: chances?.[candidate] ?? null,
      matches: fit.design.matchCount[candidate]!,
      hypotheses: fit.design.hypothesisCount[candidate]!,
    };
  });
}

function unrated(
  fit: CandidateFit,
  matches: readonly RatedMatch[],
  candidates: readonly string[] | undefined,
): CandidateRating[] {
  const all = new Set(candidates ?? matches.flatMap(({ candA, candB }) => [candA, candB]));
  for (const candidate of fit.design.candidates) all.delete(candidate);
  return [...all].sort().map((candidate) => ({
    candidate,
    rank: null,
    rating: null,
    interval: null,
    whyNoInterval: 'no_match',
    rankLow: null,
    rankHigh: null,
    letters: '',
    chanceOfBest: null,
    matches: 0,
    hypotheses: 0,
  }));
}

function inElo(interval: Interval, mean = 0): Interval {
  return { low: mean + eloFromLogit(interval.low), high: mean + eloFromLogit(interval.high) };
}
