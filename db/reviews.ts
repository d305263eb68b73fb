import type { Database } from './database';
import { toJsonb } from './storable-text';

export interface ReviewRow {
  hypothesisId: string;
  benchId: string;
  /** `provider:model` */
  reviewer: string;
  callKey: string;
  outcome:
    | { state: 'valid'; review: Record<string, unknown> }
    | { state: 'invalid'; reason: string; detail: string };
}

/** The first review of a hypothesis counts; a repeat changes nothing. */
export async function saveReview(db: Database, row: ReviewRow): Promise<void> {
  const { outcome } = row;
  await db
    .insertInto('bench_reviews')
    .values({
      hypothesis_id: row.hypothesisId,
      bench_id: row.benchId,
      reviewer: row.reviewer,
      call_key: row.callKey,
      state: outcome.state,
      reason: outcome.state === 'invalid' ? outcome.reason : null,
      detail: outcome.state === 'invalid' ? outcome.detail : null,
      review: outcome.state === 'valid' ? toJsonb(outcome.review) : null,
    })
    .onConflict((conflict) => conflict.column('hypothesis_id').doNothing())
    .execute();
}
