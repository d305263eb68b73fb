import type { BenchPlan } from './bench-plan';
import type { HypothesisState } from './bench-states';
import type { HypothesisRecord } from './hypothesis';
import { candidateId, type Order } from './ids';
import { isKept } from './kept';
import type { KnownCosts } from './known-costs';
import { formatModelRef } from './model-ref';
import { isBetweenOwn } from './own-matches';
import type { TextFeatures } from './ratings/judge-sensitivity';
import type { PipelineAndRaw } from './ratings/pipeline-minus-raw';
import type { RatedBench } from './ratings/rate-bench';
import type { Forfeit, JudgedMatch, RatedVerdict } from './ratings/rated-match';
import { runOfSlot } from './replicates';
import { type KindCosts, unitCostsOf } from './unit-costs';

/** What the rows, or the record, of a bench say that its ratings are made of. Ids are row ids. */
export interface RatedRows {
  benchId: string;
  plan: BenchPlan;
  slots: readonly {
    id: string;
    candidateId: string;
    state: HypothesisState;
    record: HypothesisRecord | null;
  }[];
  /** The whole schedule, in its order. */
  matches: readonly RatedRow[];
  /** By candidate id. */
  costs: ReadonlyMap<string, KnownCosts>;
  /** Of all calls, by kind. */
  spent: readonly KindCosts[];
}

export interface RatedRow {
  index: number;
  candA: string;
  candB: string;
  hypA: string;
  hypB: string;
  /** null while unplayed. */
  scoreA: number | null;
  reason: string | null;
  /** Judged in one order only; null: in both. */
  oneOrder: Order | null;
  /** The valid ones. */
  verdicts: readonly RatedVerdict[];
}

/** The same facts as the ratings take them: candidates by label, forfeits named. */
export function ratedBenchOf({ benchId, plan, slots, matches, costs, spent }: RatedRows): RatedBench {
  const labels = new Map(plan.candidates.map(({ label }) => [candidateId(benchId, label), label]));
  const kept = new Set(slots.filter(isKept).map(({ id }) => id));
  return {
    seed: plan.seed,
    candidates: plan.candidates.map(({ label }) => {
      const own = slots.filter((slot) => labels.get(slot.candidateId) === label);
      return { label, kept: own.filter(isKept).length, planned: own.length };
    }),
    matches: matches.filter(isBetweenOwn(slots)).map(({ reason, oneOrder, ...match }) => ({
      ...match,
      asked: askedOf(plan, oneOrder),
      candA: labels.get(match.candA) ?? match.candA,
      candB: labels.get(match.candB) ?? match.candB,
      forfeit: forfeitOf(kept.has(match.hypA), kept.has(match.hypB)),
      unplayedReason: match.scoreA === null ? (reason ?? 'planned') : null,
      run: String(runOfSlot(Number(match.hypA.slice(match.hypA.lastIndexOf('/') + 1)), plan)),
    })),
    judged: matches.map(({ index, verdicts, oneOrder }) => ({
      index,
      verdicts,
      asked: askedOf(plan, oneOrder),
    })),
    features: new Map(slots.flatMap((slot) => (slot.record ? [[slot.id, featuresOf(slot.record)]] : []))),
    models: modelsInBothModes(benchId, plan, costs),
    unitCosts: unitCostsOf(spent, {
      hypotheses: kept.size,
      verdicts: matches.reduce((sum, { verdicts }) => sum + verdicts.length, 0),
    }),
    flagged: {
      judges: plan.judges.map(formatModelRef),
      // Whoever sees the texts alone reads no reviews, its own or another's.
      reviewer: plan.reviewer && plan.judgeView !== 'text' ? formatModelRef(plan.reviewer) : null,
      candidates: plan.candidates.map((c) => ({ label: c.label, model: formatModelRef(c) })),
    },
  };
}

function askedOf({ judges }: BenchPlan, oneOrder: Order | null): NonNullable<JudgedMatch['asked']> {
  return { judges: judges.length, orders: oneOrder === null ? 2 : 1 };
}

function forfeitOf(isThereA: boolean, isThereB: boolean): Forfeit {
  if (isThereA) return isThereB ? 'none' : 'b';
  return isThereB ? 'a' : 'both';
}

/** What the judge may be swayed by besides the idea. */
function featuresOf(record: HypothesisRecord): TextFeatures {
  const texts = [record.title, record.summary, record.fullText, record.mechanism, record.falsification];
  return { lengthChars: texts.join('').length, citations: record.citations.length };
}

/** Models that play exactly once in each mode. */
function modelsInBothModes(benchId: string, plan: BenchPlan, costs: RatedRows['costs']): PipelineAndRaw[] {
  return [...new Set(plan.candidates.map(formatModelRef))].flatMap((model) => {
    const own = plan.candidates.filter((c) => formatModelRef(c) === model);
    const [pipeline, ...morePipelines] = own.filter((c) => c.mode === 'pipeline');
    const [raw, ...moreRaws] = own.filter((c) => c.mode === 'direct');
    if (!pipeline || !raw || morePipelines.length > 0 || moreRaws.length > 0) return [];
    const known = (label: string): number | null => knownCost(costs.get(candidateId(benchId, label)));
    return [
      {
        model,
        pipeline: pipeline.label,
        raw: raw.label,
        pipelineUsd: known(pipeline.label),
        rawUsd: known(raw.label),
      },
    ];
  });
}

/** null where any of it is unknown or in doubt. */
function knownCost(costs: KnownCosts | undefined): number | null {
  return costs && costs.nUnknownCost === 0 && costs.inDoubtUsd === 0 ? costs.costUsd : null;
}
