import { type Kysely, sql } from 'kysely';

/** Nightlies, their baselines (what every night is held against), nights, and what each said of each candidate. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db);
}

const tables = [
  `CREATE TABLE bench_nightlies (
    id text PRIMARY KEY,
    name text NOT NULL,
    input text NOT NULL,
    budget_usd numeric NOT NULL CHECK (budget_usd > 0),
    alpha numeric NOT NULL CHECK (alpha > 0 AND alpha < 1),
    seed bigint NOT NULL,
    on_regression_kind text CHECK (on_regression_kind IN ('command','webhook')),
    on_regression text,
    baseline integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at timestamptz,
    CHECK ((on_regression_kind IS NULL) = (on_regression IS NULL))
  )`,
  'CREATE UNIQUE INDEX ON bench_nightlies (name) WHERE deleted_at IS NULL',
  `CREATE TABLE bench_nightly_baselines (
    nightly_id text NOT NULL REFERENCES bench_nightlies,
    baseline integer NOT NULL CHECK (baseline >= 1),
    pinned_bench text REFERENCES bench_runs,
    opponents jsonb NOT NULL,
    anchors jsonb NOT NULL,
    accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (nightly_id, baseline)
  )`,
  `CREATE TABLE bench_nights (
    nightly_id text NOT NULL REFERENCES bench_nightlies,
    night integer NOT NULL CHECK (night >= 1),
    kind text NOT NULL CHECK (kind IN ('baseline','measured')),
    baseline integer NOT NULL,
    namespace text NOT NULL,
    workflow_id text NOT NULL,
    first_run_id text NOT NULL,
    bench_id text UNIQUE REFERENCES bench_runs,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    judged_at timestamptz,
    anchors jsonb,
    judge_value double precision,
    judge_highest double precision,
    has_judge_drifted boolean,
    models jsonb,
    changes jsonb,
    told_state text CHECK (told_state IN ('telling','told','failed')),
    told_detail text,
    PRIMARY KEY (nightly_id, night),
    UNIQUE (namespace, workflow_id, first_run_id)
  )`,
  `CREATE TABLE bench_night_candidates (
    nightly_id text NOT NULL,
    night integer NOT NULL,
    position integer NOT NULL,
    label text NOT NULL,
    score double precision CHECK (score BETWEEN 0 AND 1),
    played integer NOT NULL,
    planned integer NOT NULL,
    nights integer NOT NULL,
    drop_value double precision NOT NULL,
    gain_value double precision NOT NULL,
    highest_drop double precision NOT NULL,
    highest_gain double precision NOT NULL,
    attainable double precision NOT NULL,
    verdict text NOT NULL
      CHECK (verdict IN ('regressed','improved','no_change','underpowered','judge_drift')),
    PRIMARY KEY (nightly_id, night, label),
    FOREIGN KEY (nightly_id, night) REFERENCES bench_nights
  )`,
];

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'bench_night_candidates',
    'bench_nights',
    'bench_nightly_baselines',
    'bench_nightlies',
  ]) {
    await sql`DROP TABLE ${sql.id(table)}`.execute(db);
  }
}
