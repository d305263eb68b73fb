import type { BenchSummary } from '../../core/bench-summary';
import type { CandidateDifference, CandidateRatings } from '../../core/ratings/candidate-ratings';
import type { DifferenceWord } from '../../core/ratings/difference-word';
import type { TooFew } from '../../core/ratings/interval';
import type { OverallDifference } from '../../core/ratings/pipeline-minus-raw';
import type { BenchRatings } from '../../core/ratings/rate-bench';
import type { Proportion } from '../../core/ratings/wilson';
import {
  countText,
  eloText,
  intervalText,
  rangeText,
  roughShareText,
  signedEloText,
  signedIntervalText,
  usdText,
} from '../../core/report/figure-text';
import { DIFFERENCE_WORDS, doesStand } from '../../core/report/rating-words';
import { smallestGapElo } from '../../core/report/smallest-gap';
import { printable } from './printable';

/** What is known of a bench's ratings and what is not, named; a few words each. */
export type RatingFact = readonly [name: string, text: string];

/** Named in full; of more only the count is told, the report has them all. */
const NAMED = 3;

/** Only what a reader needs who has just seen the leaderboard; nothing is said of what is as it should be. */
export function ratingFacts(ratings: BenchRatings): RatingFact[] {
  return [
    ...differenceFacts(ratings.given),
    ...intervalFacts(ratings.given),
    ...asRunFacts(ratings),
    ...pipelineFacts(ratings),
    ...sensitivityFacts(ratings),
    ...missingFacts(ratings),
    ...(ratings.given.settings.isJudgeUninformative
      ? [['uncertainty', 'not to be told by this judge; the next dollar should buy another'] as const]
      : [...firstPlaceFacts(ratings), ...varianceFacts(ratings)]),
  ];
}

function differenceFacts({ differences, settings }: CandidateRatings): RatingFact[] {
  if (differences.length === 0) return [];
  if (settings.isJudgeUninformative) return [['better', 'nothing follows: the judge flips too often']];
  const standing = differences
    .filter(({ word }) => doesStand(word))
    .sort((one, other) => Math.abs(other.elo) - Math.abs(one.elo));
  const named = standing.slice(0, NAMED).map(standingText);
  if (standing.length > NAMED) named.push(`and ${standing.length - NAMED} more`);
  const others = otherWords(differences, settings.marginElo);
  if (named.length === 0) return [['better', `nobody is shown to be: ${others}`]];
  const rest = others === '' ? '' : `; ${others}: they share a letter`;
  return [['better', `${named.join(', ')}; all pairs held at once${rest}`]];
}

function standingText({ a, b, elo, amongPairs }: CandidateDifference): string {
  return `${a} than ${b} by ${eloText(elo)} (${intervalText(amongPairs)})`;
}

/** `27 pairs underpowered, 1 no difference (±50)` */
function otherWords(differences: readonly CandidateDifference[], marginElo: number): string {
  const counts = new Map<DifferenceWord, number>();
  for (const { word } of differences) {
    if (!doesStand(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .map(([word, count], i) => {
      const pairs = i === 0 ? countText(count, 'pair') : String(count);
      if (word === 'too_few') return `${pairs} with too little to tell`;
      return `${pairs} ${DIFFERENCE_WORDS[word]}${word === 'no_difference' ? ` (±${marginElo})` : ''}`;
    })
    .join(', ');
}

/** Why somebody has no interval, and what the win graph had to be helped with. */
function intervalFacts({ candidates, settings }: CandidateRatings): RatingFact[] {
  const facts: RatingFact[] = [];
  for (const [why, text] of WHY_NO_INTERVAL) {
    const without = candidates.filter(({ whyNoInterval }) => whyNoInterval === why);
    if (without.length === 0) continue;
    const isAll = without.length === candidates.length;
    facts.push(['no interval', `${isAll ? '' : `${listed(without.map((c) => c.candidate))}: `}${text}`]);
  }
  if (settings.isDriftLeftOut) {
    facts.push([
      'runs',
      `${settings.runs}: drift between runs is not in the intervals; from five runs it is`,
    ]);
  } else if (settings.runs > 1) {
    facts.push([
      'runs',
      `${settings.runs}: drift between runs is in the intervals, which take runs as clusters`,
    ]);
  }
  if (settings.prior) {
    facts.push([
      'no maximum',
      `some won or lost against all the rest; ${settings.prior.weight} of a tie was given to each, so ask only their intervals how far they are apart`,
    ]);
  }
  return facts;
}

const WHY_NO_INTERVAL: readonly [TooFew, string][] = [
  [
    'one_hypothesis',
    'one hypothesis each does not show how much a candidate’s hypotheses differ; --n 2 or more does',
  ],
  ['few_matches', 'fewer than five played matches'],
  ['no_match', 'no match played'],
  ['not_compared', 'no chain of matches leads to the others'],
];

/** The rating in which a failed slot loses its matches: where it says otherwise, and how many slots came through. */
function asRunFacts({ completion, orderChanges }: BenchRatings): RatingFact[] {
  const slots = completion.map(({ kept }) => kept);
  if (slots.every(({ count, of }) => count === of)) {
    const first = slots[0];
    const isAlike = first !== undefined && slots.every(({ of }) => of === first.of);
    return isAlike
      ? [['as run', `the same: every slot brought a hypothesis (${completionText(first)} each)`]]
      : [];
  }
  const changes = orderChanges.slice(0, NAMED).map(({ first, second }) => `${second} above ${first}`);
  if (orderChanges.length > NAMED) changes.push(`and ${orderChanges.length - NAMED} more`);
  return [
    [
      'as run',
      `with failed slots as lost matches ${changes.length > 0 ? changes.join(', ') : 'the order is the same'}`,
    ],
  ];
}

/** `3/4 (30–95 %)` */
export function completionText({ count, of, interval }: Proportion): string {
  if (interval === null) return `${count}/${of}`;
  return `${count}/${of}, ${(100 * interval.low).toFixed(0)}–${(100 * interval.high).toFixed(0)} %`;
}

function pipelineFacts({ pipelineMinusRaw, sensitivity }: BenchRatings): RatingFact[] {
  if (pipelineMinusRaw?.overall == null) return [];
  const { models, overall } = pipelineMinusRaw;
  const texts = [overallText(overall, models.length)];
  if (models.length > 1) {
    const each = models.map(({ model, elo, word }) => {
      return `${shortName(model)} ${signedEloText(elo)}${doesStand(word) ? ` (${word})` : ''}`;
    });
    texts.push(
      `${each.join(', ')}${models.some(({ word }) => doesStand(word)) ? '' : ', none of them shown'}`,
    );
  }
  const held = sensitivity.pipelineMinusRaw.flatMap(({ after }) => after ?? []);
  if (held.length > 0) {
    texts.push(`with lengths and citation counts held equal ${signedEloText(sumOf(held) / held.length)}`);
  }
  return [['pipe − raw', texts.join('; ')]];
}

function overallText({ elo, interval, word, usd }: OverallDifference, models: number): string {
  const dollars = usd === null ? 'an unknown sum' : `${usd < 0 ? '−' : '+'}${usdText(Math.abs(usd))}`;
  const said =
    interval === null ? 'no interval' : `${signedIntervalText(interval)}, ${DIFFERENCE_WORDS[word]}`;
  const over = models > 1 ? ` over these ${models} models` : '';
  return `${signedEloText(elo)} Elo (${said}) for ${dollars}${over}`;
}

/** Without provider and maker, and without the options of a simulated model. */
function shortName(model: string): string {
  const name = model.slice(Math.max(model.lastIndexOf('/'), model.indexOf(':')) + 1);
  return printable(name.split(',')[0]!);
}

/** From this share of a covariate on that follows from who plays, its effect and theirs are one. */
const INSEPARABLE = 0.95;

/** The ratings' answer to a judge's tastes: what a standard deviation more is worth. */
function sensitivityFacts({ sensitivity }: BenchRatings): RatingFact[] {
  const differing = sensitivity.covariates.filter(({ eloPerSd }) => eloPerSd !== null);
  const isApart = (share: number | null) => (share ?? 0) <= INSEPARABLE;
  const told = differing
    .filter(({ explainedByCandidates }) => isApart(explainedByCandidates))
    .map(({ name, eloPerSd, explainedByCandidates }) => {
      const share = explainedByCandidates ?? 0;
      return `${COVARIATE[name]} ${signedEloText(eloPerSd)} Elo (${roughShareText(share)} of it is who wrote it)`;
    });
  const merged = differing
    .filter(({ explainedByCandidates }) => !isApart(explainedByCandidates))
    .map(({ name }) => COVARIATE[name]);
  const texts = [
    ...(told.length > 0 ? [`per standard deviation: ${told.join(', ')}`] : []),
    ...(merged.length > 0 ? [`${merged.join(' and ')} cannot be told from who wrote it`] : []),
  ];
  return texts.length > 0 ? [['sensitivity', texts.join('; ')]] : [];
}

const COVARIATE = { lengthChars: 'length', citations: 'citations' } as const;

function missingFacts({ missing }: BenchRatings): RatingFact[] {
  const short = missing.candidates.filter((candidate) => candidate.missing > 0);
  if (short.length === 0) return [];
  const moved = short.filter(({ lost, won, rank }) => lost.rank !== rank || won.rank !== rank);
  const matches = sumOf(short.map((candidate) => candidate.missing)) / 2;
  const worth = rangeText(short.map(({ won, lost }) => Math.round(won.rating - lost.rating)));
  const text = `${countText(matches, 'match', 'matches')} without verdict, all won against all lost ${worth} Elo`;
  if (moved.length === 0) return [['missing', `${text}; no rank depends on them`]];
  const ranks = moved
    .slice(0, NAMED)
    .map(({ candidate, lost, won }) => `${candidate} ${won.rank}–${lost.rank}`);
  if (moved.length > NAMED) ranks.push(`and ${moved.length - NAMED} more`);
  return [['missing', `WARNING: ranks depend on it (${ranks.join(', ')}); ${text}`]];
}

/** Whose it may be, and how little it hangs on. */
function firstPlaceFacts({ given, fragility }: BenchRatings): RatingFact[] {
  const chances = given.candidates
    .filter(({ chanceOfBest }) => (chanceOfBest ?? 0) >= LEAST_CHANCE)
    .slice(0, NAMED)
    .map(({ candidate, chanceOfBest }) => `${candidate} ${roughShareText(chanceOfBest!)}`);
  const texts = chances.length > 0 ? [`chance of being the best: ${chances.join(', ')}`] : [];
  if (fragility?.flips != null && fragility.challenger !== null) {
    const { flips, verdicts, challenger } = fragility;
    texts.push(
      `hangs on ${flips} of ${countText(verdicts, 'decisive verdict')}: else ${challenger} is level`,
    );
  }
  return texts.length === 0 ? [] : [['first place', texts.join('; ')]];
}

/** Smaller chances to be the best are not worth a reader's time. */
const LEAST_CHANCE = 0.05;

/** Where the uncertainty came from, what it let be seen, and what to buy next. */
function varianceFacts(ratings: BenchRatings): RatingFact[] {
  const { variances, given } = ratings;
  if (variances === null) return [];
  const { fromHypotheses, fromVerdicts, nextDollar } = variances;
  if (given.differences.every(({ interval }) => interval === null)) {
    return [
      ['uncertainty', 'not to be told at this size; the next dollar should buy hypotheses and matches'],
    ];
  }
  const parts = [`hypotheses ${roughShareText(fromHypotheses)}, verdicts ${roughShareText(fromVerdicts)}`];
  const gap = smallestGapElo(ratings);
  if (gap !== null) parts.push(`could see a gap of ${eloText(gap)} Elo`);
  if (nextDollar !== null) parts.push(`the next dollar should buy ${nextDollar}`);
  return [['uncertainty', parts.join('; ')]];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Whether the rating as run may differ from the headline: some slot brought no hypothesis. */
export function hasFailedSlots({ candidates }: Pick<BenchSummary, 'candidates'>): boolean {
  return candidates.some(({ nHypotheses, nPlanned }) => nHypotheses < nPlanned);
}
