import type { BenchPlan } from '../../core/bench-plan';
import {
  type Alternative,
  alternativesOf,
  type Forecast,
  fitToPurse,
  forecastBench,
  uncappedUsd,
} from '../../core/forecast';
import { usdText } from '../../core/report/figure-text';
import { UsageError } from '../cli-error';
import type { BenchRequest } from './bench-request';
import { confirm } from './confirm';
import { splitTable, type ValueColumn } from './split-table';
import { hangingLines } from './wrapped-text';

/**
 * The same bench in the size that sees most for so many dollars, capped at them.
 * @throws UsageError when the purse is no number, or buys no bench
 */
export function fitRequest({ input, plan }: BenchRequest, maxUsd: number): BenchRequest {
  const size = fitToPurse(plan, maxUsd);
  if (size === null) {
    const least = alternativeText({ ...plan, n: 2, matches: 1 });
    throw new UsageError({
      reason: `--max-usd: $${maxUsd} does not buy the smallest bench of these models, ${least}`,
      remedy: 'give more, take cheaper models, or give --n and --matches yourself',
    });
  }
  const { planInput } =
    require('../../activities/plan-input') as typeof import('../../activities/plan-input');
  const fitted = planInput({ ...input, n: size.n, matches: size.matches, budgetUsd: maxUsd });
  if ('problems' in fitted) {
    throw new UsageError({
      reason: `--max-usd: $${maxUsd} fits n ${size.n} and ${size.matches} matches, which cannot be planned`,
      problems: fitted.problems,
      remedy: 'give --n and --matches yourself',
    });
  }
  return fitted;
}

function alternativeText(plan: BenchPlan): string {
  return `n 2 and 1 match a pair for about ${usdText(forecastBench(plan).bench.expectedUsd)}`;
}

/**
 * What it will probably cost and take, and what it could see; two other sizes at the same price.
 * @param width of the terminal
 */
export function forecastLines(plan: BenchPlan, width: number, bold: (text: string) => string): string[] {
  const forecast = forecastBench(plan);
  const lines = [
    ...cutByCaps(plan, forecast),
    `about ${minutesText(forecast)}; ${gapText(forecast)}`,
    ...alternativesOf(plan).map((other) => `or, for the same money: ${sizeText(other)}`),
  ];
  return [
    ...moneyTable(plan, forecast, { width: width - INDENT.length, bold })
      .split('\n')
      .map((line) => `${INDENT}${line}`.trimEnd()),
    ...lines.flatMap((line) => hangingLines(`${INDENT}${line}`, width)),
  ];
}

const INDENT = '  ';

interface MoneyRow {
  who: string;
  expectedUsd: number;
  worstUsd: number;
}

function moneyTable(
  plan: BenchPlan,
  { candidates, judge, judges, bench }: Forecast,
  place: { width: number; bold: (text: string) => string },
): string {
  const rows: MoneyRow[] = [
    ...candidates.map((c) => ({ ...c, who: c.label })),
    { ...judge, who: 'judge and reviewer' },
    ...(judges.length > 1 ? judges.map((j) => ({ ...j, who: `${INDENT}${j.judge}` })) : []),
    { ...bench, who: 'the whole bench' },
  ];
  const money = plan.isSimulated ? 'simulated $' : '$';
  const label: ValueColumn<MoneyRow> = { name: `forecast (${money})`, maxWidth: 44, value: ({ who }) => who };
  const columns: ValueColumn<MoneyRow>[] = [
    label,
    { name: 'expected', align: 'right', value: ({ expectedUsd }) => usdText(expectedUsd) },
    { name: 'at worst', align: 'right', value: ({ worstUsd }) => usdText(worstUsd) },
  ];
  return splitTable(columns, rows, { label, ...place });
}

/** A bench that its caps will probably end early is not the bench that was asked for: said before it begins. */
function cutByCaps(plan: BenchPlan, { bench }: Forecast): string[] {
  const whole = uncappedUsd(plan);
  if (whole <= bench.expectedUsd) return [];
  return [
    `the caps will probably cut it short: without them about ${usdText(whole)} (raise them, or ask for less)`,
  ];
}

function minutesText({ expectedMinutes: minutes }: Forecast): string {
  if (minutes < 1.5) return 'a minute';
  return minutes < 90 ? `${Math.round(minutes)} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}

function gapText({ detectableGapElo, assumedSpread }: Forecast): string {
  if (detectableGapElo === null) return 'no interval is possible at this size';
  return `sees a gap of ${Math.round(detectableGapElo)} Elo in 80 % of such benches (hypotheses ${assumedSpread} logit apart)`;
}

function sizeText({ n, matches, expectedUsd, detectableGapElo }: Alternative): string {
  const gap = detectableGapElo === null ? 'no interval' : `a gap of ${Math.round(detectableGapElo)} Elo`;
  return `--n ${n} --matches ${matches} (${usdText(expectedUsd)}, ${gap})`;
}

/**
 * Asks before money is spent. Not asked with `--yes`, without a terminal to answer on, or for simulated dollars.
 * @throws CliError when the answer is not yes
 */
export async function confirmSpending(plan: BenchPlan, { isYes }: { isYes: boolean }): Promise<void> {
  if (!plan.isSimulated) await confirm('  start? [y/N] ', { isYes });
}
