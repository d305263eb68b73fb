import { type Kysely, sql } from 'kysely';

/** Scores of a bench's work by a judge's rubric, after the fact, with a budget of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'ALTER TABLE bench_budgets DROP CONSTRAINT bench_budgets_kind_check',
  `ALTER TABLE bench_budgets
     ADD CONSTRAINT bench_budgets_kind_check CHECK (kind IN ('candidate','judge','bench','rubric'))`,
  `CREATE TABLE bench_rubric_scores (
    bench_id text NOT NULL REFERENCES bench_runs,
    agent text NOT NULL CHECK (agent IN ('generation','reflection','ranking','overview')),
    version integer NOT NULL CHECK (version >= 1),
    subject text NOT NULL,
    judge text NOT NULL,
    call_key text NOT NULL,
    state text NOT NULL CHECK (state IN ('valid','invalid')),
    marks jsonb,
    reason text,
    detail text,
    PRIMARY KEY (bench_id, agent, version, subject, judge)
  )`,
];

/** Calls that were made for scores stay in the ledger. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TABLE bench_rubric_scores`.execute(db);
  await sql`DELETE FROM bench_budgets WHERE kind = 'rubric'`.execute(db);
  await sql`ALTER TABLE bench_budgets DROP CONSTRAINT bench_budgets_kind_check`.execute(db);
  await sql`ALTER TABLE bench_budgets
    ADD CONSTRAINT bench_budgets_kind_check CHECK (kind IN ('candidate','judge','bench'))`.execute(db);
}
