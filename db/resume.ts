import { sql } from 'kysely';
import { CALL_FAILURES } from '../core/completion';
import { judgeScope } from '../core/ids';
import type { BenchOwner } from './benches';
import type { Database } from './database';

/** The bench as somebody who wants to take it up again finds it. */
export interface ResumableBench {
  owner: BenchOwner;
  epoch: number;
  state: string;
  prompts: Record<string, number>;
}

/** @returns undefined when there is no such bench */
export async function readResumable(db: Database, benchId: string): Promise<ResumableBench | undefined> {
  const row = await db
    .selectFrom('bench_runs')
    .select(['namespace', 'workflow_id', 'first_run_id', 'epoch', 'state', 'plan'])
    .where('id', '=', benchId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    owner: { namespace: row.namespace, workflowId: row.workflow_id, firstRunId: row.first_run_id },
    epoch: row.epoch,
    state: row.state,
    prompts: row.plan.prompts,
  };
}

/**
 * Takes a bench over: of two who saw the same epoch one wins. Its activities of older epochs are refused from then
 * on. What budgets had closed and have room for again is opened.
 * @returns the new epoch, or null when another was first
 */
export async function takeOverBench(
  db: Database,
  benchId: string,
  seenEpoch: number,
  owner: BenchOwner,
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('bench_runs')
      .set((eb) => ({
        epoch: eb('epoch', '+', 1),
        namespace: owner.namespace,
        workflow_id: owner.workflowId,
        first_run_id: owner.firstRunId,
        finished_at: null,
        summary: null,
        ratings: null,
        hold_reason: null,
        failure_kind: null,
        failure_detail: null,
      }))
      .where('id', '=', benchId)
      .where('epoch', '=', seenEpoch)
      .returning('epoch')
      .executeTakeFirst();
    if (!row) return null;
    await reopen(tx, benchId);
    return row.epoch;
  });
}

/** Opens what caps had closed and have room for again, and what nobody has answered. @param tx a transaction */
export async function reopen(tx: Database, benchId: string): Promise<void> {
  await reopenSlots(tx, benchId);
  await reopenUnanswered(tx, benchId);
  await reopenNudges(tx, benchId);
  await reopenMatches(tx, benchId);
}

/** Slots of candidates whose caps have risen since a call was refused. Also for a bench that is still generating. */
export async function reopenSlots(db: Database, benchId: string): Promise<void> {
  await sql`
    UPDATE bench_hypotheses h SET state = 'planned', failure_kind = NULL, failure_detail = NULL
     WHERE bench_id = ${benchId} AND state = 'over_budget'
       AND NOT EXISTS (SELECT 1 FROM bench_budgets b
                        WHERE b.id IN (h.candidate_id, h.bench_id) AND ${isExceeded})`.execute(db);
}

/** No key, or no money at the provider. */
const WITHOUT_MEANS = ['unauthorized', 'payment_required'];

/**
 * Calls that nobody answered, for want of a key, of money at the provider or of a connection, may be asked again by a
 * resume: no answer was seen, so none is drawn anew. See docs/decisions/0004-what-a-resume-asks-again.md.
 */
const UNANSWERED = [...WITHOUT_MEANS, 'attempts_exhausted', 'ledger_mismatch'];

async function reopenUnanswered(db: Database, benchId: string): Promise<void> {
  await sql`
    UPDATE bench_hypotheses SET state = 'planned', failure_kind = NULL, failure_detail = NULL
     WHERE bench_id = ${benchId} AND state = 'failed' AND failure_kind = ANY (${UNANSWERED})
       AND candidate_id NOT IN (SELECT id FROM bench_candidates WHERE bench_id = ${benchId} AND state = 'dropped')`.execute(
    db,
  );
  await sql`
    WITH gone AS (
      DELETE FROM bench_verdicts WHERE bench_id = ${benchId} AND state = 'invalid' AND reason = ANY (${UNANSWERED})
      RETURNING match_id
    )
    UPDATE bench_matches SET state = 'planned', reason = NULL, rationale = NULL, judge_cost_usd = NULL
     WHERE state = 'unplayed' AND id IN (SELECT match_id FROM gone)`.execute(db);
}

/**
 * Slots that ended as duplicates though nobody has answered their nudge: it could not be paid for, and now it can, or it
 * was a call of the kinds above. Their drafts are nudged again.
 */
async function reopenNudges(db: Database, benchId: string): Promise<void> {
  await sql`
    WITH nudges AS (
      SELECT h.id, array_agg(c.state) AS states, array_agg(c.failure_kind) AS failures
        FROM bench_hypotheses h
        JOIN bench_runs r ON r.id = h.bench_id
        LEFT JOIN bench_llm_calls c
          ON c.bench_id = h.bench_id AND c.kind = 'generation' AND starts_with(c.key, h.id || '/turn/')
         AND substring(c.key FROM '/turn/([0-9]+)$')::integer > (r.plan #>> '{generation,maxTurns}')::integer
       WHERE h.bench_id = ${benchId} AND h.state = 'duplicate' AND h.draft_kind = 'original'
         AND h.candidate_id NOT IN (SELECT id FROM bench_candidates WHERE bench_id = ${benchId} AND state = 'dropped')
       GROUP BY h.id
    )
    UPDATE bench_hypotheses h SET state = 'draft', failure_kind = NULL, failure_detail = NULL, duplicate_of = NULL
      FROM nudges n
     WHERE h.id = n.id AND NOT n.states && ARRAY['settled','superseded']
       AND NOT EXISTS (SELECT 1 FROM bench_budgets b WHERE b.id IN (h.candidate_id, h.bench_id) AND ${isExceeded})
       AND (n.failures && ${[...MAY_BE_ASKED_AGAIN]}
            OR EXISTS (SELECT 1 FROM bench_budgets b
                        WHERE b.id IN (h.candidate_id, h.bench_id) AND b.exceeded_cap_usd IS NOT NULL))`.execute(
    db,
  );
}

/** Failures of a call that leave it unanswered: what may be tried again, until the attempts are used up, and no key. */
const MAY_BE_ASKED_AGAIN: readonly string[] = [
  ...Object.entries(CALL_FAILURES).flatMap(([kind, { isRetryable }]) => (isRetryable ? [kind] : [])),
  ...WITHOUT_MEANS,
];

/** Matches the judge could not be paid for, if now it can; and those of slots that are open again. */
async function reopenMatches(db: Database, benchId: string): Promise<void> {
  await sql`
    UPDATE bench_matches m SET state = 'planned', reason = NULL
     WHERE bench_id = ${benchId} AND state = 'unplayed' AND reason = 'over_budget'
       AND NOT EXISTS (SELECT 1 FROM bench_budgets b
                        WHERE b.id IN (${benchId}, ${judgeScope(benchId)}) AND ${isExceeded})`.execute(db);
  await sql`
    UPDATE bench_matches m SET state = 'planned', reason = NULL
     WHERE bench_id = ${benchId} AND state = 'unplayed' AND reason = 'no_hypothesis'
       AND NOT EXISTS (SELECT 1 FROM bench_hypotheses h
                        WHERE h.id IN (m.hyp_a, m.hyp_b) AND h.state IN ('failed', 'duplicate', 'over_budget'))`.execute(
    db,
  );
}

/** Of a budget `b`: refused a call at a cap that is still the cap, or closed by an overrun. */
export const isExceeded = sql<boolean>`(b.cap_usd <= b.exceeded_cap_usd OR b.closed_by IS NOT NULL)`;
