import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../scripts/stack/free-port';
import { awaitSchema } from '../../workers/await-postgres';
import { runWorker } from '../../workers/run-worker';
import { testDatabaseOfFile } from '../stack/test-database';
import { until } from '../workflows/until';

const database = testDatabaseOfFile();

/** Postgres at another port, as one that has just come up there. */
async function passOn(port: number): Promise<{ stop(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const there = connect(Number(new URL(database.workerUrl).port), '127.0.0.1');
    for (const one of [socket, there]) sockets.add(one.on('error', () => {}));
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a worker that starts before Postgres waits for it, and says so in 2 lines', async () => {
  const url = new URL(database.workerUrl);
  url.port = String(await freePort());
  const lines: string[] = [];
  const ready = awaitSchema(url.href, (line) => lines.push(line));
  await until('it waits', async () => lines.length > 0);
  const postgres = await passOn(Number(url.port));
  await ready;
  postgres.stop();
  expect(lines).toEqual(['Postgres does not answer; waiting for it', 'Postgres answers']);
});

test('queues with 2 wrong names are refused at once where Postgres is away, instead of waiting for it', async () => {
  const url = new URL(database.workerUrl);
  url.port = String(await freePort());
  await expect(runWorker({ DATABASE_URL: url.href }, 'row,provider.opnai')).rejects.toMatchObject({
    name: 'UnservableQueues',
    problems: [
      expect.stringContaining('no queue "row"'),
      expect.stringContaining('no queue "provider.opnai"'),
    ],
  });
});

test('a password that is wrong is no outage: it is told at once', async () => {
  const url = new URL(database.workerUrl);
  url.password = 'wrong';
  await expect(awaitSchema(url.href, () => {})).rejects.toMatchObject({ code: '28P01' });
});
