import type { BenchPlan } from '../core/bench-plan';
import { findGoldSet } from '../presets';
import type { WithheldPaper } from './literature/source';
import { withheldPapersOf } from './literature/withheld';

/** The papers a bench's answer key was taken from, to be held back from its candidates unless it allows them. */
export function findWithheldPapers({ goldSet, goldSources }: BenchPlan): WithheldPaper[] {
  return goldSet === null || goldSources === 'allow' ? [] : withheldPapersOf(findGoldSet(goldSet).source);
}
