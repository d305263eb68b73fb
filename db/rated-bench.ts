import type { BenchPlan } from '../core/bench-plan';
import { candidateId } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import type { TextFeatures } from '../core/ratings/judge-sensitivity';
import type { PipelineAndRaw } from '../core/ratings/pipeline-minus-raw';
import { type BenchRatings, type RatedBench, rateBench } from '../core/ratings/rate-bench';
import type { Forfeit, RatedMatch, RatedVerdict } from '../core/ratings/rated-match';
import { readScopeCosts } from './costs';
import type { Database } from './database';
import { readSlots, type Slot } from './hypotheses';

/** A bench's ratings from its rows; null where no match was played. */
export async function rateRows(db: Database, benchId: string, plan: BenchPlan): Promise<BenchRatings | null> {
  const slots = await readSlots(db, { benchId });
  const labels = new Map(plan.candidates.map(({ label }) => [candidateId(benchId, label), label]));
  return rateBench({
    seed: plan.seed,
    candidates: plan.candidates.map(({ label }) => {
      const own = slots.filter((slot) => labels.get(slot.candidateId) === label);
      return { label, kept: own.filter(isKept).length, planned: own.length };
    }),
    matches: await readRatedMatches(db, benchId, slots, labels),
    features: new Map(slots.flatMap((slot) => (slot.record ? [[slot.id, featuresOf(slot.record)]] : []))),
    models: await readModelPairs(db, benchId, plan),
    unitCosts: null,
    flagged: {
      judges: plan.judges.map(formatModelRef),
      reviewer: plan.reviewer ? formatModelRef(plan.reviewer) : null,
      candidates: plan.candidates.map((c) => ({ label: c.label, model: formatModelRef(c) })),
    },
  } satisfies RatedBench);
}

function isKept({ state }: Slot): boolean {
  return state === 'reviewed' || state === 'in_tournament';
}

/** What the judge may be swayed by besides the idea. */
function featuresOf(record: NonNullable<Slot['record']>): TextFeatures {
  const texts = [record.title, record.summary, record.fullText, record.mechanism, record.falsification];
  return { lengthChars: texts.join('').length, citations: record.citations.length };
}

async function readRatedMatches(
  db: Database,
  benchId: string,
  slots: readonly Slot[],
  labels: ReadonlyMap<string, string>,
): Promise<RatedMatch[]> {
  const verdicts = await readValidVerdicts(db, benchId);
  const kept = new Set(slots.filter(isKept).map(({ id }) => id));
  const rows = await db
    .selectFrom('bench_matches')
    .select(['id', 'index', 'cand_a', 'cand_b', 'hyp_a', 'hyp_b', 'score_a', 'reason'])
    .where('bench_id', '=', benchId)
    .orderBy('index')
    .execute();
  return rows.map((row) => ({
    index: row.index,
    candA: labels.get(row.cand_a) ?? row.cand_a,
    candB: labels.get(row.cand_b) ?? row.cand_b,
    hypA: row.hyp_a,
    hypB: row.hyp_b,
    scoreA: row.score_a,
    forfeit: forfeitOf(kept.has(row.hyp_a), kept.has(row.hyp_b)),
    unplayedReason: row.score_a === null ? (row.reason ?? 'planned') : null,
    verdicts: verdicts.get(row.id) ?? [],
    run: '1',
  }));
}

function forfeitOf(isThereA: boolean, isThereB: boolean): Forfeit {
  if (isThereA) return isThereB ? 'none' : 'b';
  return isThereB ? 'a' : 'both';
}

async function readValidVerdicts(db: Database, benchId: string): Promise<Map<string, RatedVerdict[]>> {
  const rows = await db
    .selectFrom('bench_verdicts')
    .select(['match_id', 'judge', 'order', 'winner_position'])
    .where('bench_id', '=', benchId)
    .where('state', '=', 'valid')
    .orderBy('match_id')
    .orderBy('judge')
    .orderBy('order')
    .execute();
  const byMatch = new Map<string, RatedVerdict[]>();
  for (const row of rows) {
    const verdict = { judge: row.judge, order: row.order, winner: row.winner_position ?? 'tie', repeat: 0 };
    const list = byMatch.get(row.match_id);
    if (list) list.push(verdict);
    else byMatch.set(row.match_id, [verdict]);
  }
  return byMatch;
}

/** Models that play exactly once in each mode. */
async function readModelPairs(db: Database, benchId: string, plan: BenchPlan): Promise<PipelineAndRaw[]> {
  const pairs: PipelineAndRaw[] = [];
  for (const model of [...new Set(plan.candidates.map(formatModelRef))]) {
    const own = plan.candidates.filter((c) => formatModelRef(c) === model);
    const [pipeline, ...morePipelines] = own.filter((c) => c.mode === 'pipeline');
    const [raw, ...moreRaws] = own.filter((c) => c.mode === 'direct');
    if (!pipeline || !raw || morePipelines.length > 0 || moreRaws.length > 0) continue;
    pairs.push({
      model,
      pipeline: pipeline.label,
      raw: raw.label,
      pipelineUsd: await readKnownCost(db, benchId, pipeline.label),
      rawUsd: await readKnownCost(db, benchId, raw.label),
    });
  }
  return pairs;
}

/** null where any of it is unknown or in doubt. */
async function readKnownCost(db: Database, benchId: string, label: string): Promise<number | null> {
  const costs = await readScopeCosts(db, benchId, candidateId(benchId, label));
  return costs.nUnknownCost === 0 && costs.inDoubtUsd === 0 ? costs.costUsd : null;
}
