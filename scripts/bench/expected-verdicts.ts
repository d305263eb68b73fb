import { plannedVerdicts } from '../../core/planned-verdicts';
import type { BenchProgress } from '../../db/progress';

/** What is still expected of the judge: the plan, less the matches that lack a hypothesis. */
export function expectedVerdicts({ plan, matches }: BenchProgress): { matches: number; verdicts: number } {
  const planned = plannedVerdicts(plan);
  const lacking = matches.unplayed.no_hypothesis ?? 0;
  // Once the schedule is written it tells: a night's is another than its plan's round robin.
  const left = (matches.scheduled || planned.matches) - lacking;
  const asked = planned.verdicts + planned.repeats;
  return {
    matches: left,
    verdicts: planned.matches === 0 ? 0 : Math.round((asked / planned.matches) * left),
  };
}
