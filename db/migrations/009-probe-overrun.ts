import { type Kysely, sql } from 'kysely';

/**
 * A probe that cost more than its bound closes no scope: it says nothing about the calls that the cap is for. It used to
 * close them and whoever booked it opened them again, also where another call's overrun had closed them before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(holdCharge("NEW.overrun_usd > 0 AND NEW.kind <> 'probe'")).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(holdCharge('NEW.overrun_usd > 0')).execute(db);
}

/** As 007 has it, but for which call counts as an overrun. */
function holdCharge(isOverrun: string): string {
  return `
  CREATE OR REPLACE FUNCTION bench_hold_charge() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    delta numeric := NEW.charged_usd - CASE WHEN TG_OP = 'UPDATE' THEN OLD.charged_usd ELSE 0 END;
    has_overrun boolean := ${isOverrun}
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
}
