import { type Kysely, sql } from 'kysely';

/** The literature gateway's rate limits and its shared answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE bench_host_slots (
      host text PRIMARY KEY,
      next_at timestamptz NOT NULL,
      lease_owner text,
      lease_until timestamptz,
      CHECK ((lease_owner IS NULL) = (lease_until IS NULL))
    )`.execute(db);
  await sql`
    CREATE TABLE bench_literature_cache (
      key text PRIMARY KEY,
      tool text NOT NULL,
      request jsonb NOT NULL,
      answer jsonb NOT NULL,
      received_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      hits bigint NOT NULL DEFAULT 0,
      last_hit_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX bench_literature_cache_expiry ON bench_literature_cache (expires_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TABLE bench_literature_cache`.execute(db);
  await sql`DROP TABLE bench_host_slots`.execute(db);
}
