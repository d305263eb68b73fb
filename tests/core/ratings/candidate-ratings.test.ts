import fc from 'fast-check';
import { replayElo } from '../../../core/elo';
import { Random } from '../../../core/random';
import { contrastOf, differenceWeights, fitCandidates } from '../../../core/ratings/candidate-fit';
import { rateCandidates } from '../../../core/ratings/candidate-ratings';
import { sigmoid } from '../../../core/ratings/elo-scale';
import type { RatedMatch } from '../../../core/ratings/rated-match';
import { buildSchedule } from '../../../core/schedule';
import { anyMatches, match, verdict } from './rated-matches';

const OPTIONS = { seed: 1, draws: 200 };

describe('known truth', () => {
  it('is recovered: 8 candidates a logit apart, n = 4, 8 matches a pair: median Kendall tau over 20 seeds ≥ 0.9', () => {
    const taus = Array.from({ length: 20 }, (_, seed) => {
      const random = new Random(seed);
      const matches = buildSchedule({ candidates: 8, slots: 4, matches: 8, seed }).map((scheduled) => {
        const edge = scheduled.candB - scheduled.candA;
        const say = () => (random.uniform() < sigmoid(edge) ? 'a' : 'b');
        const [one, other] = [
          `c${scheduled.candA}/${scheduled.slotA}`,
          `c${scheduled.candB}/${scheduled.slotB}`,
        ];
        return match(scheduled.index, one, other, [say(), say()]);
      });
      return kendall(
        rateCandidates(matches, OPTIONS).candidates.map(({ candidate }) => Number(candidate.slice(1))),
      );
    });
    taus.sort((a, b) => a - b);
    expect((taus[9]! + taus[10]!) / 2).toBeGreaterThanOrEqual(0.9);
  });

  it('of one identical text from three models: any order bias leaves them equal, 1000 / 1000 / 1000', () => {
    for (const shown of ['first', 'second'] as const) {
      const flipped = [0, 1, 2].flatMap((a) =>
        [0, 1, 2]
          .filter((b) => a < b)
          .map((b, k) => {
            const verdicts = (['ab', 'ba'] as const).map((order) => ({
              ...verdict(order, 'a'),
              winner: shown,
            }));
            return match(3 * a + k, `m${a}/1`, `m${b}/1`, ['a', 'b'], { verdicts, scoreA: 0.5 });
          }),
      );
      const { candidates } = rateCandidates(flipped, OPTIONS);
      expect(candidates.map(({ rating, rank }) => [rating, rank])).toEqual([
        [1000, 1],
        [1000, 1],
        [1000, 1],
      ]);
      const elo = replayElo(flipped.map(({ hypA, hypB, scoreA }) => ({ a: hypA, b: hypB, scoreA: scoreA! })));
      expect([...elo.values()]).toEqual([1200, 1200, 1200]);
    }
  });
});

describe('invariances', () => {
  it('reordering the rows changes ratings and intervals by less than 1e-6', () => {
    fc.assert(
      fc.property(anyMatches, fc.nat(), (matches, seed) => {
        same(rateCandidates(new Random(seed).shuffle(matches), OPTIONS), rateCandidates(matches, OPTIONS));
      }),
      { numRuns: 60 },
    );
  });

  it('swapping the sides of every match changes nothing', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        same(rateCandidates(matches.map(swapped), OPTIONS), rateCandidates(matches, OPTIONS));
      }),
      { numRuns: 60 },
    );
  });

  it('relabelling moves ratings, intervals and ranks with their names', () => {
    const renamed = (name: string) => `${'zyxwv'[Number(name[1])]!}${name.slice(2)}`;
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const other = rateCandidates(
          matches.map((one) => ({
            ...one,
            candA: renamed(one.candA),
            candB: renamed(one.candB),
            hypA: renamed(one.hypA),
            hypB: renamed(one.hypB),
          })),
          OPTIONS,
        );
        for (const { candidate, rating, interval, rankLow, rankHigh } of rateCandidates(matches, OPTIONS)
          .candidates) {
          const twin = other.candidates.find((one) => one.candidate === renamed(candidate))!;
          expect(twin.rating!).toBeCloseTo(rating!, 5);
          expect([twin.rankLow, twin.rankHigh]).toEqual([rankLow, rankHigh]);
          expect(twin.interval === null).toBe(interval === null);
          if (interval) expect(twin.interval!.low).toBeCloseTo(interval.low, 4);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a difference is antisymmetric: A − B and B − A have the same error and opposite signs', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const fit = fitCandidates(matches);
        const size = fit.design.candidates.length;
        const one = contrastOf(fit, differenceWeights(size, 0, 1));
        const other = contrastOf(fit, differenceWeights(size, 1, 0));
        expect(other.estimate).toBeCloseTo(-one.estimate, 12);
        expect(other.standardError).toBeCloseTo(one.standardError, 10);
      }),
    );
  });

  it('the same two hypotheses met twice say nothing of a spread: rounding is not taken for leverage, no NaN', () => {
    const fit = fitCandidates([
      match(0, 'c4/1', 'c2/0', ['tie', 'b']),
      match(1, 'c3/0', 'c2/1', ['b', 'a']),
      match(2, 'c4/1', 'c2/0', ['tie', 'a']),
    ]);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        if (i === j) continue;
        expect(contrastOf(fit, differenceWeights(3, i, j)).standardError).toBeGreaterThan(0.1);
      }
    }
  });

  it('two candidates share a letter exactly when neither is called better', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const { candidates, differences } = rateCandidates(matches, OPTIONS);
        for (const { a, b, word } of differences) {
          const [one, other] = [a, b].map(
            (name) => candidates.find(({ candidate }) => candidate === name)!.letters,
          );
          expect([...one!].some((letter) => other!.includes(letter))).toBe(
            word !== 'better' && word !== 'worse',
          );
        }
      }),
    );
  });
});

describe('what is not known is not shown', () => {
  const many = (n: number, count: number) =>
    Array.from({ length: count }, (_, k) =>
      match(k, `a/${k % n}`, `b/${k % n}`, k % 3 === 0 ? ['b', 'b'] : ['a', 'b']),
    );

  it('n = 1 has ratings, no interval, no P(best), the reason "one_hypothesis" and the word "too_few"', () => {
    const { candidates, differences } = rateCandidates(many(1, 12), OPTIONS);
    expect(candidates[0]).toMatchObject({
      interval: null,
      whyNoInterval: 'one_hypothesis',
      chanceOfBest: null,
      rankLow: 1,
      rankHigh: 2,
    });
    expect(candidates[0]!.rating).toBeGreaterThan(1000);
    expect(differences[0]).toMatchObject({ interval: null, amongPairs: null, word: 'too_few' });
  });

  it('four matches are too few, five are enough', () => {
    expect(rateCandidates(many(2, 4), OPTIONS).candidates[0]!.whyNoInterval).toBe('few_matches');
    expect(rateCandidates(many(2, 5), OPTIONS).candidates[0]!.whyNoInterval).toBeNull();
  });

  it('candidates that no chain of matches connects are not set against each other', () => {
    const apart = [
      ...many(3, 9),
      ...many(3, 9).map((one) => ({ ...swappedNames(one), index: one.index + 9 })),
    ];
    const { candidates, settings } = rateCandidates(apart, OPTIONS);
    expect(candidates.map(({ whyNoInterval }) => whyNoInterval)).toEqual(Array(4).fill('not_compared'));
    expect(settings.prior).toEqual({ kind: 'virtual_ties', weight: 0.25 });
  });

  it('a candidate without a played match stands last, without rank and rating', () => {
    const idle = { ...match(12, 'c/1', 'a/1', ['a', 'a']), scoreA: null, forfeit: 'a' as const };
    const { candidates } = rateCandidates([...many(3, 12), idle], OPTIONS);
    expect(candidates.map(({ candidate }) => candidate)).toEqual(['b', 'a', 'c']);
    expect(candidates[2]).toMatchObject({ rank: null, rating: null, whyNoInterval: 'no_match', matches: 0 });
  });

  it('a bench without a played match has no rating at all', () => {
    expect(rateCandidates([], { ...OPTIONS, candidates: ['x', 'y'] })).toMatchObject({
      candidates: [
        { candidate: 'x', rating: null },
        { candidate: 'y', rating: null },
      ],
      differences: [],
    });
  });

  it('an uninformative judge leaves one word for every pair', () => {
    const { differences } = rateCandidates(many(4, 40), { ...OPTIONS, isJudgeUninformative: true });
    expect(differences.map(({ word }) => word)).toEqual(['uninformative_judge']);
  });

  it('says that drift between two to four runs is left out, and takes runs as clusters from five', () => {
    const withRuns = (runs: number) =>
      Array.from({ length: runs }, (_, run) =>
        many(3, 9).map((one) => inRun(one, run, run % 2 === 0)),
      ).flat();
    expect(rateCandidates(withRuns(4), OPTIONS).settings).toMatchObject({ runs: 4, isDriftLeftOut: true });
    expect(rateCandidates(withRuns(5), OPTIONS).settings).toMatchObject({ runs: 5, isDriftLeftOut: false });
    // Every run favours one side throughout: runs differ far more than their few hypotheses tell.
    const contrast = contrastOf(fitCandidates(withRuns(6)), Float64Array.of(1, -1));
    expect(contrast).toMatchObject({ from: 'runs', degrees: 5 });
  });
});

describe('P(best)', () => {
  it('sums to 1, is ½ for two equals (±.05 in 10,000 draws) and the same for the same seed', () => {
    const even = Array.from({ length: 12 }, (_, k) =>
      match(k, `a/${k % 4}`, `b/${k % 4}`, k % 2 ? ['a', 'a'] : ['b', 'b']),
    );
    const rated = rateCandidates(even, { seed: 7 });
    const chances = rated.candidates.map(({ chanceOfBest }) => chanceOfBest!);
    expect(chances[0]! + chances[1]!).toBeCloseTo(1, 12);
    expect(Math.abs(chances[0]! - 0.5)).toBeLessThan(0.05);
    expect(rateCandidates(even, { seed: 7 })).toEqual(rated);
  });

  it('is Φ(z) for two candidates, z the difference over its error (normal, scipy: no other number enters)', () => {
    const uneven = Array.from({ length: 30 }, (_, k) =>
      match(k, `a/${k % 5}`, `b/${k % 6}`, k % 3 ? ['a', 'a'] : ['b', 'b']),
    );
    const { estimate, standardError } = contrastOf(fitCandidates(uneven), Float64Array.of(1, -1));
    const { candidates } = rateCandidates(uneven, { seed: 3, draws: 40_000 });
    // Φ by Abramowitz and Stegun 7.1.26, good to 1e-7.
    const z = estimate / standardError / Math.SQRT2;
    const t = 1 / (1 + 0.3275911 * z);
    const tail =
      t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    expect(candidates[0]!.chanceOfBest!).toBeCloseTo(1 - (tail * Math.exp(-z * z)) / 2, 2);
  });
});

function swapped(one: RatedMatch): RatedMatch {
  const winner = { first: 'first', second: 'second', tie: 'tie' } as const;
  return {
    ...one,
    candA: one.candB,
    candB: one.candA,
    hypA: one.hypB,
    hypB: one.hypA,
    scoreA: one.scoreA === null ? null : 1 - one.scoreA,
    verdicts: one.verdicts.map((said) => ({
      ...said,
      order: said.order === 'ab' ? 'ba' : 'ab',
      winner: winner[said.winner],
    })),
  };
}

function swappedNames(one: RatedMatch): RatedMatch {
  return {
    ...one,
    candA: 'c',
    candB: 'd',
    hypA: one.hypA.replace('a', 'c'),
    hypB: one.hypB.replace('b', 'd'),
  };
}

function inRun(one: RatedMatch, run: number, isReversed: boolean): RatedMatch {
  const scoreA = isReversed ? 0 : 1;
  return {
    ...one,
    scoreA: one.index === 0 ? 0.5 : scoreA,
    run: `r${run}`,
    hypA: `${one.hypA}.${run}`,
    hypB: `${one.hypB}.${run}`,
  };
}

function same(one: ReturnType<typeof rateCandidates>, other: ReturnType<typeof rateCandidates>): void {
  const byName = (rated: typeof one) => new Map(rated.candidates.map((entry) => [entry.candidate, entry]));
  for (const [name, entry] of byName(one)) {
    const twin = byName(other).get(name)!;
    expect(twin.rating!).toBeCloseTo(entry.rating!, 6);
    expect(twin.interval === null).toBe(entry.interval === null);
    if (entry.interval) expect(twin.interval!.high).toBeCloseTo(entry.interval.high, 5);
  }
}

function kendall(order: readonly number[]): number {
  let agree = 0;
  let pairs = 0;
  order.forEach((one, i) => {
    for (const other of order.slice(i + 1)) {
      pairs += 1;
      agree += one < other ? 1 : -1;
    }
  });
  return agree / pairs;
}
