import fc from 'fast-check';
import { reportOptions } from '../../../activities/reporting/report-options';
import { proportion } from '../../../core/ratings/wilson';
import { type BenchReport, reportBench } from '../../../core/report/bench-report';
import { latencyOf } from '../../../core/report/candidate-report';
import { playedMatches } from '../../../core/report/facts-of-record';
import {
  costText,
  countsText,
  durationText,
  intervalText,
  kappaText,
  proportionText,
  pValueText,
  rankText,
  shareText,
  shareWithIntervalText,
  signedEloText,
  tokensText,
  usdText,
} from '../../../core/report/figure-text';
import { benchFindings } from '../../../core/report/findings';
import { qualificationsOf } from '../../../core/report/qualifications';
import type { RecordedBench, RecordedCall } from '../../../core/report/recorded-bench';
import { smallestGapElo } from '../../../core/report/smallest-gap';
import { spendOverTime } from '../../../core/report/spend';
import { consistencyOf, doesApply, type ThemeSet } from '../../../core/report/themes';
import { winMatrix } from '../../../core/report/win-matrix';
import { madeUp } from './made-up';

let record: RecordedBench;
beforeAll(async () => {
  ({ record } = await madeUp());
});

test('figures are written with true minus signs, four decimals of a dollar, and never a zero for what is above it', () => {
  expect([signedEloText(12.4), signedEloText(-12.6), signedEloText(-0.2), signedEloText(null)]).toEqual([
    '+12',
    '−13',
    '0',
    '–',
  ]);
  expect(intervalText({ low: -3.4, high: 1113.2 })).toBe('−3 to 1113');
  expect(intervalText(null)).toBe('no interval');
  expect([rankText(1, 7), rankText(2, 2), rankText(null, null)]).toEqual(['1–7', '2', '–']);
  expect([usdText(0.00001), usdText(0), usdText(1.23456), usdText(-0.02)]).toEqual([
    '< $0.0001',
    '$0.0000',
    '$1.2346',
    '−$0.0200',
  ]);
  expect(costText({ costUsd: 1, nUnknownCost: 1, inDoubtUsd: 0 })).toBe('≥ $1.0000');
  expect(costText({ costUsd: 0, nUnknownCost: 0, inDoubtUsd: 0.1 })).toBe('unknown');
  expect([tokensText(999), tokensText(99_950), tokensText(1_234_567)]).toEqual(['999', '100k', '1.2M']);
  expect([durationText(3), durationText(1234), durationText(120_000)]).toEqual(['3 ms', '1.2 s', '120 s']);
  expect([pValueText(0.00018), pValueText(0.00001), pValueText(0.167), pValueText(1)]).toEqual([
    'p = .0002',
    'p < .0001',
    'p = .167',
    'p = 1',
  ]);
  expect([shareText(0.339), shareText(null)]).toEqual(['33.9 %', '–']);
  expect([shareText(19 / 56, 56), shareText(1 / 3, 3), shareText(38 / 112, 112)]).toEqual([
    '34 %',
    '33 %',
    '33.9 %',
  ]);
  expect(proportionText(proportion(19, 56))).toBe('34 % (19 of 56)');
  // Wilson's formula by hand: .2292 to .4700.
  expect(shareWithIntervalText(proportion(19, 56))).toBe('34 % (23–47 %)');
  expect(shareWithIntervalText(proportion(0, 0))).toBe('–');
  expect([kappaText(-0.667), kappaText(-0.001), kappaText(0.5), kappaText(null)]).toEqual([
    '−0.67',
    '0.00',
    '0.50',
    '–',
  ]);
  expect(countsText({ duplicate: 2, truncated: 1 })).toBe('2 × duplicate, truncated');
});

test('latencies 1 to 10 have p50 5.5 and p95 9.55, as numpy.percentile has them; unanswered calls are not in them', () => {
  const call = (latencyMs: number, state: RecordedCall['state']): RecordedCall =>
    ({ ...record.calls[0]!, latencyMs, state }) as RecordedCall;
  const calls = [7, 1, 3, 10, 2, 9, 4, 6, 5, 8].map((ms) => call(ms, 'settled'));
  const latency = latencyOf([...calls, call(60_000, 'in_doubt'), call(30_000, 'failed')])!;
  expect(latency.calls).toBe(10);
  expect(latency.p50Ms).toBeCloseTo(5.5, 12);
  expect(latency.p95Ms).toBeCloseTo(9.55, 12);
  expect(latencyOf([])).toBeNull();
});

test('cells of the win matrix mirror each other, and a row’s matches are those that its candidate played', () => {
  const ids = record.candidates.map(({ id }) => id);
  const cells = winMatrix(ids, playedMatches(record.matches));
  for (const [i, row] of cells.entries()) {
    expect(row[i]).toBeNull();
    for (const [j, cell] of row.entries()) {
      if (cell === null) continue;
      const mirror = cells[j]![i]!;
      expect([cell.wins, cell.losses, cell.ties]).toEqual([mirror.losses, mirror.wins, mirror.ties]);
      expect(cell.score! + mirror.score!).toBeCloseTo(1, 12);
      expect(cell.matches).toBe(4);
    }
    const { wins, losses, ties } = record.candidates[i]!;
    const sum = (field: 'wins' | 'losses' | 'ties') =>
      row.reduce((total, cell) => total + (cell?.[field] ?? 0), 0);
    expect([sum('wins'), sum('losses'), sum('ties')]).toEqual([wins, losses, ties]);
  }
});

test('spend never falls, ends at the known total to the last digit, and keeps at most 402 points', () => {
  const points = spendOverTime(record);
  const totals = points.map((p) => p.generationUsd + p.judgingUsd + p.otherUsd);
  expect(totals).toEqual(totals.toSorted((one, other) => one - other));
  expect(totals.at(-1)).toBeCloseTo(record.run.summary!.totalCostUsd, 12);
  const many = { ...record, calls: Array.from({ length: 30 }, () => record.calls).flat() };
  expect(spendOverTime(many).length).toBeLessThanOrEqual(402);
});

const THEMES: ThemeSet = {
  name: 'test',
  version: 1,
  appliesTo: ['AML'],
  themes: [
    { name: 'Ferroptosis', patterns: ['GPX4', 'lipid peroxidation'] },
    { name: 'Stem cells', patterns: ['LSC', 'LSCs'] },
  ],
};

const idea = (model: string, summary: string, entities: string[] = [], excerpt = '') => ({
  model,
  record: {
    title: '',
    summary,
    fullText: '',
    mechanism: '',
    entities,
    citations: [{ url: 'https://example.org', title: '', excerpt }],
    falsification: '',
  },
});

test('themes count whole words in what a hypothesis says, not in what it cites, and by how many models', () => {
  const { themes } = consistencyOf(
    [
      idea('a', 'GPX4 guards against lipid peroxidation.'),
      idea('b', 'Ferroptosis it is.'),
      idea('b', 'LSCs and GPX4L are something else.'),
      idea('c', 'Nothing.', [], 'GPX4 in a citation'),
    ],
    THEMES,
  );
  expect(themes!.counts).toEqual([
    { theme: 'Ferroptosis', hypotheses: 2, models: 2 },
    { theme: 'Stem cells', hypotheses: 1, models: 1 },
  ]);
});

test('entities that more than one hypothesis lists are counted once a hypothesis, whatever their spelling', () => {
  const { entities } = consistencyOf(
    [
      idea('a', '', ['Itraconazole', 'itraconazole', 'TGF-β']),
      idea('b', '', ['itraconazole', 'TGF beta']),
      idea('b', '', ['Itraconazole', 'TGF-alpha']),
    ],
    null,
  );
  expect(entities).toEqual([
    { entity: 'Itraconazole', hypotheses: 2 + 1, models: 2 },
    { entity: 'TGF beta', hypotheses: 2, models: 2 },
  ]);
});

test('a set of themes applies to a goal that names its field as a word', () => {
  expect(doesApply(THEMES, 'A drug for AML.')).toBe(true);
  expect(doesApply(THEMES, 'A drug for AMLX.')).toBe(false);
});

test('whatever the order of the hypotheses, the counts are the same', () => {
  const ideas = [idea('a', 'GPX4', ['X']), idea('b', 'LSC', ['x', 'Y']), idea('c', 'LSC GPX4', ['Y'])];
  fc.assert(
    fc.property(fc.shuffledSubarray(ideas, { minLength: 3 }), (shuffled) => {
      expect(consistencyOf(shuffled, THEMES).themes).toEqual(consistencyOf(ideas, THEMES).themes);
      expect(consistencyOf(shuffled, THEMES).entities.map(({ hypotheses }) => hypotheses)).toEqual([2, 2]);
    }),
  );
});

test('a gap that a bench could see is not told where no difference has an interval, in the terminal or on a page', async () => {
  const { record: one } = await madeUp({ input: { ...record.run.input, n: 1 } });
  const report = reportBench(one, reportOptions());
  expect(report.ratings!.given.candidates.every(({ interval }) => interval === null)).toBe(true);
  expect(smallestGapElo(report.ratings!)).toBeNull();
  expect(qualificationsOf(report).join(' ')).not.toContain('smallest gap');
  const whole = reportBench(record, reportOptions());
  const given = { ...whole.ratings!.given };
  given.differences = given.differences.map((difference) => ({ ...difference, interval: null }));
  expect(smallestGapElo({ ...whole.ratings!, given })).toBeNull();
  expect(qualificationsOf(whole).join(' ')).toContain(`${Math.round(smallestGapElo(whole.ratings!)!)} Elo`);
});

// scipy 1.17.1: binomtest(10, 12).pvalue is .0386; two judges make that .0772.
test('ten of twelve flips to the first are a position bias of one judge, and none where two were looked at', () => {
  const report = reportBench(record, reportOptions());
  const [judge] = report.conduct.orders;
  const leaning = {
    ...judge!,
    flips: proportion(12, 40),
    positionBias: { firstFirst: 10, secondSecond: 2, pValue: 0.03857421875 },
  };
  const said = (orders: BenchReport['conduct']['orders']) =>
    benchFindings({ ...report, conduct: { ...report.conduct, orders } }).join('\n');
  expect(said([leaning])).toContain(
    '10 named the first in both orders and 2 the second (p = .039: a position bias)',
  );
  const other = { ...leaning, judge: 'another', positionBias: { firstFirst: 6, secondSecond: 6, pValue: 1 } };
  expect(said([leaning, other])).toContain('2 the second (p = .039).');
  expect(said([leaning, other])).not.toContain('a position bias');
});
