import { checkBenchInput } from '../../activities/bench-input-schema';
import { checkGoldSet } from '../../activities/gold-set-schema';

function problemsOf(checked: object): string[] {
  return 'problems' in checked ? (checked.problems as string[]) : [];
}

test.each([
  [{ orders: 'bth' }, 'orders: "bth" is not "both" or "balanced"'],
  [{ n: '4' }, 'n: "4" is not a finite number'],
  [{ budgetUsd: Number.POSITIVE_INFINITY }, 'budgetUsd: Infinity is not a finite number'],
  [{ probe: 'yes' }, 'probe: "yes" is not true or false'],
  [{ preset: null }, 'preset: null is not a text'],
  [{ candidates: { a: 1 } }, 'candidates: {"a":1} is not a list'],
  [{ candidates: [7] }, 'candidates[0]: 7 is neither a text nor an object'],
  [{ judge: 7 }, 'judge: 7 is neither a text nor a list'],
  [{ judge: ['a:b', 7] }, 'judge[1]: 7 is not a text'],
  [{ thinking: null }, 'thinking: null is neither "off" nor a finite number'],
  [
    { prices: { 'a:b': { inputUsdPerMTok: -1, outputUsdPerMTok: 0 } } },
    'prices.a:b.inputUsdPerMTok: -1 is not a number from 0',
  ],
])(
  'a value of the wrong kind is told with what stands there and what would have to: %j',
  (input, problem) => {
    expect(problemsOf(checkBenchInput(input))).toEqual([problem]);
  },
);

test.each([
  ['candidats', 'candidates'],
  ['budget_usd', 'budgetUsd'],
  ['Goldset', 'goldSet'],
])('a misspelt field %s is told with what was meant: %s', (key, meant) => {
  expect(problemsOf(checkBenchInput({ [key]: 1 }))).toEqual([
    expect.stringMatching(
      new RegExp(`^unknown field "${key}" \\(known: preset, .*; did you mean ${meant}\\?\\)$`),
    ),
  ]);
});

test('of a candidate that is an object, each missing and unknown part is told, and not that it is no text', () => {
  expect(problemsOf(checkBenchInput({ candidates: [{ label: 'a', modell: 'x' }] }))).toEqual([
    'candidates[0].provider: missing: a text',
    'candidates[0].model: missing: a text',
    'candidates[0]: unknown field "modell" (known: label, provider, model, mode; did you mean model?)',
  ]);
});

test('a gold set is told the same way', () => {
  const source = { title: 't', publisher: 'p', id: 'i', urls: 'https://example.org' };
  expect(
    problemsOf(checkGoldSet({ name: 'x', version: 1.5, source, publishedOn: '2026-01-31', criteria: [] })),
  ).toEqual([
    'version: 1.5 is not a whole number',
    'source.url: missing: a text',
    'source: unknown field "urls" (known: title, publisher, id, url; did you mean url?)',
    expect.stringMatching(/^criteria: /),
    'entities: missing: a list',
  ]);
});
