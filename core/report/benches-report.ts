import { compareText } from '../compare-text';
import type { BenchReport } from './bench-report';
import { findingsOf } from './findings';
import { type PipelineRuns, pipelineRuns } from './pipeline-runs';
import { type Consistency, consistencyOf, doesApply, type ThemeSet } from './themes';

/** All benches together. */
export interface BenchesReport {
  /** Oldest first. */
  benches: BenchReport[];
  /** Sentences of which every figure is computed from the benches below. */
  findings: string[];
  pipelineRuns: PipelineRuns[];
  kinds: BenchKind[];
  /** One entry a goal. */
  consistency: (Consistency & GoalBenches)[];
}

interface GoalBenches {
  goal: string;
  isSimulated: boolean;
  /** Benches of that goal. */
  benches: number;
}

/** Benches of one goal and gold set: what such a bench costs. Simulated dollars stand apart. */
export interface BenchKind extends GoalBenches {
  goldSet: string | null;
  /** One entry a bench. */
  costsUsd: number[];
  candidates: number[];
  /** Played. */
  matches: number[];
  /** Some cost of some bench is unknown or in doubt: the true ones may be higher. */
  hasGaps: boolean;
}

/** What several benches say together, by the order of their ids, which is that of their making. */
export function reportBenches(
  benches: readonly BenchReport[],
  themeSets: readonly ThemeSet[],
): BenchesReport {
  const ordered = benches.toSorted((one, other) => compareText(one.benchId, other.benchId));
  const runs = pipelineRuns(ordered);
  return {
    benches: ordered,
    findings: findingsOf(ordered, runs),
    pipelineRuns: runs,
    kinds: [...groupsBy(ordered, ({ goal, isSimulated, plan }) => [goal, isSimulated, plan.goldSet])].map(
      kindOf,
    ),
    consistency: [...groupsBy(ordered, ({ goal, isSimulated }) => [goal, isSimulated])].map((members) => ({
      ...consistencyOf(
        members.flatMap(({ themed }) => themed),
        themeSets.find((set) => doesApply(set, members[0]!.goal)) ?? null,
      ),
      ...goalOf(members),
    })),
  };
}

function kindOf(members: BenchReport[]): BenchKind {
  const { plan } = members[0]!;
  return {
    ...goalOf(members),
    goldSet: plan.goldSet,
    costsUsd: members.map(({ summary }) => summary.totalCostUsd),
    candidates: members.map(({ candidates }) => candidates.length),
    matches: members.map(({ matches }) => matches.played),
    hasGaps: members.some(({ summary }) => summary.nUnknownCost > 0 || summary.inDoubtUsd > 0),
  };
}

function goalOf(members: BenchReport[]): GoalBenches {
  const { goal, isSimulated } = members[0]!;
  return { goal, isSimulated, benches: members.length };
}

/** Groups in the order of their first members. */
function groupsBy(benches: readonly BenchReport[], keyOf: (bench: BenchReport) => unknown[]) {
  const groups = new Map<string, BenchReport[]>();
  for (const bench of benches) {
    const key = JSON.stringify(keyOf(bench));
    groups.set(key, [...(groups.get(key) ?? []), bench]);
  }
  return groups.values();
}
