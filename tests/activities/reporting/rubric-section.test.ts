import { rubricTables } from '../../../activities/reporting/html/rubric-tables';
import { rubricLines } from '../../../activities/reporting/markdown/rubric-section';
import type { BenchReport } from '../../../core/report/bench-report';
import type { RubricReport } from '../../../core/report/rubric-report';

const HOSTILE = 'openai:x|y<script>alert(1)</script>';

const RUBRIC: RubricReport = {
  heldUsd: 0.0123,
  parts: [
    {
      ...{ agent: 'generation', version: 1, judge: HOSTILE, isOwn: true, isSimulated: false, isKnown: true },
      rows: [
        { author: 'one', scored: 3, unscored: {}, mean: 3.004, interval: { low: 1.758, high: 4.242 } },
        { author: 'two', scored: 0, unscored: { timeout: 2, truncated: 1 }, mean: null, interval: null },
      ],
    },
  ],
};

const markdown = (rubric: RubricReport | null) => rubricLines({ rubric } as BenchReport).join('\n\n');

test('a bench that no judge has scored has no section', () => {
  expect(rubricLines({ rubric: null } as BenchReport)).toEqual([]);
});

test('mean, interval and count stand by candidate, failures apart, with what the marks are and whose', () => {
  const text = markdown(RUBRIC);
  expect(text).toContain('| one | 3.00 | 1.76 to 4.24 | 3 | – |');
  expect(text).toContain('| two | – | no interval | 0 | 2 × timeout, truncated |');
  expect(text).toContain('not comparable with another judge’s');
  expect(text).toContain('is a candidate of this bench: it scores work of its own too.');
  expect(text).toContain('$0.0123');
  const page = rubricTables(RUBRIC).text;
  for (const words of [
    '3.00',
    '1.76 to 4.24',
    '2 × timeout, truncated',
    'not comparable with another judge’s',
  ]) {
    expect(page).toContain(words);
  }
});

test('a judge’s name ends no cell, no line and no element', () => {
  const lines = markdown(RUBRIC).split('\n');
  expect(lines.find((line) => line.startsWith('Hypotheses scored by'))).not.toMatch(/[^\\]\||<script/);
  expect(rubricTables(RUBRIC).text).not.toContain('<script');
});
