import { logitFromElo, sigmoid } from '../../core/ratings/elo-scale';
import { CONFIDENCE } from '../../core/ratings/interval';
import {
  type ExpectedVariances,
  itemsForWinRate,
  leastHypotheses,
  POWER,
  type PowerPlan,
  planForGap,
  TYPICAL_SPREADS,
  type UnitCosts,
} from '../../core/ratings/power';
import { NONE, usdText } from '../../core/report/figure-text';
import { printJson } from '../bench/print-result';
import { splitTable, type ValueColumn } from '../bench/split-table';
import { coloursFor, widthOf } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';
import { UsageError } from '../cli-error';

export interface PowerOptions {
  /** In Elo points. */
  gap: number;
  candidates: number;
  from?: string;
  preset?: string;
  json?: true;
}

/** What is assumed of hypotheses, judge and prices, and where it comes from. */
export interface Assumptions {
  /** One row of the table each. */
  variances: ExpectedVariances[];
  /** null where a price is unknown. */
  costs: UnitCosts | null;
  isSimulated: boolean;
  /** Said below the table. */
  spreadNote: string;
  costNote: string;
}

interface Answer {
  variances: ExpectedVariances;
  /** null when 1,000 hypotheses and 1,000 matches a pair do not see the gap. */
  plan: PowerPlan | null;
}

/**
 * Prints how many hypotheses, matches and dollars it takes to see a gap.
 * @throws UsageError for an unknown preset
 */
export async function showPower(options: PowerOptions): Promise<void> {
  const { gap: gapElo, candidates } = options;
  const assumed = await assumptionsOf(options);
  const answers = assumed.variances.map((variances) => ({
    variances,
    plan: planForGap(gapElo, candidates, variances, assumed.costs),
  }));
  if (options.json) {
    printJson({
      gapElo,
      candidates,
      power: POWER,
      confidence: CONFIDENCE,
      from: options.from ?? null,
      isSimulated: assumed.isSimulated,
      ...(assumed.costs ?? { usdPerHypothesis: null, usdPerVerdict: null }),
      plans: answers.map((answer) => planJson(gapElo, answer)),
    });
    return;
  }
  process.stdout.write(powerText(gapElo, candidates, answers, assumed));
}

async function assumptionsOf({ from, preset }: PowerOptions): Promise<Assumptions> {
  if (from === undefined) return assumptionsOfPreset(preset ?? USUAL_PRESET);
  const { assumptionsOfBench } = require('./bench-assumptions') as typeof import('./bench-assumptions');
  return assumptionsOfBench(from);
}

/** Whose models the dollars are of when nothing else is asked for. */
const USUAL_PRESET = 'paper-aml-vs-raw';

/** @throws UsageError when there is no such preset */
export function assumptionsOfPreset(preset: string): Assumptions {
  const { planInput } =
    require('../../activities/plan-input') as typeof import('../../activities/plan-input');
  const { usualNoise, usualUnitCosts } =
    require('../../core/forecast') as typeof import('../../core/forecast');
  const planned = planInput({ preset, goal: 'any' });
  if ('problems' in planned) {
    throw new UsageError({
      reason: `--preset: ${JSON.stringify(preset)} cannot be planned`,
      problems: planned.problems,
      remedy: 'co-scientist presets lists them',
    });
  }
  const { plan } = planned;
  const costs = usualUnitCosts(plan);
  return {
    variances: TYPICAL_SPREADS.map((spread) => ({ spread, ...usualNoise(plan) })),
    costs,
    isSimulated: plan.isSimulated,
    spreadNote: '--from <bench> takes what a bench has shown instead',
    costNote: `${unitText(costs)}: usual calls of preset ${preset}, prices of ${plan.priceTable.asOf}`,
  };
}

export function unitText({ usdPerHypothesis, usdPerVerdict }: UnitCosts): string {
  return `${usdText(usdPerHypothesis)} a hypothesis with its review, ${usdText(usdPerVerdict)} a verdict`;
}

function planJson(gapElo: number, { variances, plan }: Answer) {
  return {
    ...variances,
    n: plan?.n ?? null,
    matches: plan?.matches ?? null,
    hypotheses: plan?.hypotheses ?? null,
    verdicts: plan?.verdicts ?? null,
    usd: plan?.usd ?? null,
    detectableGapElo: plan?.detectableGapElo ?? null,
    leastHypotheses: leastHypotheses(gapElo, variances.spread),
  };
}

function powerText(
  gapElo: number,
  candidates: number,
  answers: readonly Answer[],
  { isSimulated, spreadNote, costNote }: Assumptions,
): string {
  const winRate = sigmoid(logitFromElo(gapElo));
  const width = widthOf(process.stdout);
  const { bold } = coloursFor(process.stdout);
  const table = splitTable(answerColumns(gapElo, isSimulated), answers, { label: SPREAD, width, bold });
  const matches = `${(100 * winRate).toFixed(0)} % of matches won`;
  return [
    `to see a gap of ${gapElo} Elo (${matches}) between any two of ${candidates} candidates in 80 % of benches, all pairs held at once at 5 %:`,
    '',
    table,
    '',
    `spread: between a candidate's hypotheses, in logits; ${spreadNote}`,
    'n: hypotheses of each candidate; least n: with verdicts free and perfect, fewer never see it, however many the matches',
    `${isSimulated ? 'simulated dollars' : 'dollars'}: ${costNote}`,
    `independent items (rows of a file, cases): ${itemsForWinRate(winRate)} that name a winner see it between two candidates`,
    '',
  ]
    .flatMap((line) => (line === table ? [line] : hangingLines(line, width)))
    .join('\n');
}

const SPREAD: ValueColumn<Answer> = {
  name: 'spread',
  align: 'right',
  value: ({ variances }) => variances.spread.toFixed(2),
};

function answerColumns(gapElo: number, isSimulated: boolean): ValueColumn<Answer>[] {
  const figure = (
    name: string,
    value: (plan: PowerPlan) => string,
    withoutPlan: string,
  ): ValueColumn<Answer> => ({
    name,
    align: 'right',
    value: ({ plan }) => (plan === null ? withoutPlan : value(plan)),
  });
  return [
    SPREAD,
    figure('n', ({ n }) => String(n), '> 1000'),
    figure('matches a pair', ({ matches }) => String(matches), '> 1000'),
    figure('hypotheses', ({ hypotheses }) => String(hypotheses), NONE),
    figure('verdicts', ({ verdicts }) => String(verdicts), NONE),
    figure(
      isSimulated ? 'simulated $' : 'expected $',
      ({ usd }) => (usd === null ? 'unknown' : usdText(usd)),
      NONE,
    ),
    {
      name: 'least n',
      align: 'right',
      value: ({ variances }) => String(leastHypotheses(gapElo, variances.spread)),
    },
  ];
}
