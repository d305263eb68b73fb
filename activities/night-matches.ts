import type { BenchPlan } from '../core/bench-plan';
import { hypothesisId } from '../core/ids';
import { nightSchedule } from '../core/nightly/night-schedule';
import type { Panel } from '../core/nightly/panel';
import type { CandidateRow } from '../db/candidates';
import type { PlannedMatch } from '../db/matches';

/**
 * A night's schedule: the anchors first, so that they are played whatever the money does, then every candidate against
 * the panel. Always in both orders. Sides b, and both sides of an anchor, are texts of the pinned bench.
 */
export function nightMatches(
  plan: Pick<BenchPlan, 'n' | 'matches'>,
  candidates: readonly Pick<CandidateRow, 'id'>[],
  { opponents, anchors }: Panel,
): PlannedMatch[] {
  const pairs = [
    ...anchors,
    ...nightSchedule({
      candidates: candidates.length,
      slots: plan.n,
      opponents: opponents.length,
      matches: plan.matches,
    }).map(({ candidate, slot, opponent }): [string, string] => [
      hypothesisId(candidates[candidate]?.id ?? '', slot),
      opponents[opponent] ?? '',
    ]),
  ];
  return pairs.map(([hypA, hypB], index) => ({
    index,
    candA: candidateOf(hypA),
    candB: candidateOf(hypB),
    hypA,
    hypB,
    oneOrder: null,
    repeats: 0,
  }));
}

/** `<candidate>/<k>`; a label holds no slash. */
function candidateOf(hypothesis: string): string {
  return hypothesis.slice(0, hypothesis.lastIndexOf('/'));
}
