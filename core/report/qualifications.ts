import type { BenchRatings } from '../ratings/rate-bench';
import type { BenchReport } from './bench-report';
import { countText, eloText, roughShareText, signedEloText } from './figure-text';
import { flagText } from './flag-text';
import { judgeNotes } from './judge-notes';
import { DIFFERENCE_WORDS, doesStand } from './rating-words';
import { smallestGapElo } from './smallest-gap';

/** How many differences stand, and what is to be said of the others: `1 stands, 27 underpowered`. */
export function differenceCounts({ ratings }: BenchReport): string {
  const differences = ratings?.given.differences ?? [];
  const standing = differences.filter(({ word }) => doesStand(word)).length;
  const others = new Map<string, number>();
  for (const { word } of differences) {
    if (!doesStand(word)) others.set(DIFFERENCE_WORDS[word], (others.get(DIFFERENCE_WORDS[word]) ?? 0) + 1);
  }
  const parts = [...others].map(([word, count]) => `${count} ${word}`);
  return [countText(standing, 'stands', 'stand'), ...parts].join(', ');
}

/** What a reader should know before believing the ratings, or a night's verdicts, a sentence each. Plain text. */
export function qualificationsOf({ ratings, plan, conduct }: BenchReport): string[] {
  return [
    ...(ratings === null ? [] : ratingNotes(ratings)),
    ...judgeNotes(plan, conduct),
    ...conduct.flags.map(flagText),
  ];
}

function ratingNotes(ratings: BenchRatings): string[] {
  const { given, variances, fragility, orderChanges, missing, sensitivity } = ratings;
  const sentences: string[] = [];
  if (given.settings.prior) {
    sentences.push(
      `Not every candidate won and lost against the rest, so no finite maximum exists: a virtual tie of weight ${given.settings.prior.weight} was added to each.`,
    );
  }
  if (given.settings.runs > 1) {
    sentences.push(
      given.settings.isDriftLeftOut
        ? `Its ${given.settings.runs} runs are too few to see drift between runs: it is not in the intervals (from five runs on it is).`
        : `With ${given.settings.runs} runs, drift between runs is in the intervals: the run is their outer cluster.`,
    );
  }
  const gap = smallestGapElo(ratings);
  if (variances && gap !== null) {
    sentences.push(
      `The smallest gap that such a bench calls better in 80 % of cases is ${eloText(gap)} Elo; ${roughShareText(variances.fromHypotheses)} of the uncertainty comes from differences between a candidate’s hypotheses, the rest from verdicts.`,
    );
  }
  if (fragility?.flips && fragility.challenger) {
    sentences.push(
      `${fragility.flips} of ${fragility.verdicts} decisive verdicts, named the other way, would put ${fragility.challenger} level with ${fragility.leader}.`,
    );
  }
  for (const { first, second } of orderChanges) {
    sentences.push(`With failed slots counted as lost matches, ${second} would stand above ${first}.`);
  }
  if (missing.doesRankingDepend) sentences.push('The ranking depends on verdicts that are missing.');
  for (const { name, eloPerSd, explainedByCandidates } of sensitivity.covariates) {
    if (eloPerSd === null) continue;
    const what = name === 'lengthChars' ? 'length' : 'number of citations';
    sentences.push(
      `A standard deviation more in ${what} goes with ${signedEloText(eloPerSd)} Elo${explainedByCandidates === null ? '' : ` (${roughShareText(explainedByCandidates)} of it is who wrote it)`}.`,
    );
  }
  return sentences;
}
