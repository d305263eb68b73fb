import type { BenchPlan } from '../bench-plan';
import type { BenchState } from '../bench-states';
import type { BenchSummary } from '../bench-summary';
import { countWords } from '../count-words';
import type { Rubric } from '../evaluation/rubric';
import type { GoldSet } from '../gold-set';
import { judgeScope } from '../ids';
import { isKept } from '../kept';
import { formatModelRef } from '../model-ref';
import type { JudgeConduct } from '../ratings/judge-conduct';
import type { PipelineAndRaw } from '../ratings/pipeline-minus-raw';
import type { BenchRatings } from '../ratings/rate-bench';
import type { RatedMatch } from '../ratings/rated-match';
import { summariseBench } from '../summarise-bench';
import { type CandidateReport, type Latency, latencyOf, reportCandidates } from './candidate-report';
import { type CallCosts, callsOfScope, costsOf } from './costs';
import { countReasons, factsOfRecord, playedMatches } from './facts-of-record';
import { type GoldRescore, rescoresOf } from './gold-rescore';
import { type HypothesisReport, reportHypotheses } from './hypothesis-report';
import { type NightDesign, nightDesignOf } from './night-design';
import { rateRecord } from './rated-record';
import type { RecordedBench } from './recorded-bench';
import { type RubricReport, reportRubric } from './rubric-report';
import { type SpendPoint, spendOverTime } from './spend';
import { type Consistency, consistencyOf, doesApply, type ThemedHypothesis, type ThemeSet } from './themes';
import { reportedModels } from './versions';
import { type WinCell, winMatrix } from './win-matrix';

/**
 * All that a report says of a bench, as figures and texts that are not yet escaped for any page. Made from the record
 * alone: the same rows give the same report.
 */
export interface BenchReport {
  benchId: string;
  session: string;
  state: BenchState;
  /** Models, verdicts and dollars are made up. */
  isSimulated: boolean;
  preset: string | null;
  goal: string;
  seed: number;
  createdAt: string;
  finishedAt: string | null;
  failure: { kind: string; detail: string } | null;
  plan: BenchPlan;
  reportedModels: Record<string, string[]>;
  /** As the bench ended with it, or as its rows come to so far. */
  summary: BenchSummary;
  /** As the stored schedule has them; `unplayed` by reason. */
  matches: { scheduled: number; played: number; unplayed: Record<string, number> };
  /** null: its candidates meet each other, or nothing is scheduled yet. */
  night: NightDesign | null;
  /** Best first: by rating where there is one, else as in the summary. */
  candidates: CandidateReport[];
  /** null where none of its own texts met in a match that was played: `whyUnrated` says which it is. */
  ratings: BenchRatings | null;
  /** What they are made from, for ratings over several benches. */
  ratedMatches: RatedMatch[];
  /** Models in both modes. */
  pairs: readonly PipelineAndRaw[];
  judges: JudgeReport;
  conduct: JudgeConduct;
  /** Rows and columns in the order of `candidates`. */
  winMatrix: (WinCell | null)[][];
  /** In the order of candidates in the plan and of their slots. */
  hypotheses: HypothesisReport[];
  /** Against every set that was given or kept, the bench's own first. */
  rescores: GoldRescore[];
  consistency: Consistency;
  /** null where no judge has scored anything. */
  rubric: RubricReport | null;
  /** The hypotheses behind it, for counts over several benches. */
  themed: ThemedHypothesis[];
  spend: SpendPoint[];
}

export interface JudgeReport {
  /** All that judges and reviewer were asked. */
  costs: CallCosts;
  latency: Latency | null;
  /** Verdicts that could not be had, by reason. */
  invalid: Record<string, number>;
}

export interface ReportOptions {
  /** Every gold set to hold the hypotheses against. */
  goldSets: readonly GoldSet[];
  /** The first that applies to the goal is counted. */
  themeSets: readonly ThemeSet[];
  /** As this program has them: scores by other versions are counted, not put together. */
  rubrics: readonly Rubric[];
}

/**
 * Everything that is said of one bench, whatever the format. A bench that has ended speaks by the summary and the ratings
 * it ended with, any other by what its rows come to so far.
 */
export function reportBench(
  record: RecordedBench,
  { goldSets, themeSets, rubrics }: ReportOptions,
): BenchReport {
  const { run } = record;
  const rated = rateRecord(record, run.ratings);
  const { ratings } = rated;
  const summary = run.summary ?? summariseBench(factsOfRecord(record, run.state, rated));
  const candidates = inOrder(reportCandidates(record, summary.candidates), ratings);
  const themed = themedHypotheses(record);
  return {
    benchId: run.benchId,
    session: run.session,
    state: run.state,
    isSimulated: run.plan.isSimulated,
    preset: run.preset,
    goal: run.goal,
    seed: run.seed,
    createdAt: run.createdAt,
    finishedAt: run.finishedAt,
    failure: run.failureKind === null ? null : { kind: run.failureKind, detail: run.failureDetail ?? '' },
    plan: run.plan,
    reportedModels: reportedModels(record.calls),
    summary,
    matches: {
      scheduled: record.matches.length,
      played: playedMatches(record.matches).length,
      unplayed: countReasons(record.matches),
    },
    night: nightDesignOf(record),
    candidates,
    ratings,
    // Named among several benches: its replicates are runs of it.
    ratedMatches: rated.bench.matches.map((match) => ({ ...match, run: `${run.benchId}/${match.run}` })),
    pairs: rated.bench.models,
    judges: {
      costs: costsOf(callsOfScope(record.calls, judgeScope(run.benchId))),
      latency: latencyOf(record.calls.filter(({ kind }) => kind === 'judge')),
      invalid: countInvalid(record),
    },
    conduct: rated.conduct,
    winMatrix: winMatrix(idsOf(record, candidates), playedMatches(record.matches)),
    hypotheses: reportHypotheses(record),
    rescores: rescoresOf(record, goldSets),
    consistency: consistencyOf(themed, themeSets.find((set) => doesApply(set, run.goal)) ?? null),
    rubric: reportRubric(record, rubrics),
    themed,
    spend: spendOverTime(record),
  };
}

function inOrder(candidates: CandidateReport[], ratings: BenchRatings | null): CandidateReport[] {
  if (ratings === null) return candidates;
  const place = new Map(ratings.given.candidates.map(({ candidate }, i) => [candidate, i]));
  return candidates.toSorted((one, other) => (place.get(one.label) ?? 0) - (place.get(other.label) ?? 0));
}

function idsOf({ candidates }: RecordedBench, ranked: readonly CandidateReport[]): string[] {
  const ids = new Map(candidates.map(({ label, id }) => [label, id]));
  return ranked.map(({ label }) => ids.get(label) ?? label);
}

function themedHypotheses({ candidates, hypotheses }: RecordedBench): ThemedHypothesis[] {
  const models = new Map(candidates.map((candidate) => [candidate.id, formatModelRef(candidate)]));
  return hypotheses.flatMap((h) =>
    h.record && isKept(h) ? [{ model: models.get(h.candidateId) ?? h.candidateId, record: h.record }] : [],
  );
}

function countInvalid({ matches }: RecordedBench): Record<string, number> {
  const invalid = matches.flatMap(({ verdicts }) => verdicts).filter(({ state }) => state === 'invalid');
  return countWords(invalid.map(({ reason }) => reason ?? 'unknown'));
}
