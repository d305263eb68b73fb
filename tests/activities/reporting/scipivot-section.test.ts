import { scipivotTable } from '../../../activities/reporting/html/scipivot-table';
import { scipivotLines } from '../../../activities/reporting/markdown/scipivot-section';
import type { BenchReport } from '../../../core/report/bench-report';
import { scipivotFinding } from '../../../core/report/scipivot-words';
import { SCIPIVOT_LIMITS } from '../../../core/scipivot/limits';
import type { ScipivotSubject, ScipivotSummary } from '../../../core/scipivot/summary';

const HOSTILE = 'x|y<script>alert(1)</script>';
const NO_FAILURE = {
  ...{ timeout: 0, truncated: 0, provider_error: 0, refused: 0 },
  ...{ unparseable: 0, ambiguous: 0, missing: 0 },
};

// The released figure of docs/guide/scipivot.md: 316 of 496 sessions are 63.71 %.
const SCORED = {
  ...{ subject: 'one', role: 'candidate', provider: 'sim', model: 'elm', state: 'asked', reason: null },
  ...{ nSessions: 496, nEnded: 496, costUsd: 0.15, nUnknownCost: 0, inDoubtUsd: 0 },
  score: {
    ...{ nCases: 248, nSessions: 496, mean: 316 / 496, nCorrectSessions: 316, nAnsweredSessions: 494 },
    interval: { low: 0.5948, high: 0.6774 },
    ...{ shownFirstRate: 0.5, orderConsistency: null, nCasesAnsweredTwice: 0 },
    failures: { ...NO_FAILURE, timeout: 2 },
    positionBias: { firstFirst: 0, secondSecond: 0, pValue: 0.0004 },
  },
} as unknown as ScipivotSubject;
const UNSCORED = {
  ...SCORED,
  ...{ subject: HOSTILE, role: 'judge', score: null, state: 'over_budget', nEnded: 7, inDoubtUsd: 1 },
} as ScipivotSubject;

const SUMMARY: ScipivotSummary = {
  ...{ dataSet: 'fixture', nCases: 248, promptsSha256: 'ab'.repeat(32), isPinned: false, margin: 0.05 },
  subjects: [SCORED, UNSCORED],
  differences: [
    {
      ...{ a: 'one', b: HOSTILE, mean: 0.1351, alone: null, word: 'better' },
      amongAll: { low: 0.0927, high: 0.1774 },
    },
  ],
  limits: SCIPIVOT_LIMITS,
};

const markdown = (scipivot?: ScipivotSummary) =>
  scipivotLines({ summary: { scipivot }, isSimulated: true } as unknown as BenchReport).join('\n\n');

test('a bench that was asked no data set has no section', () => {
  expect(markdown()).toBe('');
});

test('the score stands with its interval and failures; who was not graded has none, and no zero', () => {
  expect(markdown(SUMMARY)).toContain(
    '| one | 63.71 % | 59.48 % to 67.74 % | unknown | 50.00 % | < 0.001 | $0.1500 | timeout 2 |',
  );
  expect(markdown(SUMMARY)).toMatch(
    /\| – \| – \| – \| – \| – \| ≥ \$0\.1500 \| over budget, 7 of 496 sessions \|/,
  );
  const page = scipivotTable(SUMMARY, true).text;
  for (const words of [
    '63.71 %',
    '59.48 % to 67.74 %',
    '+13.51, +9.27 to +17.74: better',
    '7 of 496 sessions',
  ]) {
    expect(page).toContain(words);
  }
});

test('both say what is measured, that the prompt is not the released one, and that it is diagnostic', () => {
  for (const text of [markdown(SUMMARY), scipivotTable(SUMMARY, true).text]) {
    expect(text).toContain('from their texts alone');
    expect(text).toContain('not the released one');
    expect(text).toContain('no ground for promotion');
  }
});

test('the finding names those who were graded alone, each with its interval', () => {
  expect(scipivotFinding(SUMMARY)).toBe(
    'SciΠvot, options only: 248 cases of fixture (unpinned), each in both orders: one 63.71 % (59.48 % to 67.74 %); 1 of 1 paired difference told apart.',
  );
  expect(scipivotFinding({ ...SUMMARY, subjects: [UNSCORED] })).toBeNull();
});

test('a label ends no cell, no line and no element', () => {
  expect(markdown(SUMMARY)).not.toMatch(/<script|x\|y/);
  expect(scipivotTable(SUMMARY, true).text).not.toContain('<script');
});

// Every resample of such cases is the same, whatever the seed: the percentiles are a point.
test('where all cases scored alike there is no interval from 100.00 to 100.00', () => {
  const all = { ...SCORED, score: { ...SCORED.score!, mean: 1, interval: { low: 1, high: 1 } } };
  const summary = { ...SUMMARY, subjects: [all] };
  expect(scipivotFinding(summary)).toContain('one 100.00 % (no interval)');
  expect(markdown(summary)).not.toContain('100.00 % to');
});
