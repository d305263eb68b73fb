import { readResults } from '../../db/bench-facts';
import type { Database } from '../../db/database';
import { leaveReports } from '../report/leave-reports';
import { reportProgress } from '../report-progress';
import type { Stack } from '../stack/ensure-stack';
import { absentToolNotes } from './absent-tool-notes';
import { withRowsOf, withTemporal, workflowUrl } from './bench-connection';
import { benchFailure, wasTakenOver } from './bench-failure';
import type { BenchRequest } from './bench-request';
import { describePlan, simulationNote } from './describe-plan';
import { type BenchEnd, followBench } from './follow-bench';
import { laterOwner } from './later-owner';
import { Interrupted, leaveOnInterrupt } from './leave-on-interrupt';
import { printResult, readKeptResults } from './print-result';
import { baseTaskQueue, drawBenchId, type StartedBench, startBench } from './start-bench';
import { coloursFor, widthOf } from './terminal';
import { hangingLines } from './wrapped-text';

export interface RunOptions {
  isJson: boolean;
  /** Start it and return. */
  isDetached: boolean;
  /** Aborted: leave the bench to itself. Without one, Ctrl-C does that from the moment there is a bench. */
  signal?: AbortSignal;
}

/** What a bench runs on, up and ready. */
export interface PreparedStack {
  stack: Stack;
  /** False: workers are the user's own to run. */
  hasWorker: boolean;
}

/** Starts what a bench needs and is missing. */
export async function prepareStack(): Promise<PreparedStack> {
  const { bringUp } = require('../stack/ensure-stack') as typeof import('../stack/ensure-stack');
  return bringUp({ report: reportProgress, migratesGiven: false, worker: 'beside ours' });
}

/**
 * Starts the bench and follows it to its end.
 * @returns its id
 * @throws CliError when it did not finish; Interrupted when it was left alone
 */
export async function runBench(
  request: BenchRequest,
  { stack, hasWorker }: PreparedStack,
  options: RunOptions,
): Promise<string> {
  return withRowsOf(stack, (db) =>
    withTemporal(stack, async (client) => {
      const bench = drawBenchId();
      announce(request, bench, stack, hasWorker);
      if (options.isDetached) {
        await startBench(client, bench, request);
        sayDetached(bench);
        return bench.benchId;
      }
      const run = async (signal: AbortSignal) => {
        await startBench(client, bench, request);
        const end = await followBench({ client, db }, bench, signal);
        await tellEnd(end, { ...bench, db, stack, plan: request.plan, isJson: options.isJson });
      };
      await (options.signal ? run(options.signal) : leaveOnInterrupt(run));
      return bench.benchId;
    }),
  );
}

/** What it will do, and the caps on its money, before the first call. */
function announce({ plan }: BenchRequest, started: StartedBench, stack: Stack, hasWorker: boolean): void {
  const { bold, yellow } = coloursFor(process.stderr);
  const simulated = simulationNote(plan);
  const lines = [`${bold(started.benchId)}${simulated ? ` · ${simulated}` : ''}`];
  lines.push(...describePlan(plan).map((line) => `  ${line}`));
  const notes = [...plan.notes, ...absentToolNotes(plan, process.env)];
  lines.push(...notes.map((note) => `  ${yellow('note:')} ${note}`));
  if (!hasWorker)
    lines.push(`  ${yellow('note:')} workers are yours to run, on task queue ${baseTaskQueue()}`);
  const url = workflowUrl(stack, started.workflowId);
  const width = widthOf(process.stderr);
  const hanging = lines.flatMap((line) => hangingLines(line, width));
  // An address stays whole, for the terminal to wrap and a person to copy.
  process.stderr.write(`${[...hanging, ...(url ? [`  ${url}`] : [])].join('\n')}\n`);
}

function sayDetached({ benchId }: StartedBench): void {
  process.stdout.write(`${benchId}\n`);
  const lines = [
    `started: bench ${benchId} goes on without this command`,
    `  follow it, to its end and its pages: co-scientist watch ${benchId}`,
    `  its pages later: co-scientist report ${benchId}`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/**
 * Prints what a bench that was followed came to, and writes its reports. What another workflow's rows hold by now is
 * that one's to tell.
 * @throws CliError when it did not finish; Interrupted when it was left alone
 */
export async function tellEnd(
  end: BenchEnd,
  about: StartedBench & Parameters<typeof printResult>[1] & { db: Database },
): Promise<void> {
  if (end.kind === 'left') throw new Interrupted(about.benchId);
  const { db, benchId, stack } = about;
  if (end.kind === 'finished') {
    printResult({ ...(await readResults(db, benchId)), summary: end.summary }, about);
    await leaveReports(db, benchId, stack);
    return;
  }
  const later = await laterOwner(db, about);
  const isOurs = later === null && !wasTakenOver(end.error);
  const kept = isOurs ? await readKeptResults(db, benchId) : null;
  if (kept) {
    printResult(kept, about);
    await leaveReports(db, benchId, stack);
  }
  throw benchFailure(benchId, end.error, later);
}
