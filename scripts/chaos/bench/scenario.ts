import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchInput } from '../../../core/bench-input';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { readRecordedBench } from '../../../db/export-reads';
import { readFailures } from '../../../db/failure-lines';
import type { Bed } from '../in-lab';
import { type JournalDouble, startJournalDouble } from '../journal-double';
import { auditBench, type Check } from './audit';
import { BenchRun, type FallenBlow, type WorkerLimits } from './bench-run';
import { benchInput } from './bench-under-test';
import { answerByHash } from './models';
import { outcomeOf } from './outcome';
import { Pace } from './pace';
import { type Blows, drawTimeline, type Timeline } from './timeline';
import { Weather } from './weather';

export interface ChaosPlan {
  seed: number;
  counts: Blows;
  /** Kills are 5 s to 5 s and so much apart. */
  spreadMs: number;
  /** Matches of each of the six pairs. */
  matches: number;
  /** Whether hypotheses are held against a gold set, by a grader beside each worker. */
  isGraded: boolean;
}

export interface ChaosReport {
  checks: Check[];
  fallen: FallenBlow[];
  workerStarts: number;
  faults: number;
  requests: number;
  wallMs: number;
}

/** A dead worker is noticed after 3 s; a call may be cut off by many kills and still be asked again. */
export function limitsFor(input: BenchInput): WorkerLimits {
  return { leaseSeconds: 3, maxAttempts: 12, hasGrader: input.goldSet !== 'none' };
}

/** Runs a bench once in peace and once under blows, and holds the second against the first. */
export async function runChaos(
  bed: Bed,
  plan: ChaosPlan,
  tell: (line: string) => void,
): Promise<ChaosReport> {
  const input = benchInput({ matches: plan.matches }, plan.isGraded ? {} : { goldSet: 'none' });
  const timeline = drawTimeline(plan.seed, plan.counts, plan.spreadMs);
  const weather = new Weather(plan.seed);
  const double = await startJournalDouble({ answer: answerByHash, before: (entry) => weather.before(entry) });
  const run = new BenchRun(bed, await bed.lab.createSite(), double, limitsFor(input), tell);
  try {
    await run.worker.untilReady();
    const undisturbed = await runInPeace(run, input);
    tell(`undisturbed: ${undisturbed.calls.length} calls`);
    tell(`${timeline.blows.length} blows in ${Math.round(timeline.lengthMs / 1000)} s or more`);
    double.journal.length = 0;
    const startedAt = performance.now();
    const pace = new Pace(undisturbed.calls.length, timeline.blows.length);
    weather.turnFoul(pace);
    await run.start(input);
    await firstRequest(double);
    await suffer(run, pace, timeline, double, tell);
    await run.untilFinished();
    await settled(double);
    const evidence = {
      bench: await readRecordedBench(run.db, run.benchId),
      failures: await readFailures(run.db, run.benchId),
      journal: double.journal,
      fallen: run.fallen,
      undisturbed: outcomeOf(undisturbed),
    };
    return {
      checks: [allFell(timeline, run), neverEnded(run), ...auditBench(evidence)],
      fallen: run.fallen,
      workerStarts: run.worker.starts,
      faults: double.journal.filter(({ fault }) => fault !== null).length,
      requests: double.journal.length,
      wallMs: performance.now() - startedAt,
    };
  } finally {
    await run.close();
    await double.stop();
  }
}

/** A bench that nothing disturbs, by the same worker and the same models. */
export async function runInPeace(run: BenchRun, input: BenchInput): Promise<RecordedBench> {
  await run.start(input);
  await run.untilFinished();
  return readRecordedBench(run.db, run.benchId);
}

/** The bench may end early only by failing: then that is what there is to tell. */
async function suffer(
  run: BenchRun,
  pace: Pace,
  timeline: Timeline,
  double: JournalDouble,
  tell: (line: string) => void,
): Promise<void> {
  const startedAt = Date.now();
  await run.suffer(timeline, ({ at, blow }) => {
    const seconds = ((at - startedAt) / 1000).toFixed(1).padStart(7);
    tell(`${seconds} s  ${Object.values(blow).join(' ')}; ${double.open().length} requests open`);
    pace.noteBlow();
  });
}

/** The bench has begun to pay. */
export async function firstRequest(double: JournalDouble): Promise<void> {
  while (double.journal.length === 0) await sleep(20);
}

/** What was in flight when the bench ended has been billed by now, too. */
async function settled(double: JournalDouble): Promise<void> {
  while (double.open().length > 0) await sleep(20);
}

/** Nobody but this program ends a worker: one that ends while a server is away would have to be started by somebody. */
function neverEnded(run: BenchRun): Check {
  const { endsOfItsOwn } = run.worker;
  return {
    name: 'no worker ended by itself, whatever server was away',
    isGood: endsOfItsOwn === 0,
    found: `${endsOfItsOwn} of ${run.worker.starts}`,
  };
}

function allFell(timeline: Timeline, run: BenchRun): Check {
  return {
    name: 'every blow fell while the bench ran',
    isGood: run.fallen.length === timeline.blows.length,
    found: `${run.fallen.length} of ${timeline.blows.length}`,
  };
}
