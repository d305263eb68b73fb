import type { DifferenceWord } from '../ratings/difference-word';
import type { TooFew } from '../ratings/interval';

/** What may be said of a difference, as reports write it. */
export const DIFFERENCE_WORDS: Readonly<Record<DifferenceWord, string>> = {
  better: 'better',
  worse: 'worse',
  no_difference: 'no difference',
  underpowered: 'underpowered',
  too_few: 'too few',
  uninformative_judge: 'judge says nothing',
};

/** Why there is no interval. */
export const TOO_FEW: Readonly<Record<TooFew, string>> = {
  one_hypothesis: 'one hypothesis played: how much its hypotheses differ cannot be seen',
  few_matches: 'fewer than five played matches',
  no_match: 'no played match',
  not_compared: 'no chain of matches leads to the others',
};

/** Words that say that a difference was shown. */
export function doesStand(word: DifferenceWord): boolean {
  return word === 'better' || word === 'worse';
}
