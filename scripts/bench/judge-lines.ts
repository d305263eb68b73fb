import type { BenchSummary, JudgeSummary } from '../../core/bench-summary';
import { costText, countText, kappaText, pValueText, shareText } from '../../core/report/figure-text';
import { flagText } from '../../core/report/flag-text';
import { isConductUnkept } from '../../core/unkept-conduct';
import { printable } from './printable';
import { formatCounts } from './progress-view';

/** How the matches were judged, and what speaks against believing it. */
export function judgeLines(summary: BenchSummary): string[] {
  const { judge, matches } = summary;
  if (judge.verdicts === 0) return ['no verdicts, so no rating', ...unplayedLine(matches)];
  // A summary that was written before these were there has none of them.
  const { judges = [], flags, agreements } = summary as Partial<BenchSummary>;
  return [
    `${countText(judge.verdicts, 'verdict')}, ${judge.invalid} invalid; ${flipText(summary)}`,
    ...modeLines(summary),
    ...judges.flatMap((one) => ordersLines(one, judges.length > 1)),
    ...(isConductUnkept(summary) ? [UNKEPT_LINE] : []),
    ...(agreements ?? []).map(
      ({ judges: [one, other], agreed, kappa }) =>
        `  ${one} and ${other} agree in ${agreed.count} of ${countText(agreed.of, 'match', 'matches')}${kappa === null ? '' : ` (κ ${kappaText(kappa)})`}`,
    ),
    ...(flags ?? []).map((flag) => `  ${printable(flagText(flag))}`),
    ...unplayedLine(matches),
  ];
}

const UNKEPT_LINE =
  '  position bias, repeats and warnings unknown: summed up before those of a night were kept';

function flipText({ judge, judges, matches, judging }: BenchSummary): string {
  const { flipRate, flips, halfFlips } = judge;
  if (matches.played === 0) return 'no match was played';
  if (judging?.orders === 'balanced') return 'one order each, so no flips';
  if (flips === null) return 'flips unknown';
  if (flipRate === null) return 'no match in both orders';
  const isPanel = (judges?.length ?? 1) > 1;
  const of = isPanel ? judges.reduce((sum, one) => sum + (one.matches ?? 0), 0) : matches.played;
  const what = isPanel
    ? countText(of, 'pair of verdicts', 'pairs of verdicts')
    : countText(of, 'match', 'matches');
  return `flip rate ${shareText(flipRate, of)} (${flips} of ${what}; half-flips ${halfFlips})`;
}

/** What was not the usual way of judging. */
function modeLines({ judging }: BenchSummary): string[] {
  if (!judging) return [];
  const { verdictMode, debateTurns, judgeView, reviewer } = judging;
  return [
    ...(verdictMode === 'debate'
      ? [`  verdict mode debate: ${countText(debateTurns ?? 0, 'argument turn')} a side before each verdict`]
      : []),
    ...(judgeView === 'text' ? ["  judge's view text: without citations and reviews"] : []),
    ...(reviewer === null ? ['  reviewer: none'] : []),
  ];
}

function ordersLines(one: JudgeSummary, isPanel: boolean): string[] {
  const { judge, matches, flips, halfFlips, positionBias, oneOrder, repeats, isUninformative } = one;
  const facts = [
    ...(isPanel ? [`${countText(one.verdicts, 'verdict')}, ${one.invalid} invalid, ${costText(one)}`] : []),
    ...(isPanel ? flipCounts(matches, flips, halfFlips) : []),
    ...(positionBias?.pValue == null
      ? []
      : [
          `of its flips ${positionBias.firstFirst} to the first, ${positionBias.secondSecond} to the second (exact binomial ${pValueText(positionBias.pValue)})`,
        ]),
    ...(oneOrder?.pValue == null
      ? []
      : [
          `named the first in ${oneOrder.first.count} of ${oneOrder.first.of} decisive verdicts (exact binomial ${pValueText(oneOrder.pValue)})`,
        ]),
    ...(repeats && repeats.asked > 0
      ? [`said otherwise in ${repeats.otherwise} of ${repeats.asked} repeats in the same order`]
      : []),
  ];
  return [
    ...(facts.length > 0 ? [`  ${judge}: ${facts.join('; ')}`] : []),
    ...(isUninformative
      ? [`  ${judge} is an uninformative judge: it flips over 80 %, so nothing follows from its verdicts`]
      : []),
  ];
}

function flipCounts(matches: number | null, flips: number | null, halfFlips: number | null): string[] {
  if (flips === null || halfFlips === null) return ['flips unknown'];
  return matches === 0 ? [] : [`${countText(flips, 'flip')}, ${countText(halfFlips, 'half-flip')}`];
}

function unplayedLine({ played, scheduled, unplayed }: BenchSummary['matches']): string[] {
  const reasons = formatCounts(unplayed);
  if (!reasons) return [];
  return [`${played} of ${countText(scheduled, 'match', 'matches')} played; unplayed: ${printable(reasons)}`];
}
