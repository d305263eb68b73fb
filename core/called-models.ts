import type { BenchPlan, PlannedModel } from './bench-plan';

/**
 * The models that a bench will call: a judge with no match to judge and no SciΠvot to answer is named for nothing,
 * and neither its key nor a probe is asked for.
 */
export function calledModels(plan: BenchPlan): PlannedModel[] {
  const { candidates, judges, reviewer, matches, n, scipivot } = plan;
  // Plans written before there was SciΠvot do not have the field.
  const areJudgesAsked = matches > 0 || Boolean(scipivot);
  return [...candidates, ...(areJudgesAsked ? judges : []), ...(reviewer && n > 0 ? [reviewer] : [])];
}
