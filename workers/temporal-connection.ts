import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';

const RETRY_MS = 2_000;
const LOOK_MS = 5_000;

/**
 * Connects to Temporal, however long that takes: a worker may well be started before its server.
 * @param say is told in a line that it waits, and that it need not any more
 * @throws what is wrong when the server answers and refuses
 */
export async function connectTemporal(
  options: NativeConnectionOptions,
  say: (line: string) => void,
): Promise<NativeConnection> {
  const address = options.address ?? 'localhost:7233';
  for (let tries = 0; ; tries += 1) {
    try {
      const connection = await NativeConnection.connect(options);
      if (tries > 0) say(`Temporal at ${address} answers`);
      return connection;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (tries === 0) say(`Temporal at ${address} does not answer; waiting for it`);
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Says when Temporal is lost and when it is back. Nothing else is to be done: the workers ask again by themselves, and
 * calls that are out go on.
 * @param lookMs between two looks, in milliseconds
 * @returns ends the watch
 */
export function watchTemporal(
  connection: NativeConnection,
  address: string,
  say: (line: string) => void,
  lookMs = LOOK_MS,
): () => void {
  let isLost = false;
  const look = async (): Promise<void> => {
    const answers = await connection
      .withDeadline(Date.now() + lookMs, () => connection.workflowService.getSystemInfo({}))
      .then(
        () => true,
        (error: unknown) => !isAway(error),
      );
    if (answers === !isLost) return;
    isLost = !answers;
    say(isLost ? `Temporal at ${address} is away; waiting for it` : `Temporal at ${address} is back`);
  };
  const timer = setInterval(() => void look(), lookMs);
  return () => clearInterval(timer);
}

/** Whether a failure says that nobody is there, or nobody in time; not that somebody refuses. */
function isAway(error: unknown): boolean {
  const { name = '', message = '', code } = error as { name?: string; message?: string; code?: unknown };
  if (code === 14 || code === 4) return true; // UNAVAILABLE, DEADLINE_EXCEEDED
  return name === 'TransportError' && !/authenticat|permission|certificate|tls/i.test(message);
}
