import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error';
import { startDetached, waitUntilReady } from './detached-process';
import { freePort } from './free-port';
import { openLog } from './log-file';
import { endProcess, type OwnProcess } from './own-process';

export interface TemporalServerOptions {
  executable: string;
  /** SQLite file that keeps its state; null: in memory. */
  dbFile: string | null;
  logFile: string;
  namespace: string;
  /** Ports to take when they are free; `ui` null: no UI at all. */
  wanted: { grpc: (number | undefined)[]; ui: (number | undefined)[] | null };
  cwd: string;
  /** Told of the process before it is ready. */
  onStarted?: (server: RunningTemporal) => Promise<void>;
}

export interface RunningTemporal {
  process: OwnProcess;
  port: number;
  /** null: without UI. */
  uiPort: number | null;
}

/**
 * Starts a Temporal dev server on 127.0.0.1 as a detached process and waits until it serves its namespace.
 * @throws CliError naming the log when it does not start
 */
export async function startTemporal(options: TemporalServerOptions): Promise<RunningTemporal> {
  for (let attempt = 1; ; attempt++) {
    // A port that was free a moment ago may be gone by now: then once more, on ports of the system's choice.
    const wanted = attempt === 1 ? options.wanted : { grpc: [], ui: options.wanted.ui && [] };
    const outcome = await tryStart(options, wanted);
    if ('process' in outcome) return outcome;
    if (attempt < 3 && outcome.said.some((line) => /address already in use|can't set port/.test(line)))
      continue;
    throw new CliError({
      reason: `the Temporal server did not start: ${outcome.problem}${quote(outcome.said)}`,
      remedy: `see ${options.logFile}`,
    });
  }
}

async function tryStart(
  options: TemporalServerOptions,
  wanted: TemporalServerOptions['wanted'],
): Promise<RunningTemporal | { problem: string; said: string[] }> {
  const port = await freePort(...wanted.grpc);
  const uiPort = wanted.ui && (await freePort(...wanted.ui));
  const log = await openLog(options.logFile);
  try {
    const started = await startDetached(options.executable, commandArguments(options, port, uiPort), {
      // No key of the user's, and no TEMPORAL_* that would change what it does.
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      log,
      cwd: options.cwd,
    });
    const server = { process: started.process, port, uiPort };
    await options.onStarted?.(server);
    const isReady = () => servesNamespace(`127.0.0.1:${port}`, options.namespace);
    const problem = await waitUntilReady(started, isReady, 60_000);
    if (!problem) return server;
    await endProcess(started.process, 2_000);
    return { problem, said: await log.newLines() };
  } finally {
    await log.close();
  }
}

function commandArguments(options: TemporalServerOptions, port: number, uiPort: number | null): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
    ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(options.dbFile === null ? [] : ['--db-filename', options.dbFile, ...FILE_PRAGMAS]),
    ...(options.namespace === 'default' ? [] : ['--namespace', options.namespace]),
    ...['--search-attribute', 'bench_id=Keyword', '--log-level', 'warn'],
    ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=1000'],
  ];
}

/**
 * SQLite's own default writes a journal file and syncs it several times for each of the server's many small
 * transactions. With a write-ahead log a killed server loses nothing, and a machine that loses power at most its last
 * moments; a bench's results do not lie there.
 */
const FILE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'].flatMap((it) => ['--sqlite-pragma', it]);

/** Whether a Temporal server answers at this address and has this namespace. */
export async function servesNamespace(address: string, namespace: string): Promise<boolean> {
  const { Connection } = require('@temporalio/client') as typeof import('@temporalio/client');
  const connection = await Connection.connect({ address, connectTimeout: 1_000 }).catch(() => null);
  if (!connection) {
    await sleep(50);
    return false;
  }
  try {
    await connection.withDeadline(Date.now() + 5_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function quote(said: string[]): string {
  const worst = said.findLast((line) => /error|fatal|panic/i.test(line)) ?? said.at(-1);
  return worst ? `: ${worst.slice(0, 300)}` : '';
}
