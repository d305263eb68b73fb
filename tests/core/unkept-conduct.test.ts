import type { BenchSummary } from '../../core/bench-summary';
import { checkFigures } from '../../core/report/check-figures';
import { factsOfRecord } from '../../core/report/facts-of-record';
import { flipRateText } from '../../core/report/figure-text';
import type { RecordedBench } from '../../core/report/recorded-bench';
import { summariseBench } from '../../core/summarise-bench';
import { isConductUnkept, withUnknownConduct } from '../../core/unkept-conduct';
import { madeUp } from './report/made-up';
import { asProgramsOfOldWroteIt, panelNight } from './report/panel-night';

const PINNED = 'bnc_01J0000000000000000000000B';

let bench: RecordedBench;
let night: RecordedBench;
let kept: BenchSummary;
let old: BenchSummary;
beforeAll(async () => {
  ({ record: bench } = await madeUp());
  night = panelNight(bench, PINNED);
  kept = summariseBench(factsOfRecord(night));
  old = asProgramsOfOldWroteIt(kept);
});

test('a night that was summed up before its judges’ conduct was counted has unknown flips, not 0; counts of verdicts stay', () => {
  expect(isConductUnkept(old)).toBe(true);
  const read = withUnknownConduct(old);
  expect(read.judge).toEqual({ ...kept.judge, flips: null, halfFlips: null, flipRate: null });
  const unknown = {
    ...{ matches: null, flips: null, halfFlips: null, positionBias: null, oneOrder: null },
    ...{ repeats: null, isUninformative: null },
  };
  expect(read.judges).toEqual(kept.judges.map((judge) => ({ ...judge, ...unknown })));
  expect(read.judges.map(({ verdicts }) => verdicts)).toEqual([8, 9]);
  expect([read.agreements, read.flags]).toEqual([null, null]);
  expect(withUnknownConduct(read)).toEqual(read);
  expect([flipRateText(read.judge), flipRateText(kept.judge, 8)]).toEqual(['unknown', '25 %']);
});

test('a night of now keeps its 2 flips of 8, and so does a bench of old whose ratings had told of its judge', () => {
  expect(isConductUnkept(kept)).toBe(false);
  expect(withUnknownConduct(kept)).toBe(kept);
  const { pipelineMinusRaw: _, ...ofOld } = bench.run.summary!;
  expect(withUnknownConduct(ofOld as BenchSummary)).toBe(ofOld);
});

test('a night of old that heard no valid verdict has 0 flips of 0: that is known', () => {
  const silent = structuredClone(old);
  for (const judge of [silent.judge, ...silent.judges]) judge.invalid = judge.verdicts;
  expect(withUnknownConduct(silent)).toBe(silent);
  const halfSilent = structuredClone(old);
  halfSilent.judges[0]!.invalid = halfSilent.judges[0]!.verdicts;
  expect(withUnknownConduct(halfSilent).judges.map(({ flips }) => flips)).toEqual([0, null]);
});

test('one judge’s flips were counted from the matches, and stay; of its bias and repeats nothing is known', () => {
  const alone = structuredClone(old);
  alone.judges = alone.judges.slice(1);
  Object.assign(alone.judge, { flips: 2, halfFlips: 1, flipRate: 0.5 });
  const read = withUnknownConduct(alone);
  expect(read.judge).toMatchObject({ flips: 2, halfFlips: 1, flipRate: 0.5 });
  expect(read.judges[0]).toMatchObject({ flips: null, positionBias: null, repeats: null });
  expect(read.agreements).toEqual([]);
});

test('what is unknown contradicts no verdict; a wrong cost, and a flip too many of a night of now, do', () => {
  const summaryFields = (summary: BenchSummary) =>
    checkFigures({ ...night, run: { ...night.run, summary } }, null)
      .filter(({ subject }) => subject === 'summary')
      .map(({ field }) => field);
  expect(summaryFields(kept)).toEqual([]);
  expect(summaryFields(withUnknownConduct(old))).toEqual([]);
  const dearer = structuredClone(withUnknownConduct(old));
  dearer.judges[0]!.costUsd += 1;
  expect(summaryFields(dearer)).toEqual(['judges[0].costUsd']);
  const wrong = structuredClone(kept);
  wrong.judges[1]!.flips = 0;
  expect(summaryFields(wrong)).toEqual(['judges[1].flips']);
});
