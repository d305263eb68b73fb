import type { BenchPlan } from '../../core/bench-plan';
import { comparedBenchOf } from '../../core/compared-bench';
import {
  type BenchComparison,
  type CandidateChange,
  compareBenches,
} from '../../core/ratings/compare-benches';
import type { DifferenceWord } from '../../core/ratings/difference-word';
import { signedEloText, signedIntervalText } from '../../core/report/figure-text';
import { findBench } from '../../db/benches';
import type { Database } from '../../db/database';
import { readRatedBench } from '../../db/rated-bench';
import { withBenchRows } from '../bench/bench-connection';
import { simulationNote } from '../bench/describe-plan';
import { findBenchId } from '../bench/find-bench';
import { printJson } from '../bench/print-result';
import { printable } from '../bench/printable';
import { splitTable, type ValueColumn } from '../bench/split-table';
import { coloursFor, widthOf } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';
import { CliError, UsageError } from '../cli-error';
import { together } from '../together';

/**
 * Prints how the candidates of two benches stand to each other: differences where both are on one judge's scale,
 * else ranks, and why.
 * @throws UsageError for one bench named twice; CliError for one that is not there, or has no played match
 */
export async function compareTwo(
  before: string,
  after: string,
  { isJson }: { isJson: boolean },
): Promise<void> {
  await withBenchRows(async ({ db }) => {
    const ids = await together(
      () => findBenchId(db, before),
      () => findBenchId(db, after),
    );
    if (ids[0] === ids[1]) {
      throw new UsageError({
        reason: `${before} and ${after} are the same bench, ${ids[0]}`,
        remedy: 'name two; co-scientist list shows them',
      });
    }
    const [one, other] = [await readCompared(db, ids[0]), await readCompared(db, ids[1])];
    const comparison = compareBenches(one.compared, other.compared);
    if (isJson) printJson({ before: ids[0], after: ids[1], ...comparison });
    else process.stdout.write(comparisonText([one, other], comparison));
  });
}

interface Read {
  benchId: string;
  plan: BenchPlan;
  compared: ReturnType<typeof comparedBenchOf>;
}

async function readCompared(db: Database, benchId: string): Promise<Read> {
  const bench = await findBench(db, benchId);
  if (!bench) throw new Error(`bench ${benchId}: its rows are gone`);
  const rated = await readRatedBench(db, benchId, bench.plan);
  if (rated.matches.every(({ scoreA }) => scoreA === null)) {
    throw new CliError({
      reason: `bench ${benchId} has no played match: there is nothing to compare`,
      remedy: `co-scientist show ${benchId} says how far it is`,
    });
  }
  return { benchId, plan: bench.plan, compared: comparedBenchOf(bench.plan, rated) };
}

function comparisonText(benches: readonly [Read, Read], comparison: BenchComparison): string {
  const { bold } = coloursFor(process.stdout);
  const title = benches.map(({ benchId, plan }) => {
    const note = simulationNote(plan);
    return `${bold(benchId)}${note ? ` (${note})` : ''}`;
  });
  const left = comparison.leftOut.map(printable).join(', ');
  return [
    title.join(' → '),
    '',
    ...(comparison.kind === 'differences'
      ? differenceLines(comparison.candidates)
      : rankLines(comparison.reasons, comparison.candidates)),
    ...(left ? [`not compared, another model or mode under the same label: ${left}`] : []),
    '',
  ]
    .flatMap((line) => hangingLines(line, widthOf(process.stdout)))
    .join('\n');
}

/** What a change is called: `better` would be a claim about two candidates. */
const CHANGE_WORDS: Readonly<Record<DifferenceWord, string>> = {
  better: 'risen',
  worse: 'fallen',
  no_difference: 'no change',
  underpowered: 'underpowered',
  too_few: 'too few',
  uninformative_judge: 'judge says nothing',
};

function differenceLines(candidates: readonly CandidateChange[]): string[] {
  const label: ValueColumn<CandidateChange> = { name: 'candidate', value: ({ candidate }) => candidate };
  const columns: ValueColumn<CandidateChange>[] = [
    label,
    { name: 'before', align: 'right', value: ({ before }) => signedEloText(before) },
    { name: 'after', align: 'right', value: ({ after }) => signedEloText(after) },
    { name: 'change', align: 'right', value: ({ change }) => signedEloText(change) },
    {
      name: '95 %',
      align: 'right',
      value: ({ interval }) => (interval === null ? 'too few' : signedIntervalText(interval)),
    },
    { name: '', value: ({ interval, word }) => (interval === null ? '' : CHANGE_WORDS[word]) },
  ];
  return [
    ...tableLines(columns, candidates, label),
    '',
    `Elo points from the mean of these ${candidates.length}: a change is one against the others`,
    '95 %: all changes at once; fresh hypotheses and verdicts are in it, drift of the models between the days is not',
  ];
}

type RankChange = { candidate: string; rankBefore: number; rankAfter: number };

function rankLines(reasons: readonly string[], candidates: readonly RankChange[]): string[] {
  const label: ValueColumn<RankChange> = { name: 'candidate', value: ({ candidate }) => candidate };
  const columns: ValueColumn<RankChange>[] = [
    label,
    { name: 'rank before', align: 'right', value: ({ rankBefore }) => String(rankBefore) },
    { name: 'rank after', align: 'right', value: ({ rankAfter }) => String(rankAfter) },
  ];
  return [
    `ratings of these two may not be subtracted: ${reasons.join(', ')}`,
    ...(candidates.length > 0
      ? [
          '',
          ...tableLines(columns, candidates, label),
          '',
          'ranks among the candidates that both have; without intervals',
        ]
      : []),
  ];
}

function tableLines<Row>(
  columns: readonly ValueColumn<Row>[],
  rows: readonly Row[],
  label: ValueColumn<Row>,
): string[] {
  const { bold } = coloursFor(process.stdout);
  return splitTable(columns, rows, { label, width: widthOf(process.stdout), bold }).split('\n');
}
