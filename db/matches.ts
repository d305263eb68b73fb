import { type Selectable, sql } from 'kysely';
import type { AskedVerdict } from '../core/asked-verdicts';
import { matchId, type Order, turnKeys } from '../core/ids';
import type { CountedVerdict, MatchOutcome, Verdict } from '../core/outcome';
import type { Database } from './database';
import { insertParts } from './insert-parts';
import type { CriterionScore, MatchesTable } from './schema';
import { toJsonb, toStorable } from './storable-text';
import { changeAsOwner } from './write-as-owner';

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

export interface StoredVerdict {
  matchId: string;
  order: Order;
  judge: string;
  /** 0: the verdict that counts. */
  repeat: number;
  benchId: string;
  /** Of whoever writes it: an older one than the bench's is refused. */
  epoch: number;
  callKey: string;
  verdict:
    | { state: 'valid'; winner: 'first' | 'second' | 'tie'; rationale: string; scores: CriterionScore[] }
    | { state: 'invalid'; reason: string; detail: string };
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
                    WHERE h.id IN (m.hyp_a, m.hyp_b) AND h.state NOT IN ('reviewed', 'in_tournament'))`.execute(
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

/** What is to be known of a match before it has an outcome: the panel by name, and who is asked what. */
export interface AskedMatch {
  /** `provider:model`, in the order of the plan. */
  judges: readonly string[];
  asked: readonly AskedVerdict[];
}

/**
 * Writes a verdict, the first of its order and judge, and the match's outcome once all that were asked for are there.
 * @param decide the outcome of these verdicts, a pure function
 * @throws BenchTakenOver
 */
export async function saveVerdict(
  db: Database,
  row: StoredVerdict,
  { judges, asked }: AskedMatch,
  decide: (verdicts: readonly CountedVerdict[]) => MatchOutcome,
): Promise<MatchOutcome['state'] | null> {
  // No transaction, and no lock: each verdict stands before its writer looks for the others, so whoever is last
  // sees them all, and each would write the same outcome. A writer that dies in between is asked again.
  await insertVerdict(db, row);
  if (row.repeat > 0) return null;
  const verdicts = await readVerdicts(db, row.matchId);
  const counted = asked.flatMap(({ judge, order }) => {
    const found = verdicts.find((verdict) => verdict.judge === judges[judge] && verdict.order === order);
    return found ? [{ ...found, judge }] : [];
  });
  if (counted.length < asked.length) return null;
  const outcome = decide(counted);
  return (await saveOutcome(db, row, outcome, counted)) ? outcome.state : null;
}

async function insertVerdict(db: Database, row: StoredVerdict): Promise<void> {
  const { verdict } = row;
  const isValid = verdict.state === 'valid';
  const { detail, rationale } = toStorable({
    rationale: isValid ? verdict.rationale : null,
    detail: isValid ? null : verdict.detail,
  });
  await changeAsOwner(db, row, async (isOwner) => {
    const result = await sql`
      INSERT INTO bench_verdicts (match_id, "order", judge, repeat, bench_id, call_key, state, winner_position, rationale,
                                  scores, reason, detail)
      SELECT ${row.matchId}, ${row.order}, ${row.judge}, ${row.repeat}::integer, ${row.benchId}, ${row.callKey},
             ${verdict.state}, ${isValid ? verdict.winner : null}, ${rationale},
             ${isValid ? toJsonb(verdict.scores) : null}::jsonb, ${isValid ? null : verdict.reason}, ${detail}
       WHERE ${isOwner}
      ON CONFLICT (match_id, "order", judge, repeat) DO NOTHING`.execute(db);
    return result.numAffectedRows ?? 0n;
  });
}

interface VerdictOfMatch {
  judge: string;
  order: Order;
  verdict: Verdict;
  rationale: string | null;
  callKey: string;
}

/** Those that count. */
async function readVerdicts(db: Database, id: string): Promise<VerdictOfMatch[]> {
  const rows = await db
    .selectFrom('bench_verdicts')
    .selectAll()
    .where('match_id', '=', id)
    .where('repeat', '=', 0)
    .execute();
  return rows.map((row) => ({
    judge: row.judge,
    order: row.order,
    verdict: row.winner_position
      ? { state: 'valid', winner: row.winner_position }
      : { state: 'invalid', reason: row.reason ?? 'unreadable' },
    rationale: row.rationale,
    callKey: row.call_key,
  }));
}

async function saveOutcome(
  db: Database,
  { matchId: id, benchId, epoch }: StoredVerdict,
  outcome: MatchOutcome,
  verdicts: readonly Pick<VerdictOfMatch, 'rationale' | 'callKey'>[],
): Promise<boolean> {
  const keys = verdicts.flatMap((v) => turnKeys(v.callKey));
  const result = await db
    .updateTable('bench_matches')
    .set((eb) => ({
      state: outcome.state,
      reason: outcome.state === 'unplayed' ? outcome.reason : null,
      winner: outcome.state === 'played' ? outcome.winner : null,
      score_a: outcome.state === 'played' ? outcome.scoreA : null,
      agreement: outcome.state === 'played' ? outcome.agreement : null,
      rationale: verdicts.map((v) => v.rationale ?? '').join('\n\n'),
      judge_cost_usd: eb
        .selectFrom('bench_llm_calls')
        .select((e) => e.fn.sum<number>('cost_usd').as('cost'))
        .where('key', 'in', keys),
    }))
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('bench_runs')
          .select('id')
          .where('id', '=', benchId)
          .where('epoch', '=', epoch)
          .forShare(),
      ),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** What was not played when the tournament ended stays unplayed, with the reason. */
export async function closePlannedMatches(db: Database, benchId: string, reason: string): Promise<number> {
  const result = await db
    .updateTable('bench_matches')
    .set({ state: 'unplayed', reason })
    .where('bench_id', '=', benchId)
    .where('state', '=', 'planned')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
