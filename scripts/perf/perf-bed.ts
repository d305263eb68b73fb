import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { type Database, openDatabase } from '../../db/database';
import { BareBench } from '../bare/bare-bench';
import type { Bed } from '../chaos/in-lab';
import type { Site } from '../chaos/lab';
import { WorkerProcess } from '../chaos/worker-process';
import { type BenchSize, timeBench } from './direct-bench';
import { type FastDouble, startFastDouble } from './fast-double';

/** What every measurement works with: one Postgres, one Temporal, one model server, and the same Temporal bare. */
export interface PerfBed {
  client: Client;
  double: FastDouble;
  bare: BareBench;
  db: Database;
  taskQueue: string;
  /** The worker that always runs. */
  worker: WorkerProcess;
  /** Another one of the same queues. */
  startWorker(): Promise<WorkerProcess>;
}

export async function onPerfBed<T>(bed: Bed, work: (perf: PerfBed) => Promise<T>): Promise<T> {
  const double = await startFastDouble();
  const taskQueue = `perf-${randomBytes(6).toString('hex')}`;
  const site = await bed.lab.createSite();
  const startWorker = () => startOne(bed, site, taskQueue, double);
  const db = openDatabase(site.databaseUrl, { maxConnections: 2 });
  const bare = await BareBench.start({ ...bed, temporalAddress: bed.lab.temporalAddress });
  const worker = await startWorker();
  try {
    return await work({ client: bed.client, double, bare, db, taskQueue, worker, startWorker });
  } finally {
    await Promise.all([worker.kill(), bare.stop(), double.stop(), db.destroy()]);
  }
}

async function startOne(bed: Bed, site: Site, taskQueue: string, double: FastDouble): Promise<WorkerProcess> {
  const worker = WorkerProcess.start({
    ...{ site, taskQueue, providers: double.env, workflowBundle: bed.workflowBundle },
    ...{ leaseSeconds: 9, hasGrader: false, logFile: bed.logFile },
  });
  await worker.untilReady();
  return worker;
}

/** A worker runs for days; in its first seconds Node compiles what it runs, on the cores that the servers want. */
export async function warmUp({ client, taskQueue, double }: PerfBed, size: BenchSize): Promise<void> {
  for (let i = 1; i <= 2; i += 1) await timeBench(client, taskQueue, double, size);
}

const SAMPLE_MS = 1_000;

/** Notes how much memory a process holds while something runs. */
export async function withMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; megabytes: number[] }> {
  const megabytes: number[] = [];
  const timer = setInterval(() => megabytes.push(residentMegabytes(pid)), SAMPLE_MS);
  try {
    const result = await work();
    megabytes.push(residentMegabytes(pid));
    return { result, megabytes };
  } finally {
    clearInterval(timer);
  }
}

/** Linux alone tells. */
function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
