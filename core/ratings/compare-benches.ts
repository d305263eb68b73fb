import { type CandidateFit, type Contrast, contrastOf } from './candidate-fit';
import { type DifferenceWord, differenceWord } from './difference-word';
import { eloFromLogit } from './elo-scale';
import { type Interval, intervalAmong, whyNoInterval } from './interval';

/** What must be equal before ratings of two benches may be subtracted: they are on the judge's own scale. */
export interface BenchScale {
  judges: readonly string[];
  /** Whose reviews the judge reads; null: none. */
  reviewer: string | null;
  /** Name and version of each prompt that hypotheses and verdicts were asked for with, in any one order. */
  prompts: string;
  goal: string;
  verdictMode: string;
  judgeView: string;
  orders: string;
}

export interface ComparedBench {
  scale: BenchScale;
  fit: CandidateFit;
  /** Candidates by rank. */
  ranking: readonly string[];
  /** What a candidate's name stands for: model and mode. */
  identities: ReadonlyMap<string, string>;
  isJudgeUninformative: boolean;
}

export type BenchComparison = {
  /** Candidates that stand in both benches by name, but for another model or mode. They are not compared. */
  leftOut: string[];
} & (
  | {
      kind: 'differences';
      /** Candidates of both benches. */
      candidates: CandidateChange[];
    }
  | {
      kind: 'ranks_only';
      /** Which settings differ, or that fewer than two candidates stand in both. */
      reasons: string[];
      candidates: { candidate: string; rankBefore: number; rankAfter: number }[];
    }
);

/** Ratings relative to the mean of the candidates that stand in both benches, in Elo. */
export interface CandidateChange {
  candidate: string;
  before: number;
  after: number;
  change: number;
  /** All changes hold at once in 95 % of comparisons; null where a bench has too few. */
  interval: Interval | null;
  /** Better: it has risen. */
  word: DifferenceWord;
}

/** By candidate name. Ranks are among the candidates that both benches have. */
export function compareBenches(before: ComparedBench, after: ComparedBench): BenchComparison {
  const named = before.fit.design.candidates.filter((name) => after.fit.design.candidates.includes(name));
  const isSame = (name: string) => before.identities.get(name) === after.identities.get(name);
  const candidates = named.filter(isSame);
  const leftOut = named.filter((name) => !isSame(name));
  const reasons = scaleDifferences(before.scale, after.scale);
  if (before.isJudgeUninformative || after.isJudgeUninformative) {
    reasons.push('the judge flips too often to be believed');
  }
  if (candidates.length < 2) reasons.push('fewer than two candidates stand in both benches');
  if (reasons.length > 0) {
    const rankIn = ({ ranking }: ComparedBench, candidate: string) =>
      ranking.filter((name) => candidates.includes(name)).indexOf(candidate) + 1;
    return {
      leftOut,
      kind: 'ranks_only',
      reasons,
      candidates: candidates.map((candidate) => ({
        candidate,
        rankBefore: rankIn(before, candidate),
        rankAfter: rankIn(after, candidate),
      })),
    };
  }
  return {
    leftOut,
    kind: 'differences',
    candidates: candidates.map((candidate) => changeOf(before.fit, after.fit, candidates, candidate)),
  };
}

function scaleDifferences(one: BenchScale, other: BenchScale): string[] {
  const named: [string, string, string][] = [
    ['judge', [...one.judges].sort().join(', '), [...other.judges].sort().join(', ')],
    ['reviewer', one.reviewer ?? '', other.reviewer ?? ''],
    ['prompts', one.prompts, other.prompts],
    ['goal', one.goal, other.goal],
    ['verdict mode', one.verdictMode, other.verdictMode],
    ['judge view', one.judgeView, other.judgeView],
    ['orders', one.orders, other.orders],
  ];
  return named.filter(([, first, second]) => first !== second).map(([name]) => `not the same ${name}`);
}

function changeOf(
  before: CandidateFit,
  after: CandidateFit,
  common: readonly string[],
  candidate: string,
): CandidateChange {
  const first = contrastOf(before, amongCommon(before, common, candidate));
  const second = contrastOf(after, amongCommon(after, common, candidate));
  const isShown = [before, after].every((fit) =>
    common.every((name) => whyNoInterval(fit, fit.design.candidates.indexOf(name)) === null),
  );
  const change = changeContrast(first, second);
  const interval = isShown ? inElo(intervalAmong(change, common.length)) : null;
  return {
    candidate,
    before: eloFromLogit(first.estimate),
    after: eloFromLogit(second.estimate),
    change: eloFromLogit(change.estimate),
    interval,
    word: differenceWord(interval),
  };
}

function inElo({ low, high }: Interval): Interval {
  return { low: eloFromLogit(low), high: eloFromLogit(high) };
}

function amongCommon(fit: CandidateFit, common: readonly string[], candidate: string): Float64Array {
  const weights = new Float64Array(fit.design.candidates.length);
  for (const name of common) weights[fit.design.candidates.indexOf(name)] = -1 / common.length;
  weights[fit.design.candidates.indexOf(candidate)]! += 1;
  return weights;
}

/** Two benches are independent: variances add, with Welch's degrees of freedom (1947). */
function changeContrast(first: Contrast, second: Contrast): Contrast {
  const one = first.standardError ** 2;
  const other = second.standardError ** 2;
  const variance = one + other;
  return {
    estimate: second.estimate - first.estimate,
    standardError: Math.sqrt(variance),
    degrees: variance ** 2 / (one ** 2 / first.degrees + other ** 2 / second.degrees),
    from: first.from === 'runs' || second.from === 'runs' ? 'runs' : 'hypotheses',
    noiseShare: (one * first.noiseShare + other * second.noiseShare) / variance,
  };
}
