import { sql } from 'kysely';
import { benchScope, candidateId, candidateScope, judgeScope } from '../core/ids';
import { type BenchRow, findBench } from './benches';
import type { Database } from './database';
import { readRepeatedMatches } from './matches';
import { isExceeded, reopen } from './resume';
import { readOpenPositions, readSubjects } from './scipivot';

/** What a resume of a bench that has finished would find to do, as its rows and caps stand. */
export interface LeftToDo {
  /** Hypotheses to be written or reviewed. */
  slots: number;
  /** Matches to be judged. */
  matches: number;
  /** Whether verdicts are to be asked for again in the same order, SciΠvot's sessions held, or a night closed. */
  hasMore: boolean;
}

export function isNothing({ slots, matches, hasMore }: LeftToDo): boolean {
  return slots === 0 && matches === 0 && !hasMore;
}

/**
 * Opens what a resume would open, looks, and takes it back: nothing is written.
 * @throws Error when there is no such bench
 */
export async function readLeftToDo(db: Database, benchId: string): Promise<LeftToDo> {
  const bench = await findBench(db, benchId);
  if (!bench) throw new Error(`bench ${benchId}: no such bench`);
  const tx = await db.startTransaction().execute();
  try {
    await reopen(tx, benchId);
    const { rows } = await sql<{ slots: number; matches: number; isNightOpen: boolean }>`
      SELECT (SELECT count(*) FROM bench_hypotheses h JOIN bench_candidates c ON c.id = h.candidate_id
               WHERE h.bench_id = ${benchId} AND h.state IN ('planned','draft') AND c.state <> 'dropped') AS slots,
             (SELECT count(*) FROM bench_matches WHERE bench_id = ${benchId} AND state = 'planned') AS matches,
             EXISTS (SELECT 1 FROM bench_nights WHERE bench_id = ${benchId} AND judged_at IS NULL) AS "isNightOpen"`.execute(
      tx,
    );
    const [{ slots, matches, isNightOpen } = { slots: 0, matches: 0, isNightOpen: false }] = rows;
    const hasMore = isNightOpen || (await hasRepeats(tx, bench)) || (await hasSessions(tx, bench));
    return { slots, matches, hasMore };
  } finally {
    await tx.rollback().execute();
  }
}

async function hasRepeats(tx: Database, { id: benchId, plan }: BenchRow): Promise<boolean> {
  const place = { afterIndex: -1, limit: 1 };
  const waiting = await readRepeatedMatches(tx, benchId, plan.judges.length, place);
  return waiting.length > 0 && (await hasRoom(tx, [benchScope(benchId), judgeScope(benchId)]));
}

async function hasSessions(tx: Database, { id: benchId, epoch: lastEpoch }: BenchRow): Promise<boolean> {
  const dropped = await tx
    .selectFrom('bench_candidates')
    .select('label')
    .where('bench_id', '=', benchId)
    .where('state', '=', 'dropped')
    .execute();
  for (const { subject, role } of await readSubjects(tx, benchId)) {
    if (role === 'candidate' && dropped.some(({ label }) => label === subject)) continue;
    // Of the next epoch: a fault of transport that this one could not mend is tried again.
    const place = { benchId, epoch: lastEpoch + 1, subject, afterPosition: -1, limit: 1 };
    const waiting = await readOpenPositions(tx, place);
    const payer = role === 'judge' ? judgeScope(benchId) : candidateScope(candidateId(benchId, subject));
    if (waiting.length > 0 && (await hasRoom(tx, [benchScope(benchId), payer]))) return true;
  }
  return false;
}

async function hasRoom(tx: Database, scopes: readonly string[]): Promise<boolean> {
  const closed = await tx
    .selectFrom('bench_budgets as b')
    .select('b.id')
    .where('b.id', 'in', scopes)
    .where(isExceeded)
    .execute();
  return closed.length === 0;
}
