import { exposureParts } from '../answer-exposure';
import type { BenchPlan } from '../bench-plan';
import { type GoldSet, goldRecall } from '../gold-set';
import { isKept } from '../kept';
import { NONE } from './figure-text';
import type { GoldSetOrigin, RecordedBench } from './recorded-bench';

/** A bench's hypotheses held against one gold set, after the fact. */
export interface GoldRescore {
  name: string;
  version: number;
  size: number;
  source: string;
  /** `YYYY-MM-DD`: the answers are public since then. */
  publishedOn: string;
  criteria: string[];
  /** Who may have read the answers, in words; empty where all candidates are simulated. */
  exposure: string[];
  /** The set the bench itself was scored against. */
  isRuntime: boolean;
  /** Where somebody rescored the bench by it and that was kept: since when, and where the set came from. */
  kept: { since: string; origin: GoldSetOrigin } | null;
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

/** Entities named of all there are; a candidate without a hypothesis has named none, and missed none. */
export function recallText({ named, hypotheses }: GoldScore, size: number): string {
  return hypotheses === 0 ? NONE : `${named.length}/${size}`;
}

/** What a bench's kept hypotheses come to against a set, whether or not it was the bench's own. */
export function rescore(
  { run, candidates, hypotheses }: Pick<RecordedBench, 'run' | 'candidates' | 'hypotheses'>,
  set: GoldSet,
): GoldRescore {
  return {
    ...describe(set, run.plan),
    isRuntime: run.plan.goldSet === set.name,
    kept: null,
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

/**
 * Against every set that is given, and by every rescore that was kept; of the same set both are one. The bench's own
 * comes first, then the given ones in their order, then those that only a rescore knows.
 */
export function rescoresOf(record: RecordedBench, sets: readonly GoldSet[]): GoldRescore[] {
  const given = sets.map((set) => rescore(record, set));
  const kept = record.rescores.map(
    ({ goldSet, origin, candidates, rescoredAt }): GoldRescore => ({
      ...describe(goldSet, record.run.plan),
      isRuntime: false,
      kept: { since: rescoredAt, origin },
      candidates,
    }),
  );
  const isSame = (one: GoldRescore, other: GoldRescore) =>
    one.name === other.name && one.version === other.version;
  return [
    ...given.map((one) => ({ ...one, kept: kept.find((other) => isSame(one, other))?.kept ?? null })),
    ...kept.filter((one) => !given.some((other) => isSame(one, other))),
  ].sort((one, other) => Number(other.isRuntime) - Number(one.isRuntime));
}

/** How a set relates to a bench, in words. */
export function rescoreWords({ isRuntime, kept }: GoldRescore): string {
  const own = kept?.origin === 'file' ? ', a set of one’s own' : '';
  const since = kept ? ` (kept since ${kept.since.slice(0, 10)})` : '';
  return `${isRuntime ? 'the set of this bench' : 'after the fact'}${own}${since}`;
}

/** Who may have read the answers; where nobody real took part, the warning alone. */
export function exposureText({ exposure }: GoldRescore): string {
  return exposure.length > 0 ? exposure.join('; ') : 'a later model may have read them';
}

function describe(
  { name, version, entities, source, publishedOn, criteria }: GoldSet,
  { candidates }: BenchPlan,
) {
  return {
    ...{ name, version, size: entities.length, publishedOn, criteria },
    exposure: exposureParts(candidates, publishedOn),
    source: `${source.title}, ${source.publisher}, ${source.id}`,
  };
}
