import { type Kysely, sql } from 'kysely';

/** Matches judged in one order, and verdicts asked for again in the same order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `ALTER TABLE bench_matches
     ADD COLUMN one_order text CHECK (one_order IN ('ab','ba')),
     ADD COLUMN repeats integer NOT NULL DEFAULT 0 CHECK (repeats >= 0)`,
  'ALTER TABLE bench_verdicts ADD COLUMN repeat integer NOT NULL DEFAULT 0 CHECK (repeat >= 0)',
  'ALTER TABLE bench_verdicts DROP CONSTRAINT bench_verdicts_pkey',
  'ALTER TABLE bench_verdicts ADD PRIMARY KEY (match_id, "order", judge, repeat)',
];

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`DELETE FROM bench_verdicts WHERE repeat > 0`.execute(db);
  await sql`ALTER TABLE bench_verdicts DROP CONSTRAINT bench_verdicts_pkey`.execute(db);
  await sql`ALTER TABLE bench_verdicts ADD PRIMARY KEY (match_id, "order", judge)`.execute(db);
  await sql`ALTER TABLE bench_verdicts DROP COLUMN repeat`.execute(db);
  await sql`ALTER TABLE bench_matches DROP COLUMN one_order, DROP COLUMN repeats`.execute(db);
}
