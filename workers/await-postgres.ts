import { setTimeout as sleep } from 'node:timers/promises';
import { pendingMigrations } from '../db/migrate';

const RETRY_MS = 2_000;

/**
 * Waits until Postgres answers, and makes sure that its schema is this code's.
 * @param say is told in a line that it waits, and that it need not any more
 * @throws Error naming the migrations that lack; whatever Postgres refuses, a password say
 */
export async function awaitSchema(databaseUrl: string, say: (line: string) => void): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const pending = await pendingMigrations(databaseUrl);
      if (tries > 0) say('Postgres answers');
      if (pending.length === 0) return;
      throw new Error(`the database lacks ${pending.join(', ')} (run: co-scientist migrate)`);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (tries === 0) say('Postgres does not answer; waiting for it');
      await sleep(RETRY_MS);
    }
  }
}

/** Nobody listens, it is starting or stopping (57P…), or it has no connection to spare (53300). */
function isAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (/^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|57P0[123]|53300)$/.test(code)) return true;
  return /connection timeout|Connection terminated|timeout exceeded when trying to connect/.test(message);
}
