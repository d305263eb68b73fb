import type { BenchPlan } from '../bench-plan';
import type { JudgeConduct } from '../ratings/judge-conduct';
import { countText, kappaText, proportionText, pValueText, shareText } from './figure-text';

/** How was judged where it was not the usual way, and what the judges' verdicts say of them. Plain text. */
export function judgeNotes(plan: BenchPlan, { orders, agreements }: JudgeConduct): string[] {
  return [
    ...modeNotes(plan),
    ...orders.flatMap(({ judge, oneOrder, repeatDisagreement, isUninformative, flips }) => [
      ...(oneOrder?.pValue == null
        ? []
        : [
            `${judge} named the text shown first in ${oneOrder.first.count} of ${oneOrder.first.of} decisive verdicts (exact binomial ${pValueText(oneOrder.pValue)}).`,
          ]),
      ...(repeatDisagreement.of === 0
        ? []
        : [
            `Asked again in the same order, ${judge} said otherwise in ${repeatDisagreement.count} of ${countText(repeatDisagreement.of, 'verdict')} (${shareText(repeatDisagreement.share, repeatDisagreement.of)}): that is noise${plan.orders === 'both' ? ', which its flips hold too' : ''}.`,
          ]),
      ...(isUninformative
        ? [
            `${judge} is an uninformative judge: it flipped in ${proportionText(flips)} of its matches, so nothing follows from its verdicts.`,
          ]
        : []),
    ]),
    ...agreements.map(
      ({ judges: [one, other], agreed, kappa }) =>
        `${one} and ${other} agree in ${agreed.count} of ${countText(agreed.of, 'match', 'matches')}${kappa === null ? '' : ` (Cohen’s κ ${kappaText(kappa)})`}.`,
    ),
  ];
}

function modeNotes({ orders, verdictMode, debateTurns, judgeView }: BenchPlan): string[] {
  return [
    ...(verdictMode === 'debate'
      ? [
          `Verdict mode debate: before each verdict the judge’s model argued ${countText(debateTurns, 'turn')} for either side.`,
        ]
      : []),
    ...(judgeView === 'text'
      ? ['The judge’s view was the text alone: neither citations nor reviews were shown.']
      : []),
    ...(orders === 'balanced'
      ? [
          'Each judge was shown each match in one order, alternating within a pair: there are no flips to count, so noise and an uninformative judge cannot be told.',
        ]
      : []),
  ];
}
