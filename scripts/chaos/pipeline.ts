import { parseArgs } from 'node:util';
import { plainTable } from '../bench/plain-table';
import type { Check } from './bench/audit';
import { checkTable } from './check-table';
import { inLab } from './in-lab';
import { type CandidateWall, timeBare, timeCandidate } from './pipeline/candidate-wall';
import { checkCut } from './pipeline/check-cut';
import type { CutResult } from './pipeline/cut-bench';
import { allCuts, type Cut, describeCut } from './pipeline/cuts';
import { type CutBed, Lane } from './pipeline/lane';

/**
 * Does a generation survive a kill between any two of its steps? One run for each place where its worker can die,
 * each against the run that nothing disturbed; prints a table and exits 1 when one differs.
 *
 *   npm run chaos:pipeline
 *   npm run chaos:pipeline -- --lanes 4 --only 'turn 3'
 *   npm run chaos:pipeline -- --only wall       no cut at all, but how long a candidate takes
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
    const { undisturbed, rows } = await runAll(bed, cuts);
    const wall = await timeCandidate(bed);
    const bare = await timeBare(bed);
    console.log(`${cutTable(undisturbed, rows)}\n`);
    const checks = checkAll(undisturbed, rows, wall);
    console.log(`${checkTable(checks)}\n`);
    console.log(`the same turns and tools as activities that only wait: ${inTimes(bare)}`);
    return checks.every((check) => check.isGood);
  });
  console.log(`\n${cuts.length} cuts in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  if (!isGood) process.exitCode = 1;
}

interface Row {
  cut: Cut;
  result: CutResult | null;
  problems: string[];
}

/** Each lane takes the next cut when it has done with one; one that fails there ends its lane's worker, not the run. */
async function runAll(bed: CutBed, cuts: readonly Cut[]): Promise<{ undisturbed: CutResult; rows: Row[] }> {
  const rows: Row[] = [];
  const waiting = [...cuts.entries()];
  const first = await Lane.open(bed);
  const undisturbed = await first.runUndisturbed();
  const work = async (opened: Lane | null): Promise<void> => {
    let lane = opened;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, cut] = next;
      lane ??= await Lane.open(bed);
      const row = await tryCut(lane, cut, undisturbed);
      rows[index] = row;
      console.error(
        `${describeCut(cut)}: ${row.problems.length === 0 ? 'the same' : row.problems.join('; ')}`,
      );
      if (row.result) continue;
      await lane.close();
      lane = null;
    }
    await lane?.close();
  };
  const others = Array.from({ length: Number(values.lanes) - 1 }, () => null);
  await Promise.all([first, ...others].map(work));
  return { undisturbed, rows };
}

async function tryCut(lane: Lane, cut: Cut, undisturbed: CutResult): Promise<Row> {
  try {
    const [result] = await lane.runCuts([cut]);
    if (!result) throw new Error('no result');
    return { cut, result, problems: checkCut(result, undisturbed) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { cut, result: null, problems: [message.split('\n')[0] ?? ''] };
  }
}

function cutTable(undisturbed: CutResult, rows: readonly Row[]): string {
  const right = (name: string) => ({ name, align: 'right' as const });
  const columns = [
    { name: 'killed at' },
    { name: 'same hypothesis' },
    right('paid calls'),
    right('more'),
    right('tools'),
    right('events'),
    right('KB'),
    right('s'),
    { name: '' },
  ];
  const cells = (name: string, result: CutResult | null, problems: string[]): string[] => {
    if (!result) return [name, '', '', '', '', '', '', '', problems.join('; ')];
    const { hypothesis, paidCalls, toolCalls, history, wallMs } = result;
    return [
      name,
      hypothesis === undisturbed.hypothesis ? 'yes' : 'no',
      ...[paidCalls, paidCalls - undisturbed.paidCalls, toolCalls, history.events].map(String),
      (history.bytes / 1000).toFixed(0),
      (wallMs / 1000).toFixed(1),
      problems.length === 0 ? 'ok' : problems.join('; '),
    ];
  };
  const table = [
    cells('(never)', undisturbed, []),
    ...rows.map(({ cut, result, problems }) => cells(describeCut(cut), result, problems)),
  ];
  return plainTable(columns, table, (text) => text);
}

function checkAll(undisturbed: CutResult, rows: readonly Row[], wall: CandidateWall): Check[] {
  const results = rows.flatMap(({ result }) => result ?? []);
  const same = results.filter(({ hypothesis }) => hypothesis === undisturbed.hypothesis).length;
  const more = results.map(({ paidCalls }) => paidCalls - undisturbed.paidCalls);
  const histories = [undisturbed, ...results].map(({ history }) => history);
  const events = Math.max(...histories.map((history) => history.events));
  const kilobytes = Math.max(...histories.map(({ bytes }) => bytes)) / 1000;
  const bad = rows.filter(({ problems }) => problems.length > 0).length;
  const ratio = wall.wallMs / wall.criticalPathMs;
  const paid = `${undisturbed.paidCalls} undisturbed, ${more.filter((n) => n === 1).length} cuts paid 1 more`;
  return [
    {
      name: 'every cut: the same hypothesis',
      isGood: same === rows.length,
      found: `${same} of ${rows.length}`,
    },
    {
      name: 'paid calls: the undisturbed run’s and at most the one in flight',
      isGood: more.every((n) => n === 0 || n === 1) && results.length === rows.length,
      found: paid,
    },
    { name: 'what each cut is to show besides', isGood: bad === 0, found: `${bad} of ${rows.length} do not` },
    { name: 'history below 500 events', isGood: events < 500, found: `${events} at most` },
    { name: 'history below 200 KB', isGood: kilobytes < 200, found: `${kilobytes.toFixed(0)} KB at most` },
    {
      name: `n = 4, models at 200 ms: wall ≤ ${MAX_WALL_RATIO} × the longest generation's critical path (its calls, each turn's slowest tool)`,
      isGood: ratio <= MAX_WALL_RATIO,
      found: inTimes(wall),
    },
  ];
}

function inTimes({ wallMs, criticalPathMs }: CandidateWall): string {
  return `${wallMs.toFixed(0)} ms ÷ ${criticalPathMs} ms = ${(wallMs / criticalPathMs).toFixed(2)}`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
