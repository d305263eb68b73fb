import fc from 'fast-check';
import { fitBradleyTerry } from '../../../core/ratings/bradley-terry';
import { contrastOf, differenceWeights, fitCandidates } from '../../../core/ratings/candidate-fit';
import { inverseCurvature, outcomeVariance } from '../../../core/ratings/curvature';
import { type MatchDesign, matchDesign } from '../../../core/ratings/match-design';
import { residualSums } from '../../../core/ratings/residual-sums';
import { anyMatches, match } from './rated-matches';

describe('squared residual sums and their expectations', () => {
  it('equal those of a naive twin that builds every matrix of the linear model', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const design = matchDesign(matches);
        const fit = fitBradleyTerry(design.pairs);
        // With a prior the fit is no projection, and the expectations are only close.
        fc.pre(fit.isConnected);
        const inverse = inverseCurvature(fit);
        const sums = residualSums(design, fit, inverse);
        const twin = naiveSums(design, fit.theta, inverse);
        expect(sums.squares).toBeCloseTo(twin.squares, 9);
        expect(sums.squaresOfNoise).toBeCloseTo(twin.squaresOfNoise, 9);
        close(sums.squaresOfBetween, twin.squaresOfBetween);
        close(sums.clusters, twin.clusters);
        close(sums.clustersOfNoise, twin.clustersOfNoise);
        close(sums.clustersOfBetween, twin.clustersOfBetween.flat());
      }),
      { numRuns: 150 },
    );
  });

  it('give a contrast the variance u′·Z′·Cov(e)·Z·u of the naive twin', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const fit = fitCandidates(matches);
        const size = fit.design.candidates.length;
        const weights = differenceWeights(size, 0, 1);
        const influence = weights.map((_, i) =>
          weights.reduce((sum, weight, j) => sum + fit.inverse[i * size + j]! * weight, 0),
        );
        const { noise, between } = fit.variances;
        let variance = 0;
        const moved = fit.design.hypotheses.map(() => 0);
        for (const { a, b, hypA, hypB, verdicts } of fit.design.matches) {
          const w = outcomeVariance(fit.bradleyTerry.theta[a]!, fit.bradleyTerry.theta[b]!);
          const step = influence[a]! - influence[b]!;
          variance += (noise * w * step ** 2) / verdicts;
          moved[hypA]! += w * step;
          moved[hypB]! -= w * step;
        }
        moved.forEach((move, h) => {
          variance += between[fit.design.candidateOf[h]!]! * move ** 2;
        });
        expect(contrastOf(fit, weights).standardError ** 2 / variance).toBeCloseTo(1, 9);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the estimates', () => {
  it('never are zero for equal scores: two matches that agree do not make a certainty', () => {
    const matches = [match(0, 'a/1', 'b/1', ['a', 'b']), match(1, 'a/2', 'b/2', ['a', 'b'])];
    const { variances } = fitCandidates(matches);
    // Prior .8 with four degrees, seen 0 with one: .64.
    expect(variances.noise).toBeCloseTo(0.64, 12);
    expect(contrastOf(fitCandidates(matches), Float64Array.of(1, -1)).standardError).toBeGreaterThan(0.5);
  });

  it('see that hypotheses differ: two strong and two weak of each give a spread of 1.15 logits (±.05)', () => {
    const strong = (h: string) => h.endsWith('1') || h.endsWith('2');
    const matches = ['a/1', 'a/2', 'a/3', 'a/4'].flatMap((one, i) =>
      ['b/1', 'b/2', 'b/3', 'b/4'].flatMap((other, j) => {
        const side =
          strong(one) === strong(other)
            ? (['a', 'b'] as const)
            : strong(one)
              ? (['a', 'a'] as const)
              : (['b', 'b'] as const);
        return [match(2 * (4 * i + j), one, other, side), match(2 * (4 * i + j) + 1, one, other, side)];
      }),
    );
    // By hand, to first order at p = ½: a sure win is worth ½ / ¼ = 2 logits, so they lie at ±1: variance 4/3.
    const spread = Math.sqrt(fitCandidates(matches).variances.betweenPooled);
    expect(Math.abs(spread - Math.sqrt(4 / 3))).toBeLessThan(0.05);
  });

  it('refuse a hypothesis under two candidates', () => {
    const odd = match(1, 'b/1', 'c/1', ['a', 'a'], { hypA: 'a/1' });
    expect(() => fitCandidates([match(0, 'a/1', 'b/1', ['a', 'a']), odd])).toThrow(
      'hypothesis "a/1" stands under two candidates',
    );
  });
});

interface NaiveSums {
  squares: number;
  squaresOfNoise: number;
  squaresOfBetween: number[];
  clusters: number[];
  clustersOfNoise: number[];
  clustersOfBetween: number[][];
}

/** r = (I − W·Z·H⁻·Z′)·e; each square is a quadratic form in r, its expectation a trace. */
function naiveSums(design: MatchDesign, theta: Float64Array, inverse: Float64Array): NaiveSums {
  const size = design.candidates.length;
  const { matches } = design;
  const w = matches.map(({ a, b }) => outcomeVariance(theta[a]!, theta[b]!));
  const maker = matches.map((one, k) =>
    matches.map((other, l) => {
      const hat =
        inverse[one.a * size + other.a]! -
        inverse[one.a * size + other.b]! -
        inverse[one.b * size + other.a]! +
        inverse[one.b * size + other.b]!;
      return (k === l ? 1 : 0) - w[k]! * hat;
    }),
  );
  const residual = matches.map(({ a, b, scoreA }) => scoreA - 1 / (1 + Math.exp(theta[b]! - theta[a]!)));
  const side = (h: number, sign: (k: number) => number) =>
    matches.map(({ hypA, hypB }, k) => (hypA === h ? sign(k) : hypB === h ? -sign(k) : 0));
  const hypotheses = Array.from(design.candidateOf.keys());
  const reach = hypotheses.map((h) => side(h, (k) => w[k]!));
  const sumOver = hypotheses.map((h) => side(h, () => 1));
  const through = (row: number[]) =>
    matches.map((_, l) => row.reduce((sum, value, k) => sum + value * maker[k]![l]!, 0));
  const dot = (one: number[], other: number[]) => one.reduce((sum, value, k) => sum + value * other[k]!, 0);
  const noiseOf = (row: number[]) =>
    row.reduce((sum, value, k) => sum + (value ** 2 * w[k]!) / matches[k]!.verdicts, 0);
  const out: NaiveSums = {
    squares: dot(residual, residual),
    squaresOfNoise: 0,
    squaresOfBetween: new Array(size).fill(0),
    clusters: new Array(size).fill(0),
    clustersOfNoise: new Array(size).fill(0),
    clustersOfBetween: Array.from({ length: size }, () => new Array(size).fill(0)),
  };
  for (const row of maker) {
    out.squaresOfNoise += noiseOf(row);
    for (const h of hypotheses) out.squaresOfBetween[design.candidateOf[h]!]! += dot(row, reach[h]!) ** 2;
  }
  for (const h of hypotheses) {
    const own = design.candidateOf[h]!;
    const row = through(sumOver[h]!);
    out.clusters[own]! += dot(sumOver[h]!, residual) ** 2;
    out.clustersOfNoise[own]! += noiseOf(row);
    for (const g of hypotheses)
      out.clustersOfBetween[own]![design.candidateOf[g]!]! += dot(row, reach[g]!) ** 2;
  }
  return out;
}

function close(found: Float64Array, expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, i) => {
    expect(found[i]!).toBeCloseTo(value, 8);
  });
}
