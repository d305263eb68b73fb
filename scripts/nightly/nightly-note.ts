import { planInput } from '../../activities/plan-input';
import type { Nightly } from '../../db/nightlies';
import { simulationNote } from '../bench/describe-plan';

/** `simulated` or `simulated in part`, dollars included; null where its models are real, or it cannot be planned now. */
export function nightlyNote({ input }: Pick<Nightly, 'input'>): string | null {
  const planned = planInput(input);
  return 'plan' in planned ? simulationNote(planned.plan) : null;
}
