import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { findBench } from '../../db/benches';
import type { Database } from '../../db/database';
import { countSessions } from '../../db/scipivot';
import { readScipivotSummary } from '../../db/scipivot-summary';
import { withRowsOf, withTemporal } from '../bench/bench-connection';
import { type BenchRequest, buildBenchRequest } from '../bench/bench-request';
import { followBench } from '../bench/follow-bench';
import { Interrupted, leaveOnInterrupt } from '../bench/leave-on-interrupt';
import { tellEnd } from '../bench/run-bench';
import { drawBenchId, type StartedBench, startBench } from '../bench/start-bench';
import { reportProgress } from '../report-progress';
import { ensureStack, type Stack } from '../stack/ensure-stack';
import { stackStatus } from '../stack/stack-status';
import { stopStack } from '../stack/stop-stack';
import { DEMO_CANDIDATES } from './demo-candidates';
import { type DemoCheck, demoChecks } from './demo-checks';
import { type DemoWorker, startDemoWorker } from './demo-worker';
import { exportRelease } from './export-release';
import { loadFromFiles } from './load-data-set';
import { refuseUnpartedRoles } from './parted-roles';
import { writeRunFiles } from './run-files';

const FIXTURE = path.join(__dirname, '..', '..', 'presets', 'scipivot', 'fixture', 'questions.json');

/**
 * Runs four simulated models on our own fixture through Temporal, kills the worker with -9 once half of the sessions
 * have ended, and checks what came out. Ends what it started.
 * @throws CliError when the bench did not finish; Error when a check failed
 */
export async function runScipivotDemo(): Promise<void> {
  const startedAt = performance.now();
  const status = await stackStatus();
  const wasUp = [status.postgres, status.temporal, status.worker].some((part) => part?.isRunning);
  const folder = await mkdtemp(path.join(tmpdir(), 'scipivot-demo-'));
  try {
    const checks = await leaveOnInterrupt((signal) => demonstrate(folder, wasUp, signal));
    for (const { claim, holds } of checks) process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${claim}\n`);
    const failed = checks.filter(({ holds }) => !holds).length;
    if (failed > 0) throw new Error(`${failed} of ${checks.length} checks failed`);
  } finally {
    if (!wasUp) await stopStack({ report: reportProgress });
    await rm(folder, { recursive: true, force: true });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(`${seconds} s from start to end\n`);
  }
}

async function demonstrate(folder: string, wasUp: boolean, signal: AbortSignal): Promise<DemoCheck[]> {
  const places = { publicDir: path.join(folder, 'public'), graderDir: path.join(folder, 'grader') };
  const [stack] = await Promise.all([
    ensureStack({ report: reportProgress }),
    exportRelease({
      ...places,
      questions: FIXTURE,
      output: path.join(folder, 'receipt.json'),
      caseIds: 'opaque',
      allowUnpinned: true,
    }),
  ]);
  const { name } = await loadFromFiles({ ...places, name: 'fixture' });
  await refuseUnpartedRoles(stack);
  // A queue of its own, for its worker and for the bench alike.
  process.env.CO_SCIENTIST_TASK_QUEUE = `scipivot-demo-${randomBytes(4).toString('hex')}`;
  const request = await buildBenchRequest(undefined, {
    candidate: Object.entries(DEMO_CANDIDATES).map(([label, { spec }]) => `${label}=${spec}`),
    scipivot: name,
    n: '0',
    matches: '0',
    reviewer: 'none',
    probe: false,
  });
  // The UI of a server that ends with the demo is no place to send anybody.
  const shown = wasUp ? stack : { ...stack, uiUrl: null };
  return withRowsOf(stack, (db) =>
    withTemporal(stack, (client) => runKilled({ stack: shown, db, client, places, folder }, request, signal)),
  );
}

interface DemoSetting {
  stack: Stack;
  db: Database;
  client: Client;
  places: { graderDir: string };
  folder: string;
}

async function runKilled(
  setting: DemoSetting,
  request: BenchRequest,
  signal: AbortSignal,
): Promise<DemoCheck[]> {
  const { stack, db, client } = setting;
  const taskQueue = process.env.CO_SCIENTIST_TASK_QUEUE ?? '';
  let worker: DemoWorker = await startDemoWorker(stack, taskQueue);
  const bench = drawBenchId();
  const isOver = new AbortController();
  try {
    await startBench(client, bench, request);
    const killing = killHalfway(db, bench, isOver.signal, async () => {
      const { pid } = worker;
      await worker.kill();
      process.stderr.write(`the worker (process ${pid}) was killed with -9; another is starting\n`);
      worker = await startDemoWorker(stack, taskQueue);
    });
    const end = await followBench({ client, db }, bench, signal);
    isOver.abort();
    const endedAtKill = await killing;
    if (end.kind === 'left') await client.workflow.getHandle(bench.workflowId).terminate('the demo was left');
    await tellEnd(end, { ...bench, db, stack, plan: request.plan, isJson: false });
    return await check(setting, bench, endedAtKill);
  } catch (error) {
    if (error instanceof Interrupted) process.stderr.write('left: the demo’s bench was ended with it\n');
    throw error;
  } finally {
    isOver.abort();
    await worker.stop();
  }
}

/** @returns how many sessions had ended when it was killed; null: the bench was over before */
async function killHalfway(
  db: Database,
  { benchId }: StartedBench,
  signal: AbortSignal,
  kill: () => Promise<void>,
): Promise<number | null> {
  const half = Object.keys(DEMO_CANDIDATES).length * 248;
  while (!signal.aborted) {
    const counts = await countSessions(db, benchId);
    const ended = counts.reduce((sum, { n }) => sum + n, 0);
    if (ended >= half) {
      await kill();
      return ended;
    }
    await sleep(100, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

async function check(
  { db, stack, places, folder }: DemoSetting,
  { benchId }: StartedBench,
  endedAtKill: number | null,
): Promise<DemoCheck[]> {
  const { readSummary } = require('../../db/bench-facts') as typeof import('../../db/bench-facts');
  const plan = (await findBench(db, benchId))?.plan;
  const scipivot = plan && (await readScipivotSummary(db, benchId, plan));
  if (!scipivot) throw new Error(`bench ${benchId}: its sessions are gone`);
  const summary = { ...(await readSummary(db, benchId)), scipivot };
  const files = path.join(folder, 'run');
  await writeRunFiles(db, stack, summary, files);
  return demoChecks({ db, summary, files, graderDir: places.graderDir, endedAtKill });
}
