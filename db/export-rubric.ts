import { compareText } from '../core/compare-text';
import { rubricScope } from '../core/ids';
import type { RecordedRubric } from '../core/report/recorded-rubric';
import type { Database } from './database';
import { readRubricScores } from './rubric-scores';

/** null where no judge has been asked for anything: what a budget alone was opened for is not told. */
export async function readRecordedRubric(db: Database, benchId: string): Promise<RecordedRubric | null> {
  const budget = await db
    .selectFrom('bench_budgets')
    .select(['id', 'cap_usd as capUsd', 'held_usd as heldUsd'])
    .select(['exceeded_cap_usd as exceededCapUsd', 'closed_by as closedBy'])
    .where('id', '=', rubricScope(benchId))
    .executeTakeFirst();
  if (!budget) return null;
  const scores = await readRubricScores(db, benchId);
  if (scores.length === 0 && (await readRubricKeys(db, benchId)).length === 0) return null;
  return { budget, scores };
}

/** Keys of all calls for rubric scores, in their order. */
export async function readRubricKeys(db: Database, benchId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select('key')
    .distinct()
    .where('bench_id', '=', benchId)
    .where('kind', '=', 'rubric')
    .execute();
  return rows.map(({ key }) => key).sort(compareText);
}
