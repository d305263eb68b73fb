import { meanOf } from '../mean';
import { choleskyFactor, solveCholesky } from './cholesky';
import { sigmoid } from './elo-scale';
import { solveLaplacian } from './laplacian';
import type { PairCounts } from './pair-counts';
import { countStrongComponents } from './strong-components';

/** Bradley–Terry strengths with what is needed to trust them. */
export interface BradleyTerryFit {
  pairs: PairCounts;
  /** Strengths in logits, mean zero, in the order of `pairs.items`. */
  theta: Float64Array;
  /** One strongly connected win graph: the strengths are the exact maximum of the likelihood. */
  isConnected: boolean;
  /** Strongly connected components of the win graph. */
  components: number;
  /** What was added to the data; null when nothing was. */
  prior: VirtualTies | null;
  /** Where the prior's opponent of strength zero stands among the centred strengths, in logits; 0 without a prior. */
  priorStrength: number;
  /** Largest absolute entry of the gradient, in points scored: how far from the maximum. */
  gradient: number;
}

/**
 * A prior in the unit of the data: each item has played `weight` tied matches against an opponent of strength
 * zero. It makes the maximum finite and unique whatever the outcomes.
 */
export interface VirtualTies {
  kind: 'virtual_ties';
  weight: number;
}

/**
 * A quarter of a tie: with a whole one the intervals of candidates that win nearly everything (strengths 2 logits
 * apart and more) stop short of the truth; measured in docs/decisions/0011.
 */
export const DEFAULT_PRIOR: VirtualTies = { kind: 'virtual_ties', weight: 0.25 };

export interface BradleyTerryOptions {
  /** Used only where the win graph is not strongly connected. Default: `DEFAULT_PRIOR`. */
  prior?: VirtualTies;
}

/**
 * Maximum likelihood of P(i beats j) = 1 / (1 + exp(θj − θi)), a tie being half a win each way (Bradley and
 * Terry 1952), by Newton's method to a gradient below 1e-9. Where the win graph is not strongly connected no
 * finite maximum exists (Ford 1957): then the stated prior is added, and the answer says so.
 */
export function fitBradleyTerry(pairs: PairCounts, options: BradleyTerryOptions = {}): BradleyTerryFit {
  const components = countStrongComponents(pairs);
  const isConnected = components <= 1;
  const prior = isConnected ? null : (options.prior ?? DEFAULT_PRIOR);
  const { theta, ...end } = climb(pairs, prior?.weight ?? 0);
  const mean = meanOf(theta) ?? 0;
  return {
    pairs,
    theta: theta.map((value) => value - mean),
    isConnected,
    components,
    prior,
    priorStrength: prior === null ? 0 : -mean,
    ...end,
  };
}

/** Places in `pairs.items`, strongest first; equal strengths by name. */
export function byStrength({ theta }: Pick<BradleyTerryFit, 'theta'>): number[] {
  return Array.from(theta, (_, i) => i).sort((i, j) => theta[j]! - theta[i]! || i - j);
}

/** Strengths closer than this, in logits, differ by rounding alone. */
const SAME_STRENGTH = 1e-9;

/** Ranks from 1, by number of the item; equal strengths share the better one. */
export function sharedRanks({ theta }: Pick<BradleyTerryFit, 'theta'>): number[] {
  return Array.from(theta, (own) => 1 + theta.filter((other) => other - own >= SAME_STRENGTH).length);
}

/** Where Newton's steps stop; rounding allows no more when a pair has some 10^6 comparisons. */
const GRADIENT_GOAL = 1e-11;
const MAX_STEPS = 100;

/**
 * Newton's method from equal strengths, with steps halved until the gradient shrinks: the Newton step always points
 * downhill on the squared gradient of a strictly concave function. Not from elsewhere: where one has won everything the
 * gradient shrinks all the way out, and a first step that starts far away may land where no curvature is left.
 */
function climb(pairs: PairCounts, priorWeight: number): { theta: Float64Array; gradient: number } {
  let at = slopeAt(pairs, priorWeight, new Float64Array(pairs.items.length));
  for (let steps = 0; at.largest > GRADIENT_GOAL && steps < MAX_STEPS; steps++) {
    const next = shortenedStep(pairs, priorWeight, at, newtonStep(pairs, at));
    if (next === null) break;
    at = next;
  }
  return { theta: at.theta, gradient: at.largest };
}

/** The likelihood's slope and curvature at a point. */
interface Slope {
  theta: Float64Array;
  gradient: Float64Array;
  /** p(1 − p) times games, a pair. */
  curvature: Float64Array;
  /** The prior's curvature, an item; all zero without one. */
  priorCurvature: Float64Array;
  norm: number;
  largest: number;
}

function slopeAt(pairs: PairCounts, priorWeight: number, theta: Float64Array): Slope {
  const { low, high, games, scoreLow } = pairs;
  const gradient = new Float64Array(theta.length);
  const curvature = new Float64Array(games.length);
  for (let k = 0; k < games.length; k++) {
    const decay = Math.exp(theta[high[k]!]! - theta[low[k]!]!);
    const expected = games[k]! / (1 + decay);
    const surplus = scoreLow[k]! - expected;
    gradient[low[k]!]! += surplus;
    gradient[high[k]!]! -= surplus;
    curvature[k] = decay === Number.POSITIVE_INFINITY ? 0 : (expected * decay) / (1 + decay);
  }
  const priorCurvature = new Float64Array(theta.length);
  if (priorWeight > 0) {
    for (let i = 0; i < theta.length; i++) {
      const win = sigmoid(theta[i]!);
      gradient[i]! += priorWeight * (0.5 - win);
      priorCurvature[i] = priorWeight * win * sigmoid(-theta[i]!);
    }
  }
  let squares = 0;
  let largest = 0;
  for (const entry of gradient) {
    squares += entry * entry;
    largest = Math.max(largest, Math.abs(entry));
  }
  return { theta, gradient, curvature, priorCurvature, norm: Math.sqrt(squares), largest };
}

/** Up to this many items a dense factor is faster than conjugate gradients. */
const DENSE_ITEMS = 48;

function newtonStep(pairs: PairCounts, at: Slope): Float64Array {
  const size = at.theta.length;
  if (size > DENSE_ITEMS) return solveLaplacian(pairs, at.curvature, at.priorCurvature, at.gradient);
  // Without a prior the strengths are free up to a shift: the last item stands still and its row is left out.
  const free = at.priorCurvature[0]! > 0 ? size : size - 1;
  const hessian = new Float64Array(free * free);
  for (let i = 0; i < free; i++) hessian[i * free + i] = at.priorCurvature[i]!;
  for (let k = 0; k < at.curvature.length; k++) {
    const i = pairs.low[k]!;
    const j = pairs.high[k]!;
    const weight = at.curvature[k]!;
    if (i < free) hessian[i * free + i]! += weight;
    if (j < free) hessian[j * free + j]! += weight;
    if (i < free && j < free) {
      hessian[i * free + j]! -= weight;
      hessian[j * free + i]! -= weight;
    }
  }
  const step = new Float64Array(size);
  step.set(solveCholesky(choleskyFactor(hessian, free), free, at.gradient.slice(0, free)));
  return step;
}

/** The step, halved until the gradient is smaller; null when rounding leaves nothing to gain. */
function shortenedStep(pairs: PairCounts, priorWeight: number, at: Slope, step: Float64Array): Slope | null {
  for (let share = 1; share > 1e-6; share /= 2) {
    const theta = at.theta.map((value, i) => value + share * step[i]!);
    const next = slopeAt(pairs, priorWeight, theta);
    if (next.norm < at.norm * (1 - 1e-4 * share)) return next;
  }
  return null;
}
