import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../db/database';

/** Until so many statements of this database wait for a lock, behind each other or not. */
export async function untilWaiting(db: Database, count: number): Promise<void> {
  const waiting = sql<{ n: number }>`
    SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while (((await waiting.execute(db)).rows[0]?.n ?? 0) < count) await sleep(5);
}
