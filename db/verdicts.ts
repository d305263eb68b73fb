import { sql } from 'kysely';
import type { AskedVerdict } from '../core/asked-verdicts';
import { type Order, turnKeys } from '../core/ids';
import { type MatchOutcome, outcomeOf, type Verdict } from '../core/outcome';
import { askedTogether, LONG_TEXT } from './asked-together';
import type { Database } from './database';
import type { CriterionScore } from './schema';
import { toStorable } from './storable-text';
import { changeAsOwner, type Owner } from './write-as-owner';

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

/** What is to be known of a match before it has an outcome: the panel by name, and who is asked what. */
export interface AskedMatch {
  /** `provider:model`, in the order of the plan. */
  judges: readonly string[];
  asked: readonly AskedVerdict[];
}

/**
 * Writes a verdict, the first of its order and judge, and the match's outcome once all that were asked for are there.
 * @returns the outcome's state where this verdict brought it about
 * @throws BenchTakenOver
 */
export async function saveVerdict(
  db: Database,
  row: StoredVerdict,
  asked: AskedMatch,
): Promise<MatchOutcome['state'] | null> {
  return saveTogether(db, { row, match: asked });
}

interface GivenVerdict {
  row: StoredVerdict;
  match: AskedMatch;
}

const saveTogether = askedTogether(
  ({ row }: GivenVerdict) => (textOf(row.verdict).length > LONG_TEXT ? null : `${row.benchId}#${row.epoch}`),
  saveAll,
);

function textOf(verdict: StoredVerdict['verdict']): string {
  return verdict.state === 'valid' ? verdict.rationale : verdict.detail;
}

/**
 * No transaction around it: each verdict stands before its writer looks for the others, so whoever is last sees them
 * all, and each would write the same outcome. A writer that dies in between is asked again.
 */
async function saveAll(
  db: Database,
  given: readonly GivenVerdict[],
): Promise<(MatchOutcome['state'] | null)[]> {
  const [{ row: owner } = { row: null }] = given;
  if (!owner) return [];
  await insertVerdicts(
    db,
    owner,
    given.map(({ row }) => row),
  );
  const counting = given.filter(({ row }) => row.repeat === 0);
  const ends = await findEnds(db, counting);
  const saved = await saveOutcomes(db, owner, ends);
  return given.map(({ row }) => {
    const end = ends.find(({ by }) => by === row);
    return end && saved.has(row.matchId) ? end.outcome.state : null;
  });
}

async function insertVerdicts(db: Database, owner: Owner, rows: readonly StoredVerdict[]): Promise<void> {
  const stored = rows.map(toVerdictRow);
  const columns = sql.join(Object.keys(stored[0] ?? {}).map((name) => sql.ref(name)));
  await changeAsOwner(db, owner, async (isOwner) => {
    const result = await sql`
      INSERT INTO bench_verdicts (${columns})
      SELECT ${columns} FROM jsonb_populate_recordset(null::bench_verdicts, ${JSON.stringify(stored)}::jsonb)
       WHERE ${isOwner}
       ORDER BY match_id, "order", judge, repeat
      ON CONFLICT (match_id, "order", judge, repeat) DO NOTHING`.execute(db);
    return result.numAffectedRows ?? 0n;
  });
}

function toVerdictRow({ verdict, ...row }: StoredVerdict) {
  const isValid = verdict.state === 'valid';
  return toStorable({
    ...{ match_id: row.matchId, order: row.order, judge: row.judge, repeat: row.repeat },
    ...{ bench_id: row.benchId, call_key: row.callKey, state: verdict.state },
    winner_position: isValid ? verdict.winner : null,
    rationale: isValid ? verdict.rationale : null,
    scores: isValid ? verdict.scores : null,
    reason: isValid ? null : verdict.reason,
    detail: isValid ? null : verdict.detail,
  });
}

/** A match that has all its verdicts. */
interface MatchEnd {
  /** Whose verdict was the last, or one of the last. */
  by: StoredVerdict;
  outcome: MatchOutcome;
  verdicts: readonly VerdictOfMatch[];
}

async function findEnds(db: Database, given: readonly GivenVerdict[]): Promise<MatchEnd[]> {
  const byMatch = new Map(given.map((one) => [one.row.matchId, one]));
  const stored = await readVerdicts(db, [...byMatch.keys()]);
  return [...byMatch].flatMap(([id, { row, match }]) => {
    const verdicts = match.asked.flatMap(({ judge, order }) =>
      stored
        .filter((one) => one.matchId === id && one.judge === match.judges[judge] && one.order === order)
        .map((one) => ({ ...one, position: judge })),
    );
    if (verdicts.length < match.asked.length) return [];
    const counted = verdicts.map(({ position, order, verdict }) => ({ judge: position, order, verdict }));
    return { by: row, outcome: outcomeOf(counted), verdicts };
  });
}

interface VerdictOfMatch {
  matchId: string;
  judge: string;
  order: Order;
  verdict: Verdict;
  rationale: string | null;
  callKey: string;
}

/** Those that count. */
async function readVerdicts(db: Database, matchIds: string[]): Promise<VerdictOfMatch[]> {
  if (matchIds.length === 0) return [];
  const rows = await db
    .selectFrom('bench_verdicts')
    .select(['match_id', 'judge', 'order', 'winner_position', 'reason', 'rationale', 'call_key'])
    .where('match_id', '=', sql<string>`ANY (${matchIds})`)
    .where('repeat', '=', 0)
    .execute();
  return rows.map((row) => ({
    matchId: row.match_id,
    judge: row.judge,
    order: row.order,
    verdict: row.winner_position
      ? { state: 'valid', winner: row.winner_position }
      : { state: 'invalid', reason: row.reason ?? 'unreadable' },
    rationale: row.rationale,
    callKey: row.call_key,
  }));
}

/**
 * The matches are locked in the order of the schedule, in which they are closed too: two workers that have the last verdicts
 * of several would wait for each other.
 * @returns the matches that had no outcome before
 */
async function saveOutcomes(
  db: Database,
  { benchId, epoch }: Owner,
  ends: readonly MatchEnd[],
): Promise<Set<string>> {
  if (ends.length === 0) return new Set();
  const outcomes = ends.map(toOutcomeRow);
  const ids = outcomes.map(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    WITH mine AS MATERIALIZED (
      SELECT FROM bench_matches
       WHERE id = ANY (${ids}) AND state = 'planned'
         AND EXISTS (SELECT FROM bench_runs WHERE id = ${benchId} AND epoch = ${epoch} FOR SHARE)
       ORDER BY index FOR NO KEY UPDATE
    )
    UPDATE bench_matches m
       SET state = o.state, reason = o.reason, winner = o.winner, score_a = o.score_a, agreement = o.agreement,
           rationale = o.rationale,
           judge_cost_usd = (SELECT sum(cost_usd) FROM bench_llm_calls WHERE key = ANY (o.call_keys))
      FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) AS o (
             id text, state text, reason text, winner text, score_a numeric, agreement text, rationale text,
             call_keys text[])
     WHERE m.id = ANY (${ids}) AND m.id = o.id AND m.state = 'planned' AND (SELECT count(*) FROM mine) > 0
    RETURNING m.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

function toOutcomeRow({ by, outcome, verdicts }: MatchEnd) {
  const isPlayed = outcome.state === 'played';
  return {
    ...{ id: by.matchId, state: outcome.state },
    reason: isPlayed ? null : outcome.reason,
    winner: isPlayed ? outcome.winner : null,
    score_a: isPlayed ? outcome.scoreA : null,
    agreement: isPlayed ? outcome.agreement : null,
    rationale: verdicts.map(({ rationale }) => rationale ?? '').join('\n\n'),
    call_keys: verdicts.flatMap(({ callKey }) => turnKeys(callKey)),
  };
}
