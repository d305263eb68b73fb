import type { CandidateFit } from '../../core/ratings/candidate-fit';
import { logit, sigmoid } from '../../core/ratings/elo-scale';
import type { World, WorldKind } from './world';

/** What a bench of this world should find: for each pair, the chance that a fresh hypothesis of A beats one of B. */
export interface Truth {
  /** Row A, column B. */
  chance: number[][];
  /** Its logit: the true difference. */
  difference: number[][];
  /** The mean of a candidate's differences from all, itself too: the true strength. */
  strength: number[];
}

export function truthOf(world: World, kind: WorldKind): Truth {
  const chance = world.skills.map((_, a) =>
    world.skills.map((__, b) => (a === b ? 0.5 : freshChance(world, kind, a, b))),
  );
  const difference = chance.map((row) => row.map(logit));
  const strength = difference.map((row) => row.reduce((sum, one) => sum + one, 0) / row.length);
  return { chance, difference, strength };
}

/**
 * The standard error that an estimator would state if it knew all variances: of the contrast with these
 * influences on match scores, from the true moments of scores, shared hypotheses included.
 */
export function oracleVariance(
  world: World,
  kind: WorldKind,
  fit: CandidateFit,
  influence: Float64Array,
): number {
  const moments = momentsOf(world, kind, fit);
  let variance = 0;
  const steps: { weight: number; opponent: number }[][] = fit.design.hypotheses.map(() => []);
  for (const { a, b, hypA, hypB } of fit.design.matches) {
    const weight = influence[a]! - influence[b]!;
    variance += weight ** 2 * moments.scoreVariance[a]![b]!;
    steps[hypA]!.push({ weight, opponent: b });
    steps[hypB]!.push({ weight: -weight, opponent: a });
  }
  steps.forEach((ofHypothesis, h) => {
    const own = fit.design.candidateOf[h]!;
    for (const [i, one] of ofHypothesis.entries()) {
      for (const other of ofHypothesis.slice(i + 1)) {
        variance += 2 * one.weight * other.weight * moments.covariance[own]![one.opponent]![other.opponent]!;
      }
    }
  });
  return variance;
}

interface Moments {
  /** Of one match's score. */
  scoreVariance: number[][];
  /** Of the scores of one hypothesis of [own] against fresh ones of two opponents. */
  covariance: number[][][];
}

const momentsKept = new WeakMap<World, Moments>();

function momentsOf(world: World, kind: WorldKind, fit: CandidateFit): Moments {
  const kept = momentsKept.get(world);
  if (kept !== undefined) return kept;
  const numbers = fit.design.candidates.map((name) => Number(name.slice(1)));
  const scoreVariance = numbers.map((a) =>
    numbers.map((b) => (a === b ? 0 : varianceOfScore(world, kind, a, b))),
  );
  const curves = numbers.map((a) =>
    numbers.map((b) =>
      COARSE.map(({ x }) => {
        const gap = world.skills[a]! + world.spreads[a]! * x - world.skills[b]!;
        return mean(COARSE, (y) => expectedScore(gap - world.spreads[b]! * y, kind));
      }),
    ),
  );
  const covariance = curves.map((row) => row.map((one) => row.map((other) => covarianceOf(one, other))));
  const moments = { scoreVariance, covariance };
  momentsKept.set(world, moments);
  return moments;
}

function freshChance(world: World, kind: WorldKind, a: number, b: number): number {
  const spread = Math.hypot(world.spreads[a]!, world.spreads[b]!);
  return mean(FINE, (x) => expectedScore(world.skills[a]! - world.skills[b]! + spread * x, kind));
}

/** Side A's expected score over both orders. */
function expectedScore(gap: number, { bias, tie }: WorldKind): number {
  return (
    (sigmoid(gap + bias - tie) +
      sigmoid(gap + bias + tie) +
      sigmoid(gap - bias - tie) +
      sigmoid(gap - bias + tie)) /
    4
  );
}

function varianceOfScore(world: World, kind: WorldKind, a: number, b: number): number {
  const spread = Math.hypot(world.spreads[a]!, world.spreads[b]!);
  const square = mean(FINE, (x) => {
    const gap = world.skills[a]! - world.skills[b]! + spread * x;
    const ab = verdictMoments(gap + kind.bias, kind.tie);
    const ba = verdictMoments(gap - kind.bias, kind.tie);
    return (ab.square + ba.square + 2 * ab.mean * ba.mean) / 4;
  });
  return square - freshChance(world, kind, a, b) ** 2;
}

/** Of one verdict's score for a side with this edge. */
function verdictMoments(edge: number, tie: number): { mean: number; square: number } {
  const win = sigmoid(edge - tie);
  const even = sigmoid(edge + tie) - win;
  return { mean: win + even / 2, square: win + even / 4 };
}

function covarianceOf(one: readonly number[], other: readonly number[]): number {
  let both = 0;
  let first = 0;
  let second = 0;
  COARSE.forEach(({ weight }, k) => {
    both += weight * one[k]! * other[k]!;
    first += weight * one[k]!;
    second += weight * other[k]!;
  });
  return both - first * second;
}

interface Node {
  x: number;
  weight: number;
}

/** Equally spaced nodes with normal weights: exact to 1e-5 for curves as smooth as ours. */
function normalNodes(count: number, reach: number): Node[] {
  const nodes = Array.from({ length: count }, (_, k) => -reach + (2 * reach * k) / (count - 1));
  const total = nodes.reduce((sum, x) => sum + Math.exp((-x * x) / 2), 0);
  return nodes.map((x) => ({ x, weight: Math.exp((-x * x) / 2) / total }));
}

const FINE = normalNodes(33, 5);
const COARSE = normalNodes(13, 4);

function mean(nodes: readonly Node[], curve: (x: number) => number): number {
  return nodes.reduce((sum, { x, weight }) => sum + weight * curve(x), 0);
}
