import { sql } from 'kysely';
import type { BenchSummary, CandidateSummary } from '../core/bench-summary';
import type { Agreement } from '../core/outcome';
import type { BenchRatings } from '../core/ratings/rate-bench';
import { finishBenchRow } from './benches';
import type { Database } from './database';

/** A played match, as a rating needs it. */
export interface PlayedMatch {
  index: number;
  candA: string;
  candB: string;
  hypA: string;
  hypB: string;
  winner: 'a' | 'b' | 'tie';
  scoreA: number;
  /** null where one order or a panel was asked. */
  agreement: Agreement | null;
}

/** In schedule order: what is played through in an order is played through in this one. */
export async function readPlayedMatches(db: Database, benchId: string): Promise<PlayedMatch[]> {
  const rows = await db
    .selectFrom('bench_matches')
    .select(['index', 'cand_a', 'cand_b', 'hyp_a', 'hyp_b', 'winner', 'score_a', 'agreement'])
    .where('bench_id', '=', benchId)
    .where('state', '=', 'played')
    .orderBy('index')
    .execute();
  return rows.map((row) => ({
    index: row.index,
    candA: row.cand_a,
    candB: row.cand_b,
    hypA: row.hyp_a,
    hypB: row.hyp_b,
    winner: row.winner ?? 'tie',
    scoreA: row.score_a ?? 0.5,
    agreement: row.agreement,
  }));
}

/** By `provider:model`. */
export async function countVerdicts(
  db: Database,
  benchId: string,
): Promise<Map<string, { verdicts: number; invalid: number }>> {
  const rows = await db
    .selectFrom('bench_verdicts')
    .select([
      'judge',
      sql<number>`count(*)`.as('verdicts'),
      sql<number>`count(*) FILTER (WHERE state = 'invalid')`.as('invalid'),
    ])
    .where('bench_id', '=', benchId)
    .groupBy('judge')
    .execute();
  return new Map(rows.map(({ judge, ...counts }) => [judge, counts]));
}

/**
 * Everything a finished bench says: ratings of hypotheses, candidates' rows, the summary.
 * @param tx a transaction that holds the bench's row
 */
export async function saveResults(
  tx: Database,
  summary: BenchSummary,
  results: {
    ratings: BenchRatings | null;
    /** Elo by hypothesis id. */
    elo: ReadonlyMap<string, number>;
    candidates: { id: string; row: CandidateSummary }[];
  },
): Promise<void> {
  for (const [id, elo] of results.elo) {
    await tx.updateTable('bench_hypotheses').set({ elo }).where('id', '=', id).execute();
  }
  for (const { id, row } of results.candidates) {
    await tx
      .updateTable('bench_candidates')
      .set({
        n_hypotheses: row.nHypotheses,
        wins: row.wins,
        losses: row.losses,
        ties: row.ties,
        bt_elo: row.rating,
        bt_low: row.ratingLow,
        bt_high: row.ratingHigh,
        mean_elo: row.meanElo,
        top_elo: row.topElo,
        gold_hits: row.goldHits,
        gold_hit_names: row.goldHitNames?.join(', ') ?? null,
        total_cost_usd: row.costUsd,
        n_unknown_cost: row.nUnknownCost,
        in_doubt_usd: row.inDoubtUsd,
        total_input_tok: row.inputTokens,
        total_output_tok: row.outputTokens,
      })
      .where('id', '=', id)
      .execute();
  }
  await finishBenchRow(tx, summary, results.ratings);
}
