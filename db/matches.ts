import { type Selectable, sql } from 'kysely';
import { matchId, type Order } from '../core/ids';
import { KEPT_STATES } from '../core/kept';
import type { Database } from './database';
import { insertParts } from './insert-parts';
import type { MatchesTable } from './schema';

/** A pairing as planned, between two slots. */
export interface PlannedMatch {
  index: number;
  candA: string;
  candB: string;
  hypA: string;
  hypB: string;
  /** Judged in one order only: the one its first judge is shown. */
  oneOrder: Order | null;
  repeats: number;
}

export interface MatchRow extends PlannedMatch {
  id: string;
  benchId: string;
  state: 'planned' | 'played' | 'unplayed';
}

/**
 * Writes the schedule once. Rows that stand already stay: a later call with another schedule changes nothing.
 * @param tx a transaction that holds the bench's row
 * @returns how many matches the bench has
 */
export async function saveSchedule(tx: Database, benchId: string, matches: PlannedMatch[]): Promise<number> {
  const stored = await countMatches(tx, benchId);
  if (stored > 0) return stored;
  for (const rows of insertParts(matches)) {
    await tx
      .insertInto('bench_matches')
      .values(
        rows.map((m) => ({
          id: matchId(benchId, m.index),
          bench_id: benchId,
          index: m.index,
          cand_a: m.candA,
          cand_b: m.candB,
          hyp_a: m.hypA,
          hyp_b: m.hypB,
          one_order: m.oneOrder,
          repeats: m.repeats,
        })),
      )
      .execute();
  }
  return matches.length;
}

async function countMatches(db: Database, benchId: string): Promise<number> {
  const row = await db
    .selectFrom('bench_matches')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('bench_id', '=', benchId)
    .executeTakeFirstOrThrow();
  return row.n;
}

/**
 * Matches of a dropped candidate, or of a slot that gave no hypothesis, cannot be played; the hypotheses of the others
 * enter.
 * @param tx a transaction
 */
export async function openMatches(tx: Database, benchId: string): Promise<void> {
  await sql`
    UPDATE bench_matches m SET state = 'unplayed', reason = 'dropped'
     WHERE bench_id = ${benchId} AND state = 'planned'
       AND EXISTS (SELECT 1 FROM bench_candidates c
                    WHERE c.id IN (m.cand_a, m.cand_b) AND c.state = 'dropped')`.execute(tx);
  await sql`
    UPDATE bench_matches m SET state = 'unplayed', reason = 'no_hypothesis'
     WHERE bench_id = ${benchId} AND state = 'planned'
       AND EXISTS (SELECT 1 FROM bench_hypotheses h
                    WHERE h.id IN (m.hyp_a, m.hyp_b) AND h.state NOT IN (${sql.join(KEPT_STATES)}))`.execute(
    tx,
  );
  await sql`
    UPDATE bench_hypotheses h SET state = 'in_tournament'
     WHERE bench_id = ${benchId} AND state = 'reviewed'
       AND EXISTS (SELECT 1 FROM bench_matches m
                    WHERE m.bench_id = ${benchId} AND m.state <> 'unplayed' AND h.id IN (m.hyp_a, m.hyp_b))`.execute(
    tx,
  );
}

/** A match to be judged. */
export interface WaitingRow {
  id: string;
  index: number;
  oneOrder: Order | null;
}

/** Planned matches after `afterIndex`, in schedule order. */
export async function readPlannedMatches(
  db: Database,
  benchId: string,
  { afterIndex, limit }: { afterIndex: number; limit: number },
): Promise<WaitingRow[]> {
  return db
    .selectFrom('bench_matches')
    .select(['id', 'index', 'one_order as oneOrder'])
    .where('bench_id', '=', benchId)
    .where('state', '=', 'planned')
    .where('index', '>', afterIndex)
    .orderBy('index')
    .limit(limit)
    .execute();
}

/** Played matches after `afterIndex` that are to be judged again in the same order and are not yet, in schedule order. */
export async function readRepeatedMatches(
  db: Database,
  benchId: string,
  judges: number,
  { afterIndex, limit }: { afterIndex: number; limit: number },
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    SELECT id, index, one_order AS "oneOrder" FROM bench_matches m
     WHERE bench_id = ${benchId} AND state = 'played' AND repeats > 0 AND index > ${afterIndex}
       AND (SELECT count(*) FROM bench_verdicts v WHERE v.match_id = m.id AND v.repeat > 0)
           < ${judges} * repeats * CASE WHEN one_order IS NULL THEN 2 ELSE 1 END
     ORDER BY index LIMIT ${limit}`.execute(db);
  return rows;
}

export function toMatch(row: Selectable<MatchesTable>): MatchRow {
  return {
    id: row.id,
    benchId: row.bench_id,
    index: row.index,
    candA: row.cand_a,
    candB: row.cand_b,
    hypA: row.hyp_a,
    hypB: row.hyp_b,
    oneOrder: row.one_order,
    repeats: row.repeats,
    state: row.state,
  };
}

/**
 * What was not played when the tournament ended, or a candidate was dropped, stays unplayed, with the reason. The matches
 * are locked in the order of the schedule, as by whoever gives them their outcomes: taken as they lie in the table, the
 * two would wait for each other.
 * @returns how many there were
 */
export async function closePlannedMatches(
  db: Database,
  of: { benchId: string } | { candidateId: string },
  reason: string,
): Promise<number> {
  const isOfIt = 'benchId' in of ? sql`bench_id = ${of.benchId}` : sql`${of.candidateId} IN (cand_a, cand_b)`;
  const { numAffectedRows = 0n } = await sql`
    WITH mine AS MATERIALIZED (
      SELECT id FROM bench_matches WHERE ${isOfIt} AND state = 'planned' ORDER BY index FOR NO KEY UPDATE
    )
    UPDATE bench_matches SET state = 'unplayed', reason = ${reason} WHERE id IN (SELECT id FROM mine)`.execute(
    db,
  );
  return Number(numAffectedRows);
}
