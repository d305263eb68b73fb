import { fitCandidates } from '../../../core/ratings/candidate-fit';
import { rateCandidates } from '../../../core/ratings/candidate-ratings';
import { pipelineMinusRaw } from '../../../core/ratings/pipeline-minus-raw';
import { match } from './rated-matches';

const NAMES = ['p1', 'r1', 'p2', 'r2'];
const matches = NAMES.flatMap((one, i) =>
  NAMES.slice(i + 1).flatMap((other, j) =>
    Array.from({ length: 8 }, (_, k) => {
      const index = 100 * i + 10 * j + k;
      const said =
        one.startsWith('p') && other.startsWith('r') && k % 4 !== 0
          ? (['a', 'a'] as const)
          : (['a', 'b'] as const);
      return match(index, `${one}/${k % 4}`, `${other}/${k % 4}`, said);
    }),
  ),
);
const models = [
  { model: 'm1', pipeline: 'p1', raw: 'r1', pipelineUsd: 1.5, rawUsd: 0.25 },
  { model: 'm2', pipeline: 'p2', raw: 'r2', pipelineUsd: 2, rawUsd: 0.25 },
];
const fit = fitCandidates(matches);

describe('pipeline minus raw', () => {
  it('is the difference of the two ratings, by model and in the mean, beside $1.25, $1.75 and $1.50', () => {
    const { candidates } = rateCandidates(matches, { seed: 1, draws: 1 });
    const rating = (name: string) => candidates.find(({ candidate }) => candidate === name)!.rating!;
    const result = pipelineMinusRaw(fit, models);
    const expected = [rating('p1') - rating('r1'), rating('p2') - rating('r2')];
    result.models.forEach(({ elo }, k) => {
      expect(elo!).toBeCloseTo(expected[k]!, 8);
    });
    expect(result.overall!.elo!).toBeCloseTo((expected[0]! + expected[1]!) / 2, 8);
    expect([...result.models.map(({ usd }) => usd), result.overall!.usd]).toEqual([1.25, 1.75, 1.5]);
  });

  it('has an interval wider than one difference alone, and the mean of two a narrower one than either', () => {
    const both = pipelineMinusRaw(fit, models);
    const alone = pipelineMinusRaw(fit, models.slice(0, 1));
    const width = (one: { interval: { low: number; high: number } | null }) =>
      one.interval!.high - one.interval!.low;
    expect(width(both.models[0]!)).toBeGreaterThan(width(alone.models[0]!));
    expect(width(both.overall!)).toBeLessThan(width(alone.models[0]!));
  });

  it('does not know dollars or ratings that are not known', () => {
    const result = pipelineMinusRaw(fit, [
      { ...models[0]!, rawUsd: null },
      { ...models[1]!, raw: 'gone' },
    ]);
    expect(result.models.map(({ usd }) => usd)).toEqual([null, 1.75]);
    expect(result.models[1]).toMatchObject({ elo: null, interval: null, word: 'too_few' });
    expect(result.overall).toEqual({ elo: null, interval: null, word: 'too_few', usd: null });
    expect(pipelineMinusRaw(fit, []).overall).toBeNull();
  });
});
