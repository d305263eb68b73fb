import type { BenchPlan } from '../bench-plan';
import { LEAST_PLAYED } from '../nightly/night-scores';
import { countText } from './figure-text';
import type { NightDesign } from './night-design';

/** What a night lets meet: no candidate another, but each the panel, and the panel's texts each other. */
export function nightScheduleSentence(
  { matches }: Pick<BenchPlan, 'matches'>,
  { pinned, opponents, fresh, anchors }: NightDesign,
): string {
  const panel = `a frozen panel, ${opponents === 1 ? 'one hypothesis' : `the same ${opponents} hypotheses`} of ${pinned.join(' and ')} every night`;
  const again =
    anchors === 0
      ? 'No match within the panel was judged again, so a change of the judge cannot be told from one of a candidate.'
      : `Before these, ${countText(anchors, 'match', 'matches')} within the panel, whose texts never change, ${anchors === 1 ? 'was' : 'were'} judged again: what changes in them is the judge.`;
  return `This is one night of a nightly comparison: no candidate met another. The fresh hypotheses of each were scheduled, in turn, against ${panel}: each opponent in ${countText(matches, 'match', 'matches')} a candidate (${fresh} in all), by the same schedule every night. ${again}`;
}

/** What comes of a night in place of ratings. */
export const NIGHT_SCORE_SENTENCE = `A candidate’s score of the night is the mean score of its matches against the panel (1 won, ½ tied, 0 lost, between where orders or judges differ), left out where fewer than ${100 * LEAST_PLAYED} % of them were played; whether it has changed is told by its nightly, from the place of this score among those of all nights (e-values, valid at any time).`;
