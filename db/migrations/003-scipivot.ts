import { type Kysely, sql } from 'kysely';

/**
 * SciΠvot: data sets as they were loaded, answer keys apart from them, the sessions of a bench, and what they came
 * to. Which role may read what: db/roles.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...dataSets, ...sessions, ...grades]) await sql.raw(statement).execute(db);
}

const dataSets = [
  `CREATE TABLE bench_scipivot_sets (
    name text PRIMARY KEY,
    n_cases integer NOT NULL CHECK (n_cases >= 1),
    prompts_sha256 text NOT NULL,
    prompts_bytes integer NOT NULL,
    is_pinned boolean NOT NULL,
    loaded_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE TABLE bench_scipivot_prompts (
    set_name text NOT NULL REFERENCES bench_scipivot_sets,
    position integer NOT NULL CHECK (position >= 0),
    case_id text NOT NULL,
    "order" text NOT NULL CHECK ("order" IN ('ab','ba')),
    prompt text NOT NULL,
    PRIMARY KEY (set_name, position),
    UNIQUE (set_name, case_id, "order")
  )`,
  `CREATE TABLE bench_scipivot_keys (
    set_name text PRIMARY KEY REFERENCES bench_scipivot_sets,
    revision text NOT NULL,
    references_sha256 text NOT NULL,
    references_bytes integer NOT NULL
  )`,
  `CREATE TABLE bench_scipivot_references (
    set_name text NOT NULL REFERENCES bench_scipivot_keys,
    case_id text NOT NULL,
    label text NOT NULL CHECK (label IN ('A','B')),
    PRIMARY KEY (set_name, case_id)
  )`,
];

const sessions = [
  `CREATE TABLE bench_scipivot_subjects (
    bench_id text NOT NULL REFERENCES bench_runs,
    subject text NOT NULL,
    role text NOT NULL CHECK (role IN ('candidate','judge')),
    position integer NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    set_name text NOT NULL REFERENCES bench_scipivot_sets,
    state text NOT NULL CHECK (state IN ('asking','asked','over_budget','failed')),
    failure_kind text,
    hold_reason text,
    PRIMARY KEY (bench_id, subject),
    UNIQUE (bench_id, role, position)
  )`,
  `CREATE TABLE bench_scipivot_sessions (
    bench_id text NOT NULL,
    subject text NOT NULL,
    position integer NOT NULL,
    epoch integer NOT NULL,
    status text NOT NULL CHECK (status IN ('ok','timeout','truncated','provider_error','refused')),
    response text CHECK ((response IS NOT NULL) = (status = 'ok')),
    reason text,
    call_key text NOT NULL,
    PRIMARY KEY (bench_id, subject, position),
    FOREIGN KEY (bench_id, subject) REFERENCES bench_scipivot_subjects
  )`,
];

/** json, not jsonb: the order of the keys is that of the files made from it. */
const grades = [
  `CREATE TABLE bench_scipivot_case_scores (
    bench_id text NOT NULL,
    subject text NOT NULL,
    case_id text NOT NULL,
    score numeric NOT NULL CHECK (score IN (0, 0.5, 1)),
    PRIMARY KEY (bench_id, subject, case_id),
    FOREIGN KEY (bench_id, subject) REFERENCES bench_scipivot_subjects
  )`,
  `CREATE TABLE bench_scipivot_scores (
    bench_id text NOT NULL,
    subject text NOT NULL,
    score json NOT NULL,
    PRIMARY KEY (bench_id, subject),
    FOREIGN KEY (bench_id, subject) REFERENCES bench_scipivot_subjects
  )`,
  `CREATE TABLE bench_scipivot_comparisons (
    bench_id text NOT NULL REFERENCES bench_runs,
    role text NOT NULL CHECK (role IN ('candidate','judge')),
    comparison json NOT NULL,
    PRIMARY KEY (bench_id, role)
  )`,
];

export async function down(db: Kysely<unknown>): Promise<void> {
  const tables = ['comparisons', 'scores', 'case_scores', 'sessions', 'subjects', 'references', 'keys'];
  for (const table of [...tables, 'prompts', 'sets']) {
    await sql.raw(`DROP TABLE bench_scipivot_${table}`).execute(db);
  }
}
