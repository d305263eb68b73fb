import { Client } from 'pg';

/** A row that nobody else may change meanwhile, and those who wait for it. */
export interface RowHold {
  /** Statements that wait for it, as they begin. */
  waiting(): Promise<string[]>;
  /** Ends the sessions that wait, as if their connections had broken: their statements are undone. */
  endWaiting(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks a row from outside. Whoever needs it stops at exactly that statement: how a chaos run finds the moment
 * between an answer and its booking, or between the booking and what follows.
 * @param url of the role whose sessions it is about
 */
export async function holdRow(
  url: string,
  table: 'bench_budgets' | 'bench_hypotheses' | 'bench_matches',
  id: string,
): Promise<RowHold> {
  const [holder, watcher] = [new Client(url), new Client(url)];
  for (const client of [holder, watcher]) client.on('error', () => undefined);
  await Promise.all([holder.connect(), watcher.connect()]);
  await holder.query('BEGIN');
  await holder.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid;
  const blocked = 'FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
  return {
    async waiting() {
      const found = await watcher.query<{ query: string }>(`SELECT query ${blocked}`, [pid]);
      return found.rows.map(({ query }) => query.trim().slice(0, 120));
    },
    async endWaiting() {
      for (;;) {
        const found = await watcher.query(`SELECT pg_terminate_backend(pid) ${blocked}`, [pid]);
        if (found.rowCount === 0) return;
      }
    },
    async release() {
      await holder.query('ROLLBACK');
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}
