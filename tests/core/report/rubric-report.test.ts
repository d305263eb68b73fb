import type { Rubric, RubricScore } from '../../../core/evaluation/rubric';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { reportRubric } from '../../../core/report/rubric-report';
import { RUBRIC_COLUMNS, rubricCautions } from '../../../core/report/rubric-words';
import { BENCH_ID, madeUp } from './made-up';

const RUBRICS: Rubric[] = (['generation', 'reflection', 'ranking', 'overview'] as const).map((name) => ({
  ...{ name, version: 1 },
  criteria: [
    { name: 'novelty', weight: 1, question: '?' },
    { name: 'grounding', weight: 1, question: '?' },
  ],
}));

let record: RecordedBench;
beforeAll(async () => {
  ({ record } = await madeUp());
});

/** Marks that have this total. */
const total = (sum: number): RubricScore['outcome'] => ({
  state: 'valid',
  marks: [
    { criterion: 'novelty', score: Math.floor(sum), reason: 'so' },
    { criterion: 'grounding', score: Math.ceil(sum), reason: 'so' },
  ],
});
const failed = (reason: string): RubricScore['outcome'] => ({ state: 'invalid', reason, detail: '' });

function scored(scores: Partial<RubricScore>[]): RecordedBench {
  return {
    ...record,
    rubric: {
      budget: {
        id: `${BENCH_ID}/eval/rubric`,
        capUsd: 1,
        heldUsd: 0.25,
        exceededCapUsd: null,
        closedBy: null,
      },
      scores: scores.map((score) => ({
        ...{ agent: 'generation', version: 1, subject: BENCH_ID, judge: 'sim:referee', callKey: 'key' },
        outcome: total(3),
        ...score,
      })),
    },
  };
}

/** Ids of this many hypotheses of the candidate of this number. */
function slotsOf(candidate: number, count: number): string[] {
  const { id } = record.candidates[candidate]!;
  return record.hypotheses
    .filter((h) => h.candidateId === id)
    .map((h) => h.id)
    .slice(0, count);
}

test('without scores there is no report of them', () => {
  expect(reportRubric(record, RUBRICS)).toBeNull();
});

// R: t.test(c(2.5, 3, 3.5)) gives 3, 95 % 1.757931 to 4.242069.
test('totals 2.5, 3 and 3.5 are a mean of 3.00 with 1.76 to 4.24 by Student’s t; what failed stands apart', () => {
  const [a, b, c] = slotsOf(0, 3);
  const report = reportRubric(
    scored([
      { subject: a!, outcome: total(2.5) },
      { subject: b!, outcome: total(3) },
      { subject: c!, outcome: total(3.5) },
      { subject: slotsOf(1, 1)[0]!, outcome: failed('truncated') },
    ]),
    RUBRICS,
  )!;
  expect(report.heldUsd).toBe(0.25);
  const [part] = report.parts;
  const labels = record.candidates.map(({ label }) => label);
  expect(part!.rows.map(({ author }) => author)).toEqual(labels);
  const [first, second, third] = part!.rows;
  expect(first).toMatchObject({ scored: 3, mean: 3, unscored: {} });
  expect(first!.interval!.low).toBeCloseTo(1.757931, 6);
  expect(first!.interval!.high).toBeCloseTo(4.242069, 6);
  expect(RUBRIC_COLUMNS.map(({ text }) => text(first!))).toEqual([
    labels[0],
    '3.00',
    '1.76 to 4.24',
    '3',
    '–',
  ]);
  expect(second).toEqual({
    author: labels[1],
    scored: 0,
    unscored: { truncated: 1 },
    mean: null,
    interval: null,
  });
  expect(third).toEqual({ author: labels[2], scored: 0, unscored: {}, mean: null, interval: null });
  expect(RUBRIC_COLUMNS.map(({ text }) => text(third!))).toEqual([labels[2], '–', 'no interval', '0', '–']);
});

test('an interval ends where the scale does, and of one piece, or of equal ones, there is none', () => {
  const rowOf = (...totals: number[]) => {
    const slots = slotsOf(0, totals.length);
    return reportRubric(
      scored(totals.map((sum, i) => ({ subject: slots[i]!, outcome: total(sum) }))),
      RUBRICS,
    )!.parts[0]!.rows[0]!;
  };
  expect(rowOf(2, 4)).toMatchObject({ mean: 3, interval: { low: 1, high: 5 } }); // ± 12.7 by t of one degree
  expect(rowOf(4)).toMatchObject({ scored: 1, mean: 4, interval: null });
  expect(rowOf(4, 4, 4)).toMatchObject({ scored: 3, mean: 4, interval: null });
});

test('no mark at all, and a version that is not known, give no mean and are counted as that', () => {
  const [a, b] = slotsOf(0, 2);
  const { parts } = reportRubric(
    scored([
      { subject: a!, outcome: { state: 'valid', marks: [] } },
      { subject: b!, version: 7 },
    ]),
    RUBRICS,
  )!;
  expect(
    parts.map(({ version, isKnown, rows }) => [version, isKnown, rows[0]!.mean, rows[0]!.unscored]),
  ).toEqual([
    [1, true, null, { no_marks: 1 }],
    [7, false, null, { unknown_rubric: 1 }],
  ]);
  expect(rubricCautions(parts[1]!).join()).toContain('Version 7 of the rubric generation is not known here');
});

test('judges and agents stand apart, in the order of the work; a review is its reviewer’s, a verdict its judge’s', () => {
  const slot = record.hypotheses.find(({ review }) => review?.state === 'valid')!;
  const match = record.matches.find(({ verdicts }) => verdicts.some(({ state }) => state === 'valid'))!;
  const { provider, model } = record.candidates[0]!;
  const own = `${provider}:${model}`;
  const { parts } = reportRubric(
    scored([
      { agent: 'overview' },
      { agent: 'ranking', subject: match.id },
      { agent: 'reflection', subject: slot.id },
      { subject: slot.id, judge: own },
      { subject: slot.id },
    ]),
    RUBRICS,
  )!;
  expect(parts.map(({ agent, judge }) => [agent, judge])).toEqual([
    ['generation', ...[own, 'sim:referee'].sort()].slice(0, 2),
    ['generation', [own, 'sim:referee'].sort()[1]],
    ['reflection', 'sim:referee'],
    ['ranking', 'sim:referee'],
    ['overview', 'sim:referee'],
  ]);
  const authors = parts.slice(2).map(({ rows }) => rows.map(({ author }) => author));
  expect(authors).toEqual([[slot.review!.reviewer], [match.verdicts[0]!.judge], ['the report']]);
  const byOwn = parts.find(({ judge }) => judge === own)!;
  expect(byOwn.isOwn).toBe(true);
  expect(rubricCautions(byOwn).join()).toContain('is a candidate of this bench');
  expect(parts.at(-1)!.isOwn).toBe(false);
});
