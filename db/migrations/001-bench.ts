import { type Kysely, sql } from 'kysely';

/** Benches, their candidates, hypotheses, matches and verdicts, and the ledger of paid calls with its budgets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...benchTables, ...ledgerTables, holdTrigger])
    await sql.raw(statement).execute(db);
}

const benchTables = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  `CREATE TABLE bench_runs (
    id text PRIMARY KEY,
    namespace text NOT NULL,
    workflow_id text NOT NULL,
    first_run_id text NOT NULL,
    epoch integer NOT NULL DEFAULT 1,
    state text NOT NULL CHECK (state IN ('planned','running','paused','finished','failed','cancelled')),
    preset text,
    goal text NOT NULL,
    gold_set text,
    seed bigint NOT NULL,
    session text NOT NULL,
    input text NOT NULL,
    plan jsonb NOT NULL,
    offered_tools json,
    failure_kind text,
    failure_detail text,
    hold_reason text,
    summary jsonb,
    ratings jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,
    UNIQUE (namespace, workflow_id, first_run_id)
  )`,
  `CREATE TABLE bench_candidates (
    id text PRIMARY KEY,
    bench_id text NOT NULL REFERENCES bench_runs,
    position integer NOT NULL,
    label text NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    mode text NOT NULL CHECK (mode IN ('pipeline','direct')),
    state text NOT NULL CHECK (state IN ('planned','generating','ready','over_budget','dropped','failed')),
    failure_kind text,
    hold_reason text,
    n_planned integer NOT NULL,
    n_hypotheses integer NOT NULL DEFAULT 0,
    wins integer NOT NULL DEFAULT 0,
    losses integer NOT NULL DEFAULT 0,
    ties integer NOT NULL DEFAULT 0,
    mean_elo numeric,
    top_elo numeric,
    bt_elo numeric,
    bt_low numeric,
    bt_high numeric,
    gold_hits integer,
    gold_hit_names text,
    total_cost_usd numeric NOT NULL DEFAULT 0,
    n_unknown_cost integer NOT NULL DEFAULT 0,
    in_doubt_usd numeric NOT NULL DEFAULT 0,
    total_input_tok bigint NOT NULL DEFAULT 0,
    total_output_tok bigint NOT NULL DEFAULT 0,
    UNIQUE (bench_id, label),
    UNIQUE (bench_id, position)
  )`,
  `CREATE TABLE bench_hypotheses (
    id text PRIMARY KEY,
    bench_id text NOT NULL REFERENCES bench_runs,
    candidate_id text NOT NULL REFERENCES bench_candidates,
    k integer NOT NULL CHECK (k >= 1),
    public_id text NOT NULL UNIQUE,
    state text NOT NULL CHECK (state IN
      ('planned','draft','reviewed','in_tournament','failed','duplicate','over_budget')),
    failure_kind text,
    failure_detail text,
    draft_kind text CHECK (draft_kind IN ('original','nudged')),
    duplicate_of text REFERENCES bench_hypotheses,
    title text,
    summary text,
    full_text text,
    mechanism text,
    entities jsonb,
    citations jsonb,
    unsupported_citations jsonb,
    falsification text,
    content_sha256 text,
    elo numeric,
    UNIQUE (candidate_id, k)
  )`,
  'CREATE INDEX ON bench_hypotheses (bench_id)',
  `CREATE TABLE bench_tool_calls (
    hypothesis_id text NOT NULL REFERENCES bench_hypotheses,
    turn integer NOT NULL,
    index integer NOT NULL,
    bench_id text NOT NULL REFERENCES bench_runs,
    call_id text NOT NULL,
    tool text NOT NULL,
    arguments text,
    arguments_sha256 text NOT NULL,
    repeats_turn integer,
    repeats_index integer,
    state text NOT NULL CHECK (state IN ('planned','answered')),
    outcome text CHECK (outcome IN ('found','nothing_found','part_found','refused','failed')),
    failure_kind text,
    answer text,
    documents jsonb,
    cache text CHECK (cache IN ('hit','miss')),
    withheld_count integer,
    latency_ms integer,
    PRIMARY KEY (hypothesis_id, turn, index)
  )`,
  'CREATE INDEX ON bench_tool_calls (bench_id)',
  `CREATE TABLE bench_reviews (
    hypothesis_id text PRIMARY KEY REFERENCES bench_hypotheses,
    bench_id text NOT NULL REFERENCES bench_runs,
    reviewer text NOT NULL,
    state text NOT NULL CHECK (state IN ('valid','invalid')),
    reason text,
    detail text,
    review jsonb,
    call_key text NOT NULL
  )`,
  'CREATE INDEX ON bench_reviews (bench_id)',
  `CREATE TABLE bench_matches (
    id text PRIMARY KEY,
    bench_id text NOT NULL REFERENCES bench_runs,
    index integer NOT NULL,
    cand_a text NOT NULL REFERENCES bench_candidates,
    cand_b text NOT NULL REFERENCES bench_candidates,
    hyp_a text NOT NULL REFERENCES bench_hypotheses,
    hyp_b text NOT NULL REFERENCES bench_hypotheses,
    state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned','played','unplayed')),
    reason text,
    winner text CHECK (winner IN ('a','b','tie')),
    score_a numeric CHECK (score_a BETWEEN 0 AND 1),
    agreement text CHECK (agreement IN ('agreed','half_flip','flip')),
    rationale text,
    judge_cost_usd numeric,
    UNIQUE (bench_id, index)
  )`,
  `CREATE TABLE bench_verdicts (
    match_id text NOT NULL REFERENCES bench_matches,
    "order" text NOT NULL CHECK ("order" IN ('ab','ba')),
    judge text NOT NULL,
    bench_id text NOT NULL REFERENCES bench_runs,
    state text NOT NULL CHECK (state IN ('valid','invalid')),
    winner_position text CHECK (winner_position IN ('first','second','tie')),
    reason text,
    detail text,
    rationale text,
    scores jsonb,
    call_key text NOT NULL,
    PRIMARY KEY (match_id, "order", judge)
  )`,
  'CREATE INDEX ON bench_verdicts (bench_id)',
  `CREATE TABLE bench_gold_hits (
    hypothesis_id text NOT NULL REFERENCES bench_hypotheses,
    gold_set text NOT NULL,
    entity text NOT NULL,
    field text NOT NULL,
    bench_id text NOT NULL REFERENCES bench_runs,
    alias text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('proposed','mentioned')),
    excerpt text NOT NULL,
    origin text NOT NULL CHECK (origin IN ('model','tool','prompt')),
    origin_document text,
    PRIMARY KEY (hypothesis_id, gold_set, entity, field)
  )`,
  'CREATE INDEX ON bench_gold_hits (bench_id)',
];

/** Requests and answers are text, not jsonb: they stay as they came, however deep, NUL escapes included. */
const ledgerTables = [
  `CREATE TABLE bench_budgets (
    id text PRIMARY KEY,
    bench_id text NOT NULL REFERENCES bench_runs,
    kind text NOT NULL CHECK (kind IN ('candidate','judge','bench')),
    cap_usd numeric CHECK (cap_usd >= 0),
    held_usd numeric NOT NULL DEFAULT 0,
    exceeded_cap_usd numeric,
    closed_by text
  )`,
  'CREATE INDEX ON bench_budgets (bench_id)',
  `CREATE TABLE bench_llm_calls (
    key text NOT NULL,
    attempt integer NOT NULL CHECK (attempt >= 1),
    bench_id text NOT NULL REFERENCES bench_runs,
    epoch integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('probe','generation','review','judge','debate','scipivot','rubric')),
    provider text NOT NULL,
    model text NOT NULL,
    scope_ids text[] NOT NULL,
    state text NOT NULL CHECK (state IN ('sent','settled','failed','in_doubt','superseded')),
    request_sha256 text NOT NULL,
    request text NOT NULL,
    request_bytes integer NOT NULL,
    response text,
    request_id text,
    reported_model text,
    failure_kind text,
    http_status integer,
    bound_usd numeric NOT NULL CHECK (bound_usd >= 0),
    reported_usd numeric,
    computed_usd numeric,
    cost_usd numeric GENERATED ALWAYS AS (coalesce(reported_usd, computed_usd)) STORED,
    charged_usd numeric GENERATED ALWAYS AS (
      CASE WHEN state IN ('sent','in_doubt') THEN bound_usd
           ELSE coalesce(reported_usd, computed_usd, bound_usd) END) STORED,
    overrun_usd numeric GENERATED ALWAYS AS (
      greatest(coalesce(reported_usd, computed_usd) - bound_usd, 0)) STORED,
    input_tok bigint,
    cached_input_tok bigint,
    cache_write_tok bigint,
    output_tok bigint,
    reasoning_tok bigint,
    lease_until timestamptz NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    latency_ms integer,
    PRIMARY KEY (key, attempt)
  )`,
  `CREATE UNIQUE INDEX bench_llm_calls_one_accepted ON bench_llm_calls (key) WHERE state = 'settled'`,
  'CREATE INDEX ON bench_llm_calls (bench_id)',
  `CREATE INDEX bench_llm_calls_out ON bench_llm_calls (bench_id) WHERE state = 'sent'`,
  `CREATE TABLE bench_token_rates (
    bench_id text NOT NULL REFERENCES bench_runs,
    provider text NOT NULL,
    model text NOT NULL,
    n_settled integer NOT NULL,
    max_tokens_per_byte double precision NOT NULL,
    PRIMARY KEY (bench_id, provider, model)
  )`,
];

/**
 * Whatever changes a call's charge changes what its scopes hold, in the same transaction and with the scopes
 * locked in the order of their ids: held_usd is the ledger's sum by construction. A call that cost more than its
 * bound closes those of its scopes that have a cap to keep.
 */
const holdTrigger = `
  CREATE FUNCTION bench_hold_charge() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    delta numeric := NEW.charged_usd - CASE WHEN TG_OP = 'UPDATE' THEN OLD.charged_usd ELSE 0 END;
    has_overrun boolean := NEW.overrun_usd > 0
      AND (TG_OP = 'INSERT' OR OLD.overrun_usd IS DISTINCT FROM NEW.overrun_usd);
  BEGIN
    IF delta <> 0 OR has_overrun THEN
      PERFORM 1 FROM bench_budgets WHERE id = ANY (NEW.scope_ids) ORDER BY id FOR UPDATE;
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
  END $$;
  CREATE TRIGGER bench_hold_charge AFTER INSERT OR UPDATE ON bench_llm_calls
    FOR EACH ROW EXECUTE FUNCTION bench_hold_charge();`;
