import { linearPercentile } from '../../../core/percentile';
import { randomFrom } from '../../../core/random';
import { fitBradleyTerry } from '../../../core/ratings/bradley-terry';
import { rateCandidates } from '../../../core/ratings/candidate-ratings';
import { eloFromLogit } from '../../../core/ratings/elo-scale';
import { bootstrapHypotheses } from '../../../core/ratings/hypothesis-bootstrap';
import { countPairs } from '../../../core/ratings/pair-counts';
import { match } from './rated-matches';

const matches = Array.from({ length: 60 }, (_, k) =>
  match(k, `a/${k % 6}`, `b/${(k + Math.floor(k / 6)) % 6}`, k % 3 ? ['a', 'a'] : ['b', 'b']),
);

describe('the bootstrap over hypotheses', () => {
  it('is the same for the same seed, another for another, and says the seed', () => {
    const one = bootstrapHypotheses(matches, { resamples: 200, seed: 5 });
    expect(bootstrapHypotheses(matches, { resamples: 200, seed: 5 })).toEqual(one);
    expect(bootstrapHypotheses(matches, { resamples: 200, seed: 6 })).not.toEqual(one);
    expect(one.seed).toBe(5);
  });

  it('resamples hypotheses, never rows: with one hypothesis each all resamples are the bench itself', () => {
    const single = matches.map((one) => ({ ...one, hypA: 'a/0', hypB: 'b/0' }));
    const { candidates } = bootstrapHypotheses(single, { resamples: 50, seed: 1 });
    const { rating } = rateCandidates(single, { seed: 1, draws: 1 }).candidates[0]!;
    expect(candidates[0]!.interval.low).toBeCloseTo(rating!, 8);
    expect(candidates[0]!.interval.high).toBeCloseTo(rating!, 8);
  });

  it('holds the rating itself within its 95 % interval, and says how often the prior was needed', () => {
    const { candidates, withPrior } = bootstrapHypotheses(matches, { resamples: 400, seed: 2 });
    const { rating } = rateCandidates(matches, { seed: 1, draws: 1 }).candidates.find(
      ({ candidate }) => candidate === 'a',
    )!;
    expect(candidates[0]!.candidate).toBe('a');
    expect(candidates[0]!.interval.low).toBeLessThan(rating!);
    expect(candidates[0]!.interval.high).toBeGreaterThan(rating!);
    // Four of a's six always win: (4/6)^6 + (2/6)^6 of 400 resamples hold winners or losers only, 35.7 ± 5.7.
    expect(Math.abs(withPrior - 35.7)).toBeLessThan(20);
  });

  it('equals a naive twin that writes out each resample as a list of matches and fits it anew', () => {
    const [resamples, seed] = [60, 9];
    const { candidates } = bootstrapHypotheses(matches, { resamples, seed });
    const random = randomFrom(seed, 'hypothesis bootstrap');
    const ofA: number[] = [];
    for (let k = 0; k < resamples; k++) {
      const drawn = ['a', 'b'].flatMap((c) =>
        Array.from({ length: 6 }, () => `${c}/${random.integers(0, 6)}`),
      );
      const rows = drawn.flatMap((one) =>
        drawn.flatMap((other) =>
          matches
            .filter(({ hypA, hypB }) => hypA === one && hypB === other)
            .map(({ scoreA }) => ({ left: 'a', right: 'b', scoreLeft: scoreA! })),
        ),
      );
      const { theta, pairs } = fitBradleyTerry(countPairs(rows));
      ofA.push(1000 + eloFromLogit(theta[pairs.items.indexOf('a')]!));
    }
    const sorted = Float64Array.from(ofA).sort();
    expect(candidates[0]!.interval.low).toBeCloseTo(linearPercentile(sorted, 2.5), 6);
    expect(candidates[0]!.interval.high).toBeCloseTo(linearPercentile(sorted, 97.5), 6);
  });

  it('rates all of 300 resamples with the prior where one of three is never beaten', () => {
    const pairs = [...Array(3).fill('01'), ...Array(3).fill('02'), ...Array(3).fill('12')] as string[];
    const unbeaten = pairs.map((pair, k) =>
      match(
        k,
        `c${pair[0]}/${k % 2}`,
        `c${pair[1]}/${k % 3 === 1 ? 0 : 1}`,
        pair[0] === '0' || k % 2 ? ['a', 'a'] : ['b', 'b'],
      ),
    );
    for (let seed = 1; seed <= 20; seed++) {
      const { withPrior } = bootstrapHypotheses(unbeaten, { resamples: 300, seed });
      expect(withPrior).toBe(300);
    }
  });
});
