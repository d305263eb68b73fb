import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTelemetryFilterString, type NativeConnection, Runtime } from '@temporalio/worker';
import { freePort } from '../../scripts/stack/free-port';
import { endProcess } from '../../scripts/stack/own-process';
import { type RunningTemporal, startTemporal } from '../../scripts/stack/temporal-server';
import { connectTemporal, watchTemporal } from '../../workers/temporal-connection';
import { testTemporal } from '../stack/test-temporal';
import { until } from '../workflows/until';

Runtime.install({ telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } } });

let folder: string;
let server: RunningTemporal | undefined;
let connection: NativeConnection | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'co-scientist-away-'));
});
afterAll(async () => {
  await connection?.close();
  await endProcess(server?.process, 5_000, ['SIGKILL']);
  await rm(folder, { recursive: true, force: true });
});

async function startServer(port: number): Promise<void> {
  server = await startTemporal({
    executable: testTemporal().executable,
    dbFile: null,
    logFile: join(folder, 'temporal.log'),
    namespace: 'default',
    wanted: { grpc: [port], ui: null },
    cwd: folder,
  });
}

test('a worker that starts before its server waits, one that loses it waits, and each is said once in a line', async () => {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const connecting = connectTemporal({ address }, say);
  await until('it waits', async () => lines.length > 0);
  await startServer(port);
  connection = await connecting;
  expect(lines).toEqual([
    `Temporal at ${address} does not answer; waiting for it`,
    `Temporal at ${address} answers`,
  ]);
  lines.length = 0;
  const stop = watchTemporal(connection, address, say, 300);
  await endProcess(server?.process, 5_000, ['SIGKILL']);
  await until('its loss is said', async () => lines.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // three looks more
  await startServer(port);
  if (server?.port === port) await until('its return is said', async () => lines.length > 1);
  stop();
  expect(lines).toEqual(
    [`Temporal at ${address} is away; waiting for it`, `Temporal at ${address} is back`].slice(
      0,
      lines.length,
    ),
  );
});
