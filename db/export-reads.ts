import { type Expression, sql } from 'kysely';
import type { BenchInput } from '../core/bench-input';
import { compareText } from '../core/compare-text';
import type {
  RecordedAttempt,
  RecordedBench,
  RecordedBudget,
  RecordedCall,
  RecordedCandidate,
  RecordedGoldHit,
  RecordedRun,
} from '../core/report/recorded-bench';
import { withUnknownConduct } from '../core/unkept-conduct';
import type { Database } from './database';
import { readRecordedHypotheses } from './export-hypotheses';
import { readRecordedMatches } from './export-matches';
import { readRecordedRubric } from './export-rubric';
import { readRecordedScipivot } from './export-scipivot';
import { originalFirstRun } from './imported-owner';
import { readRescores } from './rescores';

/**
 * Reads a whole bench, as it stood at one moment, also while it runs.
 * @param work gets a transaction in which everything it reads belongs together
 */
export async function readSnapshot<T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/**
 * All rows of a bench but for the words of its requests and answers.
 * @throws Error when there is no such bench
 */
export async function readRecordedBench(db: Database, benchId: string): Promise<RecordedBench> {
  const run = await readRun(db, benchId);
  return {
    run,
    candidates: await readCandidates(db, benchId),
    hypotheses: await readRecordedHypotheses(db, benchId),
    matches: await readRecordedMatches(db, benchId),
    goldHits: await readGoldHits(db, benchId),
    rescores: await readRescores(db, benchId),
    budgets: await readBudgets(db, benchId),
    scipivot: await readRecordedScipivot(db, benchId, run.plan.scipivot),
    rubric: await readRecordedRubric(db, benchId),
    calls: await readCalls(db, benchId),
  };
}

/** Ids of all benches, oldest first: the order of their ids. */
export async function readBenchIds(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('bench_runs').select('id').execute();
  return rows.map(({ id }) => id).sort(compareText);
}

const CALLS_AT_ONCE = 100;

/** The attempts of these calls, of any kind, with their words, key by key in the order given, never all of them in memory. */
export async function* readAttempts(
  db: Database,
  benchId: string,
  keys: readonly string[],
): AsyncGenerator<RecordedAttempt[]> {
  for (let start = 0; start < keys.length; start += CALLS_AT_ONCE) {
    const some = keys.slice(start, start + CALLS_AT_ONCE);
    const rows = await selectCalls(db, benchId)
      .select(['request', 'response'])
      .where('key', 'in', some)
      .orderBy('attempt')
      .execute();
    const byKey = new Map<string, RecordedAttempt[]>(some.map((key) => [key, []]));
    for (const row of rows) byKey.get(row.key)?.push(row);
    for (const attempts of byKey.values()) yield attempts;
  }
}

async function readRun(db: Database, benchId: string): Promise<RecordedRun> {
  const row = await db
    .selectFrom('bench_runs')
    .select([
      'id as benchId',
      'namespace',
      'workflow_id as workflowId',
      'first_run_id as firstRunId',
      'epoch',
    ])
    .select(['state', 'preset', 'goal', 'gold_set as goldSet', 'seed', 'session', 'input', 'plan'])
    .select(['offered_tools as offeredTools', 'failure_kind as failureKind'])
    .select(['failure_detail as failureDetail', 'hold_reason as holdReason', 'summary', 'ratings'])
    .select((eb) => [utc(eb.ref('created_at')).as('createdAt'), utc(eb.ref('finished_at')).as('finishedAt')])
    .where('id', '=', benchId)
    .executeTakeFirst();
  if (!row) throw new Error(`bench ${benchId}: no such bench`);
  return {
    ...row,
    firstRunId: originalFirstRun(row.firstRunId),
    summary: row.summary && withUnknownConduct(row.summary),
    createdAt: row.createdAt ?? '',
    input: JSON.parse(row.input) as BenchInput,
  };
}

async function readCandidates(db: Database, benchId: string): Promise<RecordedCandidate[]> {
  return db
    .selectFrom('bench_candidates')
    .select(['id', 'position', 'label', 'provider', 'model', 'mode', 'state', 'wins', 'losses', 'ties'])
    .select(['failure_kind as failureKind', 'hold_reason as holdReason'])
    .select(['n_planned as nPlanned', 'n_hypotheses as nHypotheses'])
    .select(['mean_elo as meanElo', 'top_elo as topElo'])
    .select(['bt_elo as btElo', 'bt_low as btLow', 'bt_high as btHigh'])
    .select(['gold_hits as goldHits', 'gold_hit_names as goldHitNames'])
    .select(['total_cost_usd as totalCostUsd', 'n_unknown_cost as nUnknownCost'])
    .select(['in_doubt_usd as inDoubtUsd', 'total_input_tok as inputTokens'])
    .select(['total_output_tok as outputTokens'])
    .where('bench_id', '=', benchId)
    .orderBy('position')
    .execute();
}

async function readGoldHits(db: Database, benchId: string): Promise<RecordedGoldHit[]> {
  const rows = await db
    .selectFrom('bench_gold_hits')
    .select(['hypothesis_id as hypothesisId', 'gold_set as goldSet', 'entity', 'field', 'alias', 'kind'])
    .select(['excerpt', 'origin', 'origin_document as originDocument'])
    .where('bench_id', '=', benchId)
    .execute();
  return rows.sort(
    (one, other) =>
      compareText(one.hypothesisId, other.hypothesisId) ||
      compareText(one.goldSet, other.goldSet) ||
      compareText(one.entity, other.entity) ||
      compareText(one.field, other.field),
  );
}

async function readBudgets(db: Database, benchId: string): Promise<RecordedBudget[]> {
  const rows = await db
    .selectFrom('bench_budgets')
    // In this order from the first bundle on: the same rows have to give the same bytes.
    .select('id')
    .select((eb) => eb.ref('kind').$castTo<RecordedBudget['kind']>().as('kind'))
    .select(['cap_usd as capUsd', 'held_usd as heldUsd'])
    .select(['exceeded_cap_usd as exceededCapUsd', 'closed_by as closedBy'])
    .where('bench_id', '=', benchId)
    .where('kind', '!=', 'rubric')
    .execute();
  return rows.sort((one, other) => compareText(one.id, other.id));
}

async function readCalls(db: Database, benchId: string): Promise<RecordedCall[]> {
  // Scores given after the fact are no part of the bench.
  const rows = await selectCalls(db, benchId).where('kind', '!=', 'rubric').execute();
  return rows.sort((one, other) => compareText(one.key, other.key) || one.attempt - other.attempt);
}

function selectCalls(db: Database, benchId: string) {
  return db
    .selectFrom('bench_llm_calls')
    .select(['key', 'attempt', 'epoch', 'kind', 'provider', 'model', 'scope_ids as scopeIds', 'state'])
    .select(['request_sha256 as requestSha256', 'request_bytes as requestBytes'])
    .select(['request_id as requestId', 'reported_model as reportedModel'])
    .select(['failure_kind as failureKind', 'http_status as httpStatus'])
    .select(['bound_usd as boundUsd', 'reported_usd as reportedUsd', 'computed_usd as computedUsd'])
    .select(['cost_usd as costUsd', 'charged_usd as chargedUsd', 'overrun_usd as overrunUsd'])
    .select(['input_tok as inputTokens', 'cached_input_tok as cachedInputTokens'])
    .select(['cache_write_tok as cacheWriteTokens', 'output_tok as outputTokens'])
    .select(['reasoning_tok as reasoningTokens', 'latency_ms as latencyMs'])
    .select((eb) => [
      sql<string>`to_char(sent_at AT TIME ZONE 'UTC', ${UTC_FORMAT})`.as('sentAt'),
      utc(eb.ref('ended_at')).as('endedAt'),
    ])
    .where('bench_id', '=', benchId);
}

const UTC_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';

function utc(column: Expression<Date | null>) {
  return sql<string | null>`to_char(${column} AT TIME ZONE 'UTC', ${UTC_FORMAT})`;
}
