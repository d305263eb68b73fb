import { setTimeout as sleep } from 'node:timers/promises';
import type { TemporalEndpoint } from './given-temporal';
import type { StackHome } from './home';
import { obtainTemporalCli } from './obtain-temporal-cli';
import { endProcess, isAlive, processesWithArgument } from './own-process';
import type { StackRecord } from './stack-record';
import { servesNamespace, startTemporal } from './temporal-server';

type TemporalRecord = NonNullable<StackRecord['temporal']>;

/** The ports of Temporal's own documentation, so that its CLI finds the server without an --address. */
const USUAL_PORTS = { grpc: 7233, ui: 8233 };

/**
 * Starts the local Temporal server unless it runs and serves the namespace.
 * @param remember called as soon as a process exists, so that not even a killed command loses it
 * @throws CliError when there is no Temporal CLI to be had, or the server does not start
 */
export async function ensureTemporal(
  home: StackHome,
  before: TemporalRecord | undefined,
  options: {
    namespace: string;
    report: (line: string) => void;
    remember: (now: TemporalRecord) => Promise<void>;
  },
): Promise<TemporalRecord> {
  const { namespace, report, remember } = options;
  if (before?.namespace === namespace && (await stillServes(before))) return before;
  await endTemporal(home, before);
  const cli = await obtainTemporalCli(report);
  const about = { namespace, executable: cli.executable, version: cli.serverVersion };
  const server = await startTemporal({
    executable: cli.executable,
    dbFile: home.temporalDb,
    logFile: `${home.logs}/temporal.log`,
    namespace,
    wanted: { grpc: [before?.port, USUAL_PORTS.grpc], ui: [before?.uiPort, USUAL_PORTS.ui] },
    cwd: home.root,
    onStarted: ({ process, port, uiPort }) => remember({ ...about, process, port, uiPort: uiPort ?? 0 }),
  });
  return { ...about, process: server.process, port: server.port, uiPort: server.uiPort ?? 0 };
}

/**
 * Ends the local server; also one that no record tells of, for two servers on one file would spoil it.
 * @returns whether one was running
 */
export async function endTemporal(home: StackHome, record: TemporalRecord | undefined): Promise<boolean> {
  const strays = await processesWithArgument(home.temporalDb);
  const ended = await Promise.all([record?.process, ...strays].map((own) => endProcess(own, 10_000)));
  return ended.includes(true);
}

export function localEndpoint(record: TemporalRecord): TemporalEndpoint {
  const address = `127.0.0.1:${record.port}`;
  return { address, namespace: record.namespace, connectionOptions: { address }, isOurs: true };
}

/** A server that was just started by a command that was killed may still be on its way. */
async function stillServes(record: TemporalRecord): Promise<boolean> {
  const until = Date.now() + 10_000;
  while (await isAlive(record.process)) {
    if (await servesNamespace(`127.0.0.1:${record.port}`, record.namespace)) return true;
    if (Date.now() > until) return false;
    await sleep(100);
  }
  return false;
}
