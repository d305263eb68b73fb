import { type Kysely, sql } from 'kysely';

/** Tables that only the grader may write: what a candidate scored against an answer key. */
const GRADER_TABLES = ['bench_gold_hits'];

/**
 * Gives `bench_worker` and `bench_grader` what they need, where these roles exist (elsewhere one role does it all).
 * Idempotent.
 */
export async function grantRoles(db: Kysely<unknown>): Promise<void> {
  const roles = await sql<{ name: string }>`
    SELECT rolname AS name FROM pg_roles WHERE rolname IN ('bench_worker', 'bench_grader')`.execute(db);
  const tables = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tablename LIKE 'bench\\_%' ORDER BY 1`.execute(db);
  for (const { name: role } of roles.rows) {
    await sql`GRANT USAGE ON SCHEMA ${sql.id(await currentSchema(db))} TO ${sql.id(role)}`.execute(db);
    for (const { name: table } of tables.rows) {
      await sql`REVOKE ALL ON ${sql.id(table)} FROM ${sql.id(role)}`.execute(db);
      const rights = mayWrite(role, table) ? sql`SELECT, INSERT, UPDATE, DELETE` : sql`SELECT`;
      await sql`GRANT ${rights} ON ${sql.id(table)} TO ${sql.id(role)}`.execute(db);
    }
  }
}

function mayWrite(role: string, table: string): boolean {
  if (table.startsWith('bench_migrations')) return false;
  return (role === 'bench_grader') === GRADER_TABLES.includes(table);
}

async function currentSchema(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT current_schema() AS name`.execute(db);
  return rows[0]?.name ?? 'public';
}
