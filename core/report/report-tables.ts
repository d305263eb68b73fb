import type { CandidateRating } from '../ratings/candidate-ratings';
import type { Interval } from '../ratings/interval';
import type { JudgeOrders } from '../ratings/judge-orders';
import type { ModelDifference } from '../ratings/pipeline-minus-raw';
import type { BenchReport } from './bench-report';
import type { CandidateReport } from './candidate-report';
import {
  costText,
  countsText,
  durationText,
  eloText,
  intervalText,
  NONE,
  pValueText,
  rankText,
  shareWithIntervalText,
  signedEloText,
  signedIntervalText,
  tokensText,
  usdText,
} from './figure-text';
import { type GoldRescore, type GoldScore, recallText } from './gold-rescore';
import { DIFFERENCE_WORDS, doesStand, TOO_FEW } from './rating-words';
import { figures, givenWords, type ReportColumn, words } from './report-column';

/** A candidate beside its rating; undefined where nothing is rated. */
export interface Standing {
  candidate: CandidateReport;
  rating: CandidateRating | undefined;
}

/** The rows of the leaderboard, in the report's order. */
export function standingsOf({ candidates, ratings }: BenchReport): Standing[] {
  const byLabel = new Map(ratings?.given.candidates.map((rating) => [rating.candidate, rating]));
  return candidates.map((candidate) => ({ candidate, rating: byLabel.get(candidate.label) }));
}

export const RANK_COLUMN = figures<Standing>('#', ({ rating }) => String(rating?.rank ?? NONE));

export const CANDIDATE_COLUMNS: readonly ReportColumn<Standing>[] = [
  givenWords('candidate', ({ candidate }) => candidate.label),
  words('mode', ({ candidate }) => candidate.mode),
];

/** Ratings in Elo points, ranks from 1; gold as `hits/size` of the bench's own set, where it has one. */
export function standingColumns({ plan, rescores }: BenchReport): ReportColumn<Standing>[] {
  const size = rescores.find(({ isRuntime }) => isRuntime)?.size ?? null;
  const gold = figures<Standing>('gold', ({ candidate: { goldHits } }) => {
    if (goldHits === null) return 'not scored';
    return size === null ? String(goldHits) : `${goldHits}/${size}`;
  });
  return [
    figures('rating', ({ rating }) => eloText(rating?.rating ?? null)),
    words('95 % interval', ({ rating }) =>
      rating?.whyNoInterval
        ? `no interval: ${TOO_FEW[rating.whyNoInterval]}`
        : intervalText(rating?.interval ?? null),
    ),
    words('rank', ({ rating }) => rankText(rating?.rankLow ?? null, rating?.rankHigh ?? null)),
    words('letters', ({ rating }) => rating?.letters || NONE),
    figures('W-L-T', ({ candidate: { wins, losses, ties } }) => `${wins}-${losses}-${ties}`),
    figures('mean Elo', ({ candidate }) => eloText(candidate.meanElo)),
    ...(plan.goldSet === null ? [] : [gold]),
    figures('hypotheses', ({ candidate: { nHypotheses, nPlanned } }) => `${nHypotheses}/${nPlanned}`),
    words('failures', ({ candidate }) => countsText(candidate.failures)),
  ];
}

/** What each candidate cost and how long its model took to answer. */
export function spendingColumns({ isSimulated }: BenchReport): ReportColumn<CandidateReport>[] {
  return [
    givenWords('candidate', ({ label }) => label),
    givenWords('model', ({ provider, model }) => `${provider}:${model}`),
    figures(isSimulated ? 'simulated $' : 'cost', costText),
    figures('tokens in', ({ inputTokens }) => tokensText(inputTokens)),
    figures('out', ({ outputTokens }) => tokensText(outputTokens)),
    figures('of these reasoning', ({ reasoningTokens }) => tokensText(reasoningTokens)),
    words('thinking', ({ thinking }) => String(thinking)),
    figures('latency p50', ({ latency }) => (latency ? durationText(latency.p50Ms) : NONE)),
    figures('p95', ({ latency }) => (latency ? durationText(latency.p95Ms) : NONE)),
    words('calls without an answer', ({ unansweredCalls }) => countsText(unansweredCalls)),
  ];
}

/** A difference between two candidates that was shown, the better one first. */
export interface ShownDifference {
  better: string;
  worse: string;
  /** By how much, in Elo points; above zero. */
  elo: number;
  /** Holds at once with those of all other pairs. */
  amongPairs: Interval | null;
}

export function shownDifferences({ ratings }: BenchReport): ShownDifference[] {
  const differences = ratings?.given.differences ?? [];
  return differences
    .filter(({ word }) => doesStand(word))
    .map(({ a, b, elo: signed, amongPairs, word }) => {
      const elo = Math.abs(signed);
      if (word === 'better') return { better: a, worse: b, elo, amongPairs };
      const turned = amongPairs && { low: -amongPairs.high, high: -amongPairs.low };
      return { better: b, worse: a, elo, amongPairs: turned };
    });
}

export const DIFFERENCE_COLUMNS: readonly ReportColumn<ShownDifference>[] = [
  givenWords('better', ({ better }) => better),
  givenWords('than', ({ worse }) => worse),
  figures('by (Elo)', ({ elo }) => eloText(elo)),
  words('95 %, all at once', ({ amongPairs }) => intervalText(amongPairs)),
];

/** What the pipeline adds to each model, and to their mean where there are several. */
export function pipelineRows({ ratings }: BenchReport): ModelDifference[] {
  const { models = [], overall = null } = ratings?.pipelineMinusRaw ?? {};
  return overall && models.length > 1
    ? [...models, { ...overall, model: 'mean of these models' }]
    : [...models];
}

export const PIPELINE_COLUMNS: readonly ReportColumn<ModelDifference>[] = [
  givenWords('model', ({ model }) => model),
  figures('Elo', ({ elo }) => signedEloText(elo)),
  words('95 %, all at once', ({ interval }) => signedIntervalText(interval)),
  words('verdict', ({ word }) => DIFFERENCE_WORDS[word]),
  figures('extra cost', ({ usd }) => (usd === null ? NONE : usdText(usd))),
];

/** Shares are of the judge's matches in both orders. */
export const JUDGE_COLUMNS: readonly ReportColumn<JudgeOrders>[] = [
  givenWords('judge', ({ judge }) => judge),
  figures('matches in both orders', ({ matches }) => String(matches)),
  figures('agreed (95 %)', ({ agreed }) => shareWithIntervalText(agreed)),
  figures('half flips (95 %)', ({ halfFlips }) => shareWithIntervalText(halfFlips)),
  figures('flips (95 %)', ({ flips }) => shareWithIntervalText(flips)),
  figures('flips to the first', ({ positionBias }) => String(positionBias.firstFirst)),
  figures('to the second', ({ positionBias }) => String(positionBias.secondSecond)),
  figures('bias, exact binomial', ({ positionBias: { pValue } }) =>
    pValue === null ? NONE : pValueText(pValue),
  ),
];

/** Recall: entities of the set that any of the candidate's hypotheses names. */
export function goldColumns({ size }: GoldRescore): ReportColumn<GoldScore>[] {
  return [
    givenWords('candidate', ({ label }) => label),
    figures('recall', (score) => recallText(score, size)),
    givenWords('named', ({ named }) => named.join(', ') || NONE),
    givenWords('of these proposed', ({ proposed }) => proposed.join(', ') || NONE),
    figures('hypotheses that hit', ({ hitting, hypotheses }) => `${hitting}/${hypotheses}`),
  ];
}
