import { sql } from 'kysely';
import { openDatabase } from './database';

/** What a connection's role may do about gold hits. */
export interface GradingAccess {
  /** `current_user`. */
  role: string;
  mayGrade: boolean;
}

/** Whether a role may write what came of an answer key: `bench_grader` may, `bench_worker` may not, one role may all. */
export async function readGradingAccess(url: string): Promise<GradingAccess> {
  const db = openDatabase<unknown>(url, { maxConnections: 1 });
  try {
    const { rows } = await sql<GradingAccess>`
      SELECT current_user AS role, has_table_privilege('bench_gold_hits', 'INSERT') AS "mayGrade"`.execute(
      db,
    );
    const [access] = rows;
    if (!access) throw new Error('no answer of Postgres on the rights of this role');
    return access;
  } finally {
    await db.destroy();
  }
}
