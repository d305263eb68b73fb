import { contrastOf, differenceWeights, fitCandidates } from '../../../core/ratings/candidate-fit';
import { rateCandidates } from '../../../core/ratings/candidate-ratings';
import { eloFromLogit } from '../../../core/ratings/elo-scale';
import { judgeConduct } from '../../../core/ratings/judge-conduct';
import { pipelineMinusRaw } from '../../../core/ratings/pipeline-minus-raw';
import { rateBench } from '../../../core/ratings/rate-bench';
import { studentFactor } from '../../../core/ratings/student-t';
import { match } from './rated-matches';

const FLAGGED = { judges: ['sim:judge'], reviewer: null, candidates: [] };

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

  it('holds two models and their mean at once, three quantities; of one model the mean is that model', () => {
    const reach = ({ elo, interval }: { elo: number | null; interval: { high: number } | null }) =>
      interval!.high - elo!;
    const both = pipelineMinusRaw(fit, models);
    const size = fit.design.candidates.length;
    const [p1, r1] = [fit.design.candidates.indexOf('p1'), fit.design.candidates.indexOf('r1')];
    const { standardError, degrees } = contrastOf(fit, differenceWeights(size, p1, r1));
    // Šidák (1967): each at .95^(1/3).
    expect(reach(both.models[0]!)).toBeCloseTo(
      eloFromLogit(studentFactor(0.95 ** (1 / 3), degrees) * standardError),
      8,
    );
    const alone = pipelineMinusRaw(fit, models.slice(0, 1));
    expect(alone.overall!.interval).toEqual(alone.models[0]!.interval);
  });

  it('says better of nobody where the judge flips too often to be believed', () => {
    const apart = Array.from({ length: 40 }, (_, k) =>
      match(k, `p1/${k % 5}`, `r1/${(k + Math.floor(k / 5)) % 5}`, k % 8 ? ['a', 'a'] : ['a', 'b']),
    );
    const words = (isJudgeUninformative: boolean) => {
      const result = pipelineMinusRaw(fitCandidates(apart), models.slice(0, 1), isJudgeUninformative);
      return [result.models[0]!.word, result.overall!.word];
    };
    expect(words(false)).toEqual(['better', 'better']);
    expect(words(true)).toEqual(['uninformative_judge', 'uninformative_judge']);
  });

  it('is told by a bench as by its ratings: a judge that flips in 5 of 6 matches shows no pipeline better', () => {
    const flipping = Array.from({ length: 800 }, (_, k) =>
      match(k, `p1/${k % 40}`, `r1/${(k + Math.floor(k / 40)) % 40}`, k % 6 ? ['a', 'b'] : ['a', 'a']),
    );
    const rated = rateBench(
      {
        seed: 1,
        candidates: ['p1', 'r1'].map((label) => ({ label, kept: 40, planned: 40 })),
        matches: flipping,
        judged: flipping,
        features: new Map(
          flipping.flatMap(({ hypA, hypB }) =>
            [hypA, hypB].map((id) => [id, { lengthChars: 1000, citations: 1 }] as const),
          ),
        ),
        models: models.slice(0, 1),
        unitCosts: null,
        flagged: FLAGGED,
      },
      judgeConduct(flipping, FLAGGED),
    )!;
    // The interval excludes 0; that is not enough.
    expect(rated.pipelineMinusRaw!.models[0]!.interval!.low).toBeGreaterThan(0);
    expect(rated.given.differences[0]!.word).toBe('uninformative_judge');
    expect(rated.pipelineMinusRaw!.models[0]!.word).toBe('uninformative_judge');
    expect(rated.pipelineMinusRaw!.overall!.word).toBe('uninformative_judge');
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
