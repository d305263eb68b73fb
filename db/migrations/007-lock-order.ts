import { type Kysely, sql } from 'kysely';

/**
 * Whoever changes a call locks its scopes before it writes the call's row, as whoever admits one does. The other way
 * round, a call that was being settled and a caller that asked for the same attempt could wait for each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION bench_lock_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM bench_budgets WHERE id = ANY (NEW.scope_ids) ORDER BY id FOR UPDATE;
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER bench_lock_scopes BEFORE UPDATE OF state ON bench_llm_calls
      FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state)
      EXECUTE FUNCTION bench_lock_scopes()`.execute(db);
  await sql.raw(holdCharge).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TRIGGER bench_lock_scopes ON bench_llm_calls`.execute(db);
  await sql`DROP FUNCTION bench_lock_scopes()`.execute(db);
}

/** As before, less the lock that is held by now. */
const holdCharge = `
  CREATE OR REPLACE FUNCTION bench_hold_charge() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    delta numeric := NEW.charged_usd - CASE WHEN TG_OP = 'UPDATE' THEN OLD.charged_usd ELSE 0 END;
    has_overrun boolean := NEW.overrun_usd > 0
      AND (TG_OP = 'INSERT' OR OLD.overrun_usd IS DISTINCT FROM NEW.overrun_usd);
  BEGIN
    IF delta <> 0 OR has_overrun THEN
      UPDATE bench_budgets
         SET held_usd = held_usd + delta,
             closed_by = CASE WHEN has_overrun AND cap_usd IS NOT NULL THEN NEW.key ELSE closed_by END
       WHERE id = ANY (NEW.scope_ids);
    END IF;
    IF NEW.state = 'settled' AND NEW.input_tok IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.state <> 'settled') THEN
      INSERT INTO bench_token_rates AS r
      VALUES (NEW.bench_id, NEW.provider, NEW.model, 1, NEW.input_tok::double precision / NEW.request_bytes)
      ON CONFLICT (bench_id, provider, model) DO UPDATE
        SET n_settled = r.n_settled + 1,
            max_tokens_per_byte = greatest(r.max_tokens_per_byte, EXCLUDED.max_tokens_per_byte);
    END IF;
    RETURN NULL;
  END $$`;
