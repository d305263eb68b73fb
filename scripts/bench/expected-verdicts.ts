import { plannedVerdicts } from '../../core/planned-verdicts';
import type { BenchProgress } from '../../db/progress';

/**
 * What is still expected of the judge: the plan, less the matches that lack a hypothesis or a candidate. A dropped
 * candidate's match may have verdicts that came before the drop, or were out at that moment: those there are count.
 */
export function expectedVerdicts(progress: BenchProgress): { matches: number; verdicts: number } {
  const planned = plannedVerdicts(progress.plan);
  const left = matchesLeft(progress);
  const asked = planned.verdicts + planned.repeats;
  const perMatch = planned.matches === 0 ? 0 : asked / planned.matches;
  return {
    matches: left,
    verdicts: Math.round(perMatch * left) + (progress.judge.verdictsOfDropped ?? 0),
  };
}

/** Once the schedule is written it tells: a night's is another than its plan's round robin. */
function matchesLeft({ plan, candidates, matches }: BenchProgress): number {
  const { scheduled, unplayed } = matches;
  if (scheduled > 0) return scheduled - (unplayed.no_hypothesis ?? 0) - (unplayed.dropped ?? 0);
  const dropped = new Set(candidates.filter(({ state }) => state === 'dropped').map(({ label }) => label));
  const left = plan.candidates.filter(({ label }) => !dropped.has(label));
  return plannedVerdicts({ ...plan, candidates: left }).matches;
}
