import type { RubricTally } from '../../core/evaluation/rubric';
import { printable } from '../bench/printable';

/** What is known of a bench's scores by judges. */
export type RubricResult =
  | { state: 'not_asked'; reason: string }
  | { state: 'scored'; tallies: RubricTally[]; overBudget: number; notes: string[] };

/** Said where nobody has scored anything. */
export const NOT_ASKED = 'no judge has scored this work: --bench <id> --judge provider:model asks one';

/** Said where scores of several benches lie side by side. */
export const SEVERAL = 'several benches here are scored, each for itself: --bench <id> shows one';

export function rubricLines(result: RubricResult): string[] {
  if (result.state === 'not_asked') return [`rubric: ${result.reason}`];
  const { tallies, overBudget, notes } = result;
  return [
    'rubric, 1 (poor) to 5 (excellent), weighted over the criteria that were scored:',
    ...tallies.flatMap((tally) => [headline(tally), `           ${criteriaText(tally)}`]),
    ...(overBudget > 0 ? [`  ${overBudget} were left when the cap was reached (--max-usd)`] : []),
    ...notes.map((note) => `  note: ${printable(note)}`),
  ];
}

function headline({ agent, judge, version, scored, mean, least, greatest, unscored }: RubricTally): string {
  const total = scored + unscored.reduce((sum, { count }) => sum + count, 0);
  const figure =
    mean === null
      ? 'no score'
      : `${mean.toFixed(2)} (least ${(least ?? mean).toFixed(2)}, greatest ${(greatest ?? mean).toFixed(2)})`;
  const missing = unscored.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  const left = missing ? `; not scored: ${missing}` : '';
  return `  ${agent.padEnd(11)} ${figure}, ${scored} of ${total} scored by ${printable(judge)}, rubric ${version}${left}`;
}

function criteriaText({ criteria, scored }: RubricTally): string {
  return criteria
    .map(({ name, mean, scored: n }) => {
      const of = n < scored ? ` (${n})` : '';
      return `${name} ${mean === null ? '–' : mean.toFixed(2)}${of}`;
    })
    .join(', ');
}
