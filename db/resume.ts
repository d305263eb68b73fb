import { sql } from 'kysely';
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
    await reopenSlots(tx, benchId);
    await reopenUnanswered(tx, benchId);
    await reopenMatches(tx, benchId);
    return row.epoch;
  });
}

/** Slots of candidates whose caps have risen since a call was refused. Also for a bench that is still generating. */
export async function reopenSlots(db: Database, benchId: string): Promise<void> {
  await sql`
    UPDATE bench_hypotheses h SET state = 'planned', failure_kind = NULL, failure_detail = NULL
     WHERE bench_id = ${benchId} AND state = 'over_budget'
       AND NOT EXISTS (SELECT 1 FROM bench_budgets b
                        WHERE b.id IN (h.candidate_id, h.bench_id) AND ${isExceeded})`.execute(db);
}

/**
 * Calls that nobody answered, for want of a key, of money at the provider or of a connection, may be asked again by a
 * resume: no answer was seen, so none is drawn anew. See docs/decisions/0004-what-a-resume-asks-again.md.
 */
const UNANSWERED = ['unauthorized', 'payment_required', 'attempts_exhausted', 'ledger_mismatch'];

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

/** Refused a call at a cap that is still the cap, or closed by an overrun. */
const isExceeded = sql`(b.cap_usd <= b.exceeded_cap_usd OR b.closed_by IS NOT NULL)`;
