import fc from 'fast-check';
import stringWidth from 'string-width';
import { planInput } from '../../activities/plan-input';
import type { BenchPlan } from '../../core/bench-plan';
import type { CostLine } from '../../db/cost-lines';
import type { FailureLine } from '../../db/failure-lines';
import { forecastLines } from '../../scripts/bench/forecast-bench';
import { pricesText, pricesWith } from '../../scripts/bench/price-list';
import { costsText } from '../../scripts/bench/show-costs';
import { failuresText } from '../../scripts/bench/show-failures';
import { splitTable, type ValueColumn } from '../../scripts/bench/split-table';
import { coloursFor } from '../../scripts/bench/terminal';
import { block } from '../../scripts/bench/text-block';
import { textWidth } from '../../scripts/bench/text-width';
import { runCli } from './run-cli';

const BENCH = 'bnc_01J0000000000000000000000A';
const LABEL = 'gemini-2-flash-thinking[pipe]';
const MODEL = 'google/gemini-3-flash-preview-of-a-rather-long-name';
const plain = (text: string) => text;
const squeezed = (text: string) => text.replace(/\s+/g, '');
const EDGES = [40, 60, 80, 120];

function planned(judges: string[]): BenchPlan {
  const result = planInput({ preset: 'demo', judge: judges, candidates: [`${LABEL}=sim:fir`, 'b=sim:elm'] });
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.plan;
}

const COST: CostLine = {
  label: LABEL,
  kind: 'generation',
  provider: 'openrouter',
  model: MODEL,
  calls: 11,
  failed: 1,
  inDoubt: 0,
  superseded: 0,
  nUnknownCost: 0,
  costUsd: 0.0275,
  reportedUsd: 0.0275,
  computedUsd: 0.0279,
  differenceUsd: -0.0004,
  inDoubtUsd: 0,
  overrunUsd: 0,
  inputTokens: 21_300,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1300,
  reasoningTokens: 0,
};

function costsAt(width: number): string {
  const ofJudge = { ...COST, label: null, kind: 'judge' as const, costUsd: 0.0415 };
  const ofReviewer = { ...ofJudge, kind: 'review' as const, costUsd: 0.0094 };
  const budgets = [
    { scope: LABEL, capUsd: 3, heldUsd: 0.0275, closedBy: null, isClosed: false },
    {
      scope: 'judge',
      capUsd: 5,
      heldUsd: 0.0509,
      closedBy: `${BENCH}/m12/ab/openrouter:${MODEL}/1`,
      isClosed: true,
    },
  ];
  const bench = {
    benchId: BENCH,
    plan: planned(['sim:referee']),
    lines: [COST, ofJudge, ofReviewer],
    budgets,
  };
  return costsText(bench, { width, bold: plain });
}

const FAILURE: FailureLine = {
  what: 'call',
  kind: 'malformed_arguments',
  place: `${BENCH}/${LABEL}/2/turn/1`,
  attempt: 2,
  httpStatus: 529,
  requestId: 'req_0123456789abcdef0123456789abcdef',
  detail: 'failed',
};

function failuresAt(width: number): string {
  const verdict = { ...FAILURE, what: 'verdict' as const, attempt: null, httpStatus: null, requestId: null };
  const detail = `${MODEL}: 36 characters of words instead of a call`;
  return failuresText(BENCH, [FAILURE, { ...FAILURE, attempt: 3 }, { ...verdict, detail }], {
    width,
    bold: plain,
  });
}

function forecastAt(width: number): string {
  return forecastLines(planned(['sim:referee,fail=no_call:0.1', 'sim:coin']), width, plain).join('\n');
}

const pricesAt = (width: number) =>
  pricesText(pricesWith(''), width, coloursFor({ isTTY: false } as NodeJS.WriteStream));

describe.each([
  ['what a bench cost', costsAt],
  ['what failed in it', failuresAt],
  ['what it will cost', forecastAt],
  ['the prices', pricesAt],
])('%s', (_, at) => {
  test.each(EDGES)('fits %d columns', (width) => {
    expect(textWidth(at(width))).toBeLessThanOrEqual(width);
  });
});

test('a model’s name of 62 characters, an HTTP status and a request id stand whole at 40 columns, over several lines', () => {
  // Cell by cell: what is wrapped goes on below, in its own column.
  const cells = (text: string, from: number) =>
    squeezed(
      text
        .split('\n')
        .map((line) => line.slice(from))
        .join(''),
    );
  const model = costsAt(40)
    .split('\n\n')
    .find((part) => part.includes('  model'))!;
  expect(cells(model, model.indexOf('model'))).toContain(`openrouter:${MODEL}`);
  const ids = failuresAt(40)
    .split('\n\n')
    .find((part) => part.includes('request id'))!;
  expect(cells(ids, ids.indexOf('request id'))).toContain(FAILURE.requestId);
  expect(failuresAt(40)).toMatch(/HTTP[\s\S]* 529/);
});

test('two failures at one place and two sums of the judge are told apart by their numbers, the same in each table', () => {
  for (const [text, rows] of [
    [failuresAt(40), 3],
    [costsAt(40).split('\n\nscope')[0]!, 3],
  ] as const) {
    const tables = text.split('\n\n').filter((part) => /^ *# /.test(part));
    expect(tables.length).toBeGreaterThan(2);
    for (const table of tables) {
      const numbers = [...table.matchAll(/^ *(\d+) {2}/gm)].map(([, number]) => Number(number));
      expect(numbers).toEqual(Array.from({ length: rows }, (__, i) => i + 1));
    }
  }
});

test('with room, a table has no numbers and stands in one piece', () => {
  const wide = costsAt(Number.POSITIVE_INFINITY);
  expect(wide).toMatch(/^who +purpose +model +calls +failed +in doubt .*cost$/m);
  expect(wide).not.toContain('#');
  expect(failuresAt(Number.POSITIVE_INFINITY)).toMatch(
    /^what +kind +where +attempt +HTTP +request id +detail$/m,
  );
  expect(wide).toContain(`${BENCH} · simulated, dollars included`);
});

test('whatever the labels and figures, each figure stands once and no line is longer than the terminal', () => {
  const row = fc.record({
    label: fc.stringMatching(/^[a-z[\]-]{1,64}$/),
    figures: fc.array(fc.nat(999_999), { minLength: 8, maxLength: 8 }),
  });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 40, max: 140 }),
      (drawn, width) => {
        // A figure that is nowhere else: its row, its column and a number of any width.
        const rows = drawn.map((one, i) => ({ ...one, name: (k: number) => `${one.figures[k]}.${i}.${k}` }));
        type Row = (typeof rows)[number];
        const label: ValueColumn<Row> = { name: 'label', value: (one) => one.label };
        const columns = [
          label,
          ...Array.from(
            { length: 8 },
            (_, k): ValueColumn<Row> => ({
              name: `column ${k}`,
              align: 'right',
              value: (one) => one.name(k),
            }),
          ),
        ];
        const text = splitTable(columns, rows, { label, width, bold: plain });
        expect(textWidth(text)).toBeLessThanOrEqual(width);
        const words = text.split(/\s+/);
        for (const one of rows) {
          for (let k = 0; k < 8; k++) expect(words.filter((word) => word === one.name(k))).toHaveLength(1);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test('a label in a fact is broken, not cut, and 95 % stays in one piece', () => {
  const words = `nobody is better than ${'x'.repeat(40)}[raw] by more than 95 % of it`;
  for (let width = 40; width < 80; width++) {
    const text = block([['better', words]], width);
    expect(textWidth(text)).toBeLessThanOrEqual(width);
    expect(text).not.toContain('…');
    expect(squeezed(text)).toContain(squeezed(words));
    expect(text).toContain('95 %');
  }
});

test.each([
  ['power', ['power', '--gap', '70', '--candidates', '4'], 0],
  ['eval', ['eval', '--offline'], 0],
  ['rate', ['rate', '-'], 0],
])('%s fits 40 columns, and says there what it says in a pipe', async (_, args, exitCode) => {
  const stdin = 'left,right,winner\nan item with quite a long name,B,left\nB,C,tie\n';
  const alone = { CO_SCIENTIST_HOME: '/nowhere', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const [narrow, wide] = await Promise.all([
    runCli(args, { ...alone, COLUMNS: '40' }, { stdin }),
    runCli(args, alone, { stdin }),
  ]);
  expect([narrow.exitCode, wide.exitCode]).toEqual([exitCode, exitCode]);
  const lines = narrow.stdout.split('\n');
  expect(lines.filter((line) => stringWidth(line) > 40)).toEqual([]);
  const prose = wide.stdout.split('\n').filter((line) => line.length > 60);
  expect(prose.length).toBeGreaterThan(0);
  for (const line of prose.filter((one) => !/ {3}/.test(one))) {
    expect(narrow.stdout.replace(/\s+/g, ' ')).toContain(line.trim());
  }
});
