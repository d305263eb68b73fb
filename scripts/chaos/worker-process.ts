import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BundleVariable } from '../stack/cached-workflow-bundle';
import { PROJECT } from '../stack/home';
import type { Site } from './lab';

export interface WorkerSettings {
  site: Site;
  taskQueue: string;
  /** Keys and addresses of the model servers. */
  providers: NodeJS.ProcessEnv;
  workflowBundle: BundleVariable;
  leaseSeconds: number;
  maxAttempts?: number;
  /** Whether a grader is started beside it, for benches with a gold set. */
  hasGrader: boolean;
  logFile: string;
}

const running = new Set<ChildProcess>();

let isOver = false;

/** Kills every worker this process has started, and lets it start no other: none may outlive it. */
export function endAllWorkers(): void {
  isOver = true;
  for (const child of running) child.kill('SIGKILL');
}

/** A worker as `co-scientist up` starts one: the production entry in a process of its own. */
export class WorkerProcess {
  private said = '';

  private constructor(private readonly child: ChildProcess) {
    const note = (chunk: Buffer): void => {
      this.said += chunk.toString('utf8');
    };
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
  }

  /** Starts it; it takes work some seconds later. */
  static start(settings: WorkerSettings): WorkerProcess {
    const { site, maxAttempts, hasGrader } = settings;
    const env: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...settings.providers,
      DATABASE_URL: site.databaseUrl,
      DATABASE_GRADER_URL: site.graderUrl,
      TEMPORAL_ADDRESS: site.temporalAddress,
      TEMPORAL_NAMESPACE: site.namespace,
      CO_SCIENTIST_TASK_QUEUE: settings.taskQueue,
      ...settings.workflowBundle,
      CO_SCIENTIST_LEASE_SECONDS: String(settings.leaseSeconds),
      ...(hasGrader ? {} : { CO_SCIENTIST_GRADER: 'elsewhere' }),
      ...(maxAttempts === undefined ? {} : { CO_SCIENTIST_MAX_ATTEMPTS: String(maxAttempts) }),
    };
    return WorkerProcess.startProgram(join(PROJECT, 'workers', 'main.ts'), env, settings.logFile);
  }

  /** Starts a program that says `worker ready`. */
  static startProgram(file: string, env: NodeJS.ProcessEnv, logFile: string): WorkerProcess {
    if (isOver) throw new Error('no worker is started any more');
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: PROJECT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const worker = new WorkerProcess(child);
    running.add(child);
    child.once('exit', (code, signal) => {
      running.delete(child);
      const end = `${new Date().toISOString()} process ${child.pid} ended: ${signal ?? code}\n`;
      appendFile(logFile, worker.said + end).catch(() => {});
    });
    return worker;
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @throws Error when it ends before it is ready */
  async untilReady(): Promise<void> {
    while (!this.said.includes('worker ready')) {
      if (!this.isRunning) throw new Error(`the worker ended: ${this.said.trim().slice(-500)}`);
      await sleep(20);
    }
  }

  /** kill -9, and gone. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL');
  }

  /** SIGTERM, as an administrator would; kill -9 when it takes longer. */
  async end(graceMs: number): Promise<void> {
    const timer = setTimeout(() => void this.child.kill('SIGKILL'), graceMs);
    await this.signal('SIGTERM');
    clearTimeout(timer);
  }

  /** Its last words. */
  get lastLine(): string {
    return this.said.trim().split('\n').at(-1) ?? '';
  }

  /** Settles when it ends, however. */
  async untilEnded(): Promise<void> {
    if (this.isRunning) await once(this.child, 'exit');
  }

  private async signal(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const ended = this.untilEnded();
    this.child.kill(signal);
    await ended;
  }
}
