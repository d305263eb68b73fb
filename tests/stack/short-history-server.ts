import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../scripts/stack/free-port';
import { servesNamespace } from '../../scripts/stack/temporal-server';
import { until } from '../workflows/until';

const SHORT_HISTORY_EVENTS = 60;

/** A Temporal server that suggests a new run after some 60 events rather than 4,096, so that a history with one is short. */
export async function startShortHistoryServer(
  executable: string,
): Promise<{ address: string; stop(): Promise<void> }> {
  const port = await freePort();
  const limit = `limit.historyCount.suggestContinueAsNew=${SHORT_HISTORY_EVENTS}`;
  const place = ['--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'];
  const server = spawn(executable, ['server', 'start-dev', ...place, '--dynamic-config-value', limit], {
    stdio: 'ignore',
  });
  const address = `127.0.0.1:${port}`;
  await until('the server serves', () => servesNamespace(address, 'default'));
  return {
    address,
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'close');
    },
  };
}
