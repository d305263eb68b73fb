import type { EvalAgent } from '../evaluation/eval-check';
import { rubricScope } from '../ids';
import { formatModelRef } from '../model-ref';
import { sumUsd } from '../prices';
import { chargeDifferences } from './charge-differences';
import { type Difference, differingFigures } from './difference';
import type { RecordedBench, RecordedCall } from './recorded-bench';

/**
 * Rubric scores against the bench and the calls they come from: each of a piece of work that there is, by a call to its
 * judge; calls against their own sums, and the budget against theirs. What the answers say is not looked at here.
 * @param calls for scores, all of them
 */
export function checkRubric(record: RecordedBench, calls: readonly RecordedCall[]): Difference[] {
  const { benchId } = record.run;
  if (record.rubric === null) {
    return calls.map(({ key }) => ({ subject: key, field: 'rubric', stored: 'none', recomputed: 'a call' }));
  }
  const { budget, scores } = record.rubric;
  const work = workOf(record);
  const models = new Map(calls.map((call) => [call.key, formatModelRef(call)]));
  return [
    ...differingFigures('rubric budget', {
      heldUsd: [budget.heldUsd, sumUsd(calls.map(({ chargedUsd }) => chargedUsd))],
    }),
    ...scores.flatMap(({ agent, version, subject, judge, callKey }) =>
      differingFigures(`rubric ${agent} ${version} of ${subject} by ${judge}`, {
        judge: [judge, models.get(callKey) ?? 'nobody was called'],
        subject: [subject, work[agent].has(subject) ? subject : 'no such work'],
      }),
    ),
    ...calls.flatMap((call) => [
      ...chargeDifferences(call),
      ...differingFigures(`${call.key}#${call.attempt}`, {
        kind: [call.kind, 'rubric'],
        scopeIds: [call.scopeIds, [rubricScope(benchId)]],
      }),
    ]),
  ];
}

/** Ids of what there is to score. */
function workOf({ run, hypotheses, matches }: RecordedBench): Record<EvalAgent, Set<string>> {
  return {
    generation: new Set(hypotheses.filter(({ record }) => record !== null).map(({ id }) => id)),
    reflection: new Set(hypotheses.filter(({ review }) => review !== null).map(({ id }) => id)),
    ranking: new Set(matches.map(({ id }) => id)),
    overview: new Set([run.benchId]),
  };
}
