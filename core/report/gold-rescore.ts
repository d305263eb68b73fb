import { type GoldSet, goldRecall } from '../gold-set';
import { isKept } from './kept';
import type { RecordedBench } from './recorded-bench';

/** A bench's hypotheses held against one gold set, after the fact. */
export interface GoldRescore {
  name: string;
  version: number;
  size: number;
  source: string;
  /** `YYYY-MM-DD`: the answers are public since then. */
  publishedOn: string;
  criteria: string[];
  /** The set the bench itself was scored against. */
  isRuntime: boolean;
  /** In the order of the plan. */
  candidates: GoldScore[];
}

export interface GoldScore {
  label: string;
  /** Entities that any of its hypotheses names, in the set's order. */
  named: string[];
  /** Of these, those that one proposes: in its title or among its entities. */
  proposed: string[];
  /** Hypotheses that name at least one entity, and all of them. */
  hitting: number;
  hypotheses: number;
}

export function rescore(record: RecordedBench, set: GoldSet): GoldRescore {
  const { run, candidates, hypotheses } = record;
  return {
    name: set.name,
    version: set.version,
    size: set.entities.length,
    source: `${set.source.title}, ${set.source.publisher}, ${set.source.id}`,
    publishedOn: set.publishedOn,
    criteria: set.criteria,
    isRuntime: run.plan.goldSet === set.name,
    candidates: candidates.map(({ id, label }) => {
      const own = hypotheses.filter((h) => h.candidateId === id && isKept(h));
      const recall = goldRecall(
        set,
        own.flatMap(({ record: text }) => text ?? []),
      );
      return {
        label,
        named: recall.named,
        proposed: recall.proposed,
        hitting: recall.namedByHypothesis.filter((count) => count > 0).length,
        hypotheses: own.length,
      };
    }),
  };
}
