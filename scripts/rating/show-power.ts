import { MAX_CANDIDATES } from '../../core/planned-models';
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
import { formatUsd } from '../bench/money';
import { plainTable } from '../bench/plain-table';
import { printJson } from '../bench/print-result';
import { coloursFor, widthOf } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';
import { UsageError } from '../cli-error';

export interface PowerOptions {
  gap: string;
  candidates: string;
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
 * @throws UsageError for a gap or a number of candidates that cannot be, and for an unknown preset
 */
export async function showPower(options: PowerOptions): Promise<void> {
  const { gapElo, candidates } = readSize(options);
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

function readSize({ gap, candidates }: PowerOptions): { gapElo: number; candidates: number } {
  const problems: string[] = [];
  const gapElo = Number(gap);
  const count = Number(candidates);
  if (gap.trim() === '' || !(gapElo > 0 && gapElo <= 1500)) {
    problems.push(`--gap: ${JSON.stringify(gap)} is not a number of Elo points above 0 and up to 1500`);
  }
  if (candidates.trim() === '' || !Number.isInteger(count) || count < 2 || count > MAX_CANDIDATES) {
    problems.push(
      `--candidates: ${JSON.stringify(candidates)} is not an integer from 2 to ${MAX_CANDIDATES}`,
    );
  }
  if (problems.length > 0) {
    throw new UsageError({
      reason: `${problems.length} ${problems.length === 1 ? 'option is' : 'options are'} wrong`,
      problems,
      remedy: 'for example: co-scientist power --gap 100 --candidates 4',
    });
  }
  return { gapElo, candidates: count };
}

async function assumptionsOf({ from, preset }: PowerOptions): Promise<Assumptions> {
  if (from === undefined) return assumptionsOfPreset(preset ?? USUAL_PRESET);
  const { assumptionsOfBench } = require('./bench-assumptions') as typeof import('./bench-assumptions');
  return assumptionsOfBench(from);
}

/** Whose models the dollars are of when nothing else is asked for. */
const USUAL_PRESET = 'paper-aml-vs-raw';

function assumptionsOfPreset(preset: string): Assumptions {
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
  return `${formatUsd(usdPerHypothesis)} a hypothesis with its review, ${formatUsd(usdPerVerdict)} a verdict`;
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
  const right = 'right' as const;
  const winRate = sigmoid(logitFromElo(gapElo));
  const table = plainTable(
    [
      { name: 'spread', align: right },
      { name: 'n', align: right },
      { name: 'matches a pair', align: right },
      { name: 'hypotheses', align: right },
      { name: 'verdicts', align: right },
      { name: isSimulated ? 'simulated $' : 'expected $', align: right },
      { name: 'least n', align: right },
    ],
    answers.map((answer) => cells(gapElo, answer)),
    coloursFor(process.stdout).bold,
  );
  const width = widthOf(process.stdout);
  const matches = `${(100 * winRate).toFixed(0)} % of matches won`;
  return [
    `to see a gap of ${gapElo} Elo (${matches}) between any two of ${candidates} candidates in 80 % of benches, all pairs held at once at 5 %:`,
    '',
    table,
    '',
    `spread: between a candidate's hypotheses, in logits; ${spreadNote}`,
    'least n: with verdicts free and perfect; fewer hypotheses never see it, however many the matches',
    `${isSimulated ? 'simulated dollars' : 'dollars'}: ${costNote}`,
    `of independent items (rows of a file, cases) ${itemsForWinRate(winRate)} decisive ones see it between two`,
    '',
  ]
    .flatMap((line) => (line === table ? [line] : hangingLines(line, width)))
    .join('\n');
}

function cells(gapElo: number, { variances, plan }: Answer): string[] {
  const { spread } = variances;
  const least = String(leastHypotheses(gapElo, spread));
  if (plan === null) return [spread.toFixed(2), '> 1000', '> 1000', '–', '–', '–', least];
  const { n, matches, hypotheses, verdicts, usd } = plan;
  return [
    spread.toFixed(2),
    ...[n, matches, hypotheses, verdicts].map(String),
    usd === null ? 'unknown' : formatUsd(usd),
    least,
  ];
}
