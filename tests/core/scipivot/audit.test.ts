import fc from 'fast-check';
import { type AggregateRow, ruleAggregateRow, survivingRange } from '../../../core/scipivot/aggregate-row';
import { auditRelease, RELEASE_SIZE } from '../../../core/scipivot/audit';
import type { SourceCase } from '../../../core/scipivot/public-case';

const printed = (value: number, decimals: number) => ({ value, tolerance: 0.5 / 10 ** decimals });

/** The owner's document: GPT-6 Astra, released options-only, medium effort, 316/496 = 63.71 %. */
const ASTRA: AggregateRow = {
  line: 2,
  model: 'GPT-6 Astra',
  condition: 'options-only',
  effort: 'medium',
  nCorrect: 316,
  nRuns: 496,
  nParsed: 496,
  nCases: 248,
  accuracy: printed(0.6371, 4),
  caseAccuracy: printed(0.6371, 4),
  parsedAccuracy: printed(0.6371, 4),
};
const rule = (change: Partial<AggregateRow>) => ruleAggregateRow({ ...ASTRA, ...change }, 248);

describe('the arithmetic of an aggregate row', () => {
  test.each([
    [316, 0.6371],
    [232, 0.4677],
  ])('agrees for %d of 496 = %d, as published', (nCorrect, share) => {
    const figure = printed(share, 4);
    expect(rule({ nCorrect, accuracy: figure, caseAccuracy: figure, parsedAccuracy: figure })).toEqual({
      caseAccuracyReading: 'equal_weights',
      problems: [],
    });
  });

  test('agrees where a figure is rounded, and not one unit of its last place further', () => {
    expect(rule({ accuracy: printed(0.64, 2) }).problems).toEqual([]);
    expect(rule({ accuracy: printed(0.65, 2) }).problems).toEqual([
      'accuracy: not correct / n_runs = 316 / 496',
    ]);
    expect(rule({ accuracy: printed(0.6372, 4) }).problems).toHaveLength(1);
    expect(rule({ accuracy: printed(0.6370967741935484, 16) }).problems).toEqual([]);
    expect(rule({ accuracy: printed(0.6370967741936, 13) }).problems).toHaveLength(0);
    expect(rule({ accuracy: printed(0.637096774199, 12) }).problems).toHaveLength(1);
  });

  test('takes the parsed-only denominator: 316 of 490 is .6449, and .6371 is a contradiction', () => {
    const lost = { nParsed: 490, parsedAccuracy: printed(0.6449, 4) };
    expect(rule(lost).problems).toEqual([]);
    expect(rule({ ...lost, parsedAccuracy: printed(0.6371, 4) }).problems).toEqual([
      'parsed accuracy: not correct / n_parsed = 316 / 490',
    ]);
  });

  test('with 6 answers lost allows a case accuracy over surviving orders only within what they can give', () => {
    // 316 right of 490: at most 6 cases of one answer. Least: all right answers in pairs, (316 / 2) / 245 with
    // three cases gone; most: six right singles, (6 + 310 / 2) / 248.
    expect(survivingRange(316, 490, 248)).toEqual({ low: 316 / 2 / 248, high: 161 / 248 });
    const lost = { nParsed: 490, parsedAccuracy: null };
    expect(rule({ ...lost, caseAccuracy: printed(0.6492, 4) })).toMatchObject({
      caseAccuracyReading: 'surviving_orders',
      problems: [],
    });
    expect(rule({ ...lost, caseAccuracy: printed(0.6494, 4) })).toMatchObject({ caseAccuracyReading: null });
    expect(rule({ ...lost, caseAccuracy: printed(0.6369, 4) }).problems).toEqual([
      'case accuracy: neither correct / n_runs nor a mean over surviving orders that these counts allow',
    ]);
  });

  test.each([
    [{ nCorrect: 497, nParsed: 496 }, 'correct: more than n_parsed: 497 > 496'],
    [{ nParsed: 497 }, 'n_parsed: more than n_runs: 497 > 496'],
    [{ nRuns: 0, nParsed: 0, nCorrect: 0 }, 'n_runs: at least 1, not 0'],
    [{ nCases: 249 }, 'n_cases: more than the 248 released: 249'],
  ])('contradicts itself with %j: %s', (change, problem) => {
    expect(rule(change).problems).toEqual([problem]);
  });

  test('calls nothing right or wrong where no answer was parsed', () => {
    const none = { nCorrect: 0, nParsed: 0, accuracy: printed(0, 4), caseAccuracy: printed(0, 4) };
    expect(rule({ ...none, parsedAccuracy: printed(0, 4) }).problems).toEqual([]);
    expect(rule({ ...none, parsedAccuracy: printed(0.5, 4) }).problems).toHaveLength(1);
  });

  test('equals a twin that tries every pattern of answers of up to four cases', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 8 }), fc.nat({ max: 8 }), (nCases, a, b) => {
        const [nCorrect, nParsed] = [Math.min(a, b), Math.max(a, b)];
        const means = everyMean(nCases).filter((row) => row.nCorrect === nCorrect && row.nParsed === nParsed);
        const range = survivingRange(nCorrect, nParsed, nCases);
        if (means.length === 0) expect(range).toBeNull();
        else {
          expect(range!.low).toBeCloseTo(Math.min(...means.map(({ mean }) => mean)), 12);
          expect(range!.high).toBeCloseTo(Math.max(...means.map(({ mean }) => mean)), 12);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the audit of a release', () => {
  const cases = Array.from({ length: 248 }, (_, i): SourceCase => {
    return { id: `c${i}`, optionA: `a${i}`, optionB: `b${i}`, label: i < 124 ? 'A' : 'B' };
  });
  const rows = Array.from({ length: 60 }, (_, i): AggregateRow => ({ ...ASTRA, line: i + 2 }));

  test('passes for 248 cases, 124 A, 124 B and 60 rows that agree, and plans 496 prompts', () => {
    expect(auditRelease(cases, rows, RELEASE_SIZE)).toMatchObject({
      hasPassed: true,
      nPlannedPrompts: 496,
      labels: { A: 124, B: 124 },
      caseAccuracyReadings: { equalWeights: 60, survivingOrders: 0 },
      problems: [],
    });
  });

  test.each([
    ['cases', cases.slice(1), rows],
    [
      'cases labelled A',
      cases.map((known, i): SourceCase => (i === 0 ? { ...known, label: 'B' } : known)),
      rows,
    ],
    ['aggregate rows', cases, rows.slice(1)],
    ['aggregate rows whose arithmetic agrees', cases, [...rows.slice(1), { ...ASTRA, nCorrect: 300 }]],
  ])('fails when the %s are others, by one', (name, someCases, someRows) => {
    const audit = auditRelease(someCases, someRows, RELEASE_SIZE);
    expect(audit.hasPassed).toBe(false);
    expect(audit.checks.find((check) => check.name === name)).toMatchObject({ hasPassed: false });
  });

  test('names line, model, condition and rule of a contradiction', () => {
    const { problems } = auditRelease(cases, [{ ...ASTRA, line: 17, nCorrect: 317 }], RELEASE_SIZE);
    expect(problems[0]).toBe(
      'line 17, model "GPT-6 Astra", condition "options-only", effort "medium": accuracy: not correct / n_runs = 317 / 496',
    );
  });
});

/** Every way in which each order of each case can be right, wrong or lost, with its mean over cases left. */
function everyMean(nCases: number): { nCorrect: number; nParsed: number; mean: number }[] {
  const pairs = [[], [0], [1], [0, 0], [0, 1], [1, 1]];
  let patterns: number[][][] = [[]];
  for (let i = 0; i < nCases; i++)
    patterns = patterns.flatMap((done) => pairs.map((pair) => [...done, pair]));
  return patterns.flatMap((pattern) => {
    const left = pattern.filter((answers) => answers.length > 0);
    if (left.length === 0) return [];
    const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
    const mean = sum(left.map((answers) => sum(answers) / answers.length)) / left.length;
    return [{ nCorrect: sum(pattern.flat()), nParsed: pattern.flat().length, mean }];
  });
}
