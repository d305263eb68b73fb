import { countPairs, type PairCounts } from './pair-counts';
import type { RatedMatch } from './rated-match';
import { countIslands } from './strong-components';

/** The played matches, with candidates and hypotheses numbered: who met whom, and what came of it. */
export interface MatchDesign {
  /** Those with a played match, sorted. */
  candidates: readonly string[];
  /** Those with a played match, in order of appearance. */
  hypotheses: readonly string[];
  /** The candidate of each hypothesis. */
  candidateOf: Int32Array;
  /** Hypotheses with a played match, a candidate. */
  hypothesisCount: Int32Array;
  /** Played matches, a candidate. */
  matchCount: Int32Array;
  matches: readonly PlayedMatch[];
  runs: readonly string[];
  /** Match scores summed by pair of candidates. */
  pairs: PairCounts;
  /** Sets of candidates that no played match connects: 1 in a sound bench. */
  islands: number;
}

/** Sides by number; the score is side A's. */
export interface PlayedMatch {
  a: number;
  b: number;
  hypA: number;
  hypB: number;
  scoreA: number;
  /** Verdicts behind the score: the more, the less noise. */
  verdicts: number;
  run: number;
}

/** Matches whose verdicts are not given are taken to have been judged in two orders. */
const VERDICTS_WHEN_NOT_GIVEN = 2;

/**
 * @throws RangeError when a hypothesis stands under two candidates, or a candidate plays itself
 */
export function matchDesign(matches: readonly RatedMatch[]): MatchDesign {
  const played = matches.filter((match) => match.scoreA !== null);
  const pairs = countPairs(
    played.map(({ candA, candB, scoreA }) => ({ left: candA, right: candB, scoreLeft: scoreA! })),
  );
  const numbers = new Map(pairs.items.map((candidate, number) => [candidate, number]));
  const hypotheses = new Map<string, number>();
  const candidateOf: number[] = [];
  const runs = new Map<string, number>();
  const numbered = played.map((match): PlayedMatch => {
    const a = numbers.get(match.candA)!;
    const b = numbers.get(match.candB)!;
    return {
      a,
      b,
      hypA: hypothesisNumber(hypotheses, candidateOf, match.hypA, a),
      hypB: hypothesisNumber(hypotheses, candidateOf, match.hypB, b),
      scoreA: match.scoreA!,
      verdicts: match.verdicts.filter((verdict) => verdict.repeat === 0).length || VERDICTS_WHEN_NOT_GIVEN,
      run: numberIn(runs, match.run),
    };
  });
  const hypothesisCount = new Int32Array(pairs.items.length);
  for (const candidate of candidateOf) hypothesisCount[candidate]! += 1;
  const matchCount = new Int32Array(pairs.items.length);
  for (const match of numbered) {
    matchCount[match.a]! += 1;
    matchCount[match.b]! += 1;
  }
  return {
    candidates: pairs.items,
    hypotheses: [...hypotheses.keys()],
    candidateOf: Int32Array.from(candidateOf),
    hypothesisCount,
    matchCount,
    matches: numbered,
    runs: [...runs.keys()],
    pairs,
    islands: countIslands(pairs),
  };
}

function hypothesisNumber(
  numbers: Map<string, number>,
  candidateOf: number[],
  hypothesis: string,
  candidate: number,
): number {
  const number = numberIn(numbers, hypothesis);
  const known = candidateOf[number];
  if (known !== undefined && known !== candidate) {
    throw new RangeError(`hypothesis "${hypothesis}" stands under two candidates`);
  }
  candidateOf[number] = candidate;
  return number;
}

function numberIn(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}
