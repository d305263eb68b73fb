import { parseArgs } from 'node:util';
import { plainTable } from '../bench/plain-table';
import { inLab } from './in-lab';
import { timeCandidate } from './pipeline/candidate-wall';
import { checkCut } from './pipeline/check-cut';
import { type CutBed, type CutResult, runCut } from './pipeline/cut-run';
import { allCuts, type Cut, describeCut } from './pipeline/cuts';

/**
 * Does a generation survive a kill between any two of its steps? One run for each place where its worker can die,
 * each against the run that nothing disturbed; prints a table and exits 1 when one differs.
 *
 *   npm run chaos:pipeline
 *   npm run chaos:pipeline -- --lanes 4 --only 'turn 3'
 */
const { values } = parseArgs({
  options: {
    /** Runs side by side. */
    lanes: { type: 'string', default: '3' },
    /** Cuts whose names begin so. */
    only: { type: 'string', default: 'turn ' },
  },
});

/** Of the critical path; what a candidate's wall time may be at most. */
const MAX_WALL_RATIO = 1.3;

async function main(): Promise<void> {
  const startedAt = performance.now();
  const cuts = allCuts().filter((cut) => `${describeCut(cut)} `.startsWith(values.only));
  const isGood = await inLab(async ({ lab, client, workflowBundle, logFile }) => {
    const site = await lab.createSite();
    const bed: CutBed = { client, site, workflowBundle, leaseSeconds: 3, logFile };
    const undisturbed = await runCut(bed, null);
    const rows = await runAll(bed, cuts, undisturbed);
    printTable(undisturbed, rows);
    const isFast = await printWall(bed);
    return isFast && rows.every(({ problems }) => problems.length === 0);
  });
  console.log(`\n${cuts.length} cuts in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  if (!isGood) process.exitCode = 1;
}

interface Row {
  cut: Cut;
  result: CutResult | null;
  problems: string[];
}

async function runAll(bed: CutBed, cuts: readonly Cut[], undisturbed: CutResult): Promise<Row[]> {
  const rows: Row[] = [];
  const waiting = [...cuts.entries()];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, cut] = next;
      const row = await tryCut(bed, cut, undisturbed);
      rows[index] = row;
      const what = row.problems.length === 0 ? 'as undisturbed' : row.problems.join('; ');
      console.error(`${describeCut(cut)}: ${what}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
  return rows;
}

async function tryCut(bed: CutBed, cut: Cut, undisturbed: CutResult): Promise<Row> {
  try {
    const result = await runCut(bed, cut);
    return { cut, result, problems: checkCut(result, undisturbed) };
  } catch (error) {
    return { cut, result: null, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

function printTable(undisturbed: CutResult, rows: readonly Row[]): void {
  const right = (name: string) => ({ name, align: 'right' as const });
  const columns = [
    { name: 'killed at' },
    right('paid calls'),
    right('in doubt'),
    right('tools'),
    right('events'),
    right('bytes'),
    right('s'),
    { name: 'result' },
  ];
  const cells = (name: string, result: CutResult | null, verdict: string): string[] => [
    name,
    ...(result
      ? [
          result.paidCalls,
          result.inDoubt,
          result.toolCalls,
          result.history.events,
          result.history.bytes,
          (result.wallMs / 1000).toFixed(1),
        ].map(String)
      : ['', '', '', '', '', '']),
    verdict,
  ];
  const table = [
    cells('(never)', undisturbed, 'undisturbed'),
    ...rows.map(({ cut, result, problems }) =>
      cells(describeCut(cut), result, problems.length === 0 ? 'the same' : problems.join('; ')),
    ),
  ];
  console.log(plainTable(columns, table, (text) => text));
}

async function printWall(bed: CutBed): Promise<boolean> {
  const { wallMs, criticalPathMs } = await timeCandidate(bed);
  const ratio = wallMs / criticalPathMs;
  console.log(
    `\none candidate, n = 4, models at 200 ms: ${wallMs} ms; longest generation's critical path ` +
      `(its calls and each turn's slowest tool): ${criticalPathMs} ms; ratio ${ratio.toFixed(2)} ` +
      `(at most ${MAX_WALL_RATIO})`,
  );
  return ratio <= MAX_WALL_RATIO;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
