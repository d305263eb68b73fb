import { type Kysely, sql } from 'kysely';

/**
 * A bench held against a gold set after the fact, beside what it was scored by at run time. json, not jsonb: the order
 * of the keys is that of the files made from it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE bench_rescores (
    bench_id text NOT NULL REFERENCES bench_runs,
    gold_set text NOT NULL,
    version integer NOT NULL CHECK (version >= 1),
    origin text NOT NULL CHECK (origin IN ('registered','file')),
    definition json NOT NULL,
    candidates json NOT NULL,
    hits json NOT NULL,
    rescored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (bench_id, gold_set, version)
  )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TABLE bench_rescores`.execute(db);
}
