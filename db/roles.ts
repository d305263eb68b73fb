import { type Kysely, sql } from 'kysely';

/** The rights of the two roles that work, table by table; the owner of the tables has all. */
interface Rights {
  worker: Right;
  grader: Right;
}
type Right = 'none' | 'read' | 'write';

/** What a table has that is not named below: the worker's to write, the grader's to read. */
const ORDINARY: Rights = { worker: 'write', grader: 'read' };
/** What came of an answer key, in sum. */
const GRADED: Rights = { worker: 'read', grader: 'write' };
/** Loaded by the owner, once and for good. */
const LOADED: Rights = { worker: 'read', grader: 'read' };

const RIGHTS: Record<string, Rights> = {
  bench_migrations: LOADED,
  bench_migrations_lock: LOADED,
  bench_gold_hits: GRADED,
  bench_rescores: GRADED,
  bench_scipivot_sets: LOADED,
  bench_scipivot_prompts: LOADED,
  // Answer keys, and what is as good as one: no candidate's worker may see them.
  bench_scipivot_keys: { worker: 'none', grader: 'read' },
  bench_scipivot_references: { worker: 'none', grader: 'read' },
  bench_scipivot_case_scores: { worker: 'none', grader: 'write' },
  bench_scipivot_scores: GRADED,
  bench_scipivot_comparisons: GRADED,
};

/** Tables that `bench_grader` alone may read. */
export const SECRET_TABLES: readonly string[] = Object.keys(RIGHTS).filter(
  (table) => RIGHTS[table]?.worker === 'none',
);

/**
 * Gives `bench_worker` and `bench_grader` what they need, where these roles exist (elsewhere one role does it all).
 * Idempotent, and all at once: a worker that runs meanwhile never lacks a right.
 */
export async function grantRoles(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(grantAll);
}

async function grantAll(db: Kysely<unknown>): Promise<void> {
  const roles = await sql<{ name: 'bench_worker' | 'bench_grader' }>`
    SELECT rolname AS name FROM pg_roles WHERE rolname IN ('bench_worker', 'bench_grader')`.execute(db);
  const tables = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tablename LIKE 'bench\\_%' ORDER BY 1`.execute(db);
  for (const { name: role } of roles.rows) {
    await sql`GRANT USAGE ON SCHEMA ${sql.id(await currentSchema(db))} TO ${sql.id(role)}`.execute(db);
    for (const { name: table } of tables.rows) {
      await sql`REVOKE ALL ON ${sql.id(table)} FROM ${sql.id(role)}`.execute(db);
      const right = (RIGHTS[table] ?? ORDINARY)[role === 'bench_worker' ? 'worker' : 'grader'];
      if (right === 'none') continue;
      const rights = right === 'write' ? sql`SELECT, INSERT, UPDATE, DELETE` : sql`SELECT`;
      await sql`GRANT ${rights} ON ${sql.id(table)} TO ${sql.id(role)}`.execute(db);
    }
  }
  for (const table of SECRET_TABLES) await sql`REVOKE ALL ON ${sql.id(table)} FROM PUBLIC`.execute(db);
}

async function currentSchema(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT current_schema() AS name`.execute(db);
  return rows[0]?.name ?? 'public';
}
