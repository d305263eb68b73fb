import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { createColors } from 'picocolors';
import { cutText } from '../../activities/reporting/plain-text';
import { quote } from '../../core/problem-text';
import { benchListText } from '../../scripts/bench/bench-list-text';
import { breakLines } from '../../scripts/bench/break-lines';
import { plainTable } from '../../scripts/bench/plain-table';
import { printable } from '../../scripts/bench/printable';
import { splitTable } from '../../scripts/bench/split-table';
import { block } from '../../scripts/bench/text-block';
import { cutToWidth, padToWidth, textWidth } from '../../scripts/bench/text-width';
import { besideHead, hangingLines, wrappedLines } from '../../scripts/bench/wrapped-text';

const FAMILY = '👨‍👩‍👧‍👦';
const colours = createColors(true);
const plain = (text: string) => text;

/** Letters as a reader counts them. */
const lettersOf = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

// Columns by Unicode: East Asian Width W and F are two (UAX #11), an emoji sequence is one picture of two (UTS #51), marks
// that are set on a letter and what is ignorable by default are none (UAX #44).
test.each([
  ['abc', 3],
  ['白血病', 6],
  ['ｆｕｌｌ', 8],
  ['한국어', 6],
  ['ｶﾀｶﾅ', 4],
  ['naïve', 5],
  ['nai\u0308ve', 5],
  ['🧬', 2],
  ['🫀', 2],
  [FAMILY, 2],
  ['🇩🇪', 2],
  ['שָׁלוֹם', 4],
  ['دواء', 4],
  ['ยา', 2],
  ['x\u200by\u200dz\ufeff', 3],
  ['\u001b[33m白\u001b[39m', 2],
  ['', 0],
  ['one\n白血病\ntwo', 6],
])('%j takes %d columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

const odd = fc
  .array(
    fc.constantFrom(
      ...[
        '白',
        '血病',
        'ﾊﾟ',
        '한',
        '🧬',
        '🫀',
        FAMILY,
        '🇩🇪',
        '❤️',
        'e\u0301',
        'שָׁ',
        'لا',
        'ยา',
        'क्ष',
        '𝒳',
        '𠮷',
      ],
      ...['a', 'word', 'w ', ' ', ' ', '–', '42 %', 'a-very-long-identifier-of-a-model'],
    ),
    { maxLength: 24 },
  )
  .map((parts) => printable(parts.join('')));
const widths = fc.integer({ min: 20, max: 60 });

test('what is cut takes no more columns than it may, and keeps whole letters of the text, from its beginning and its end', () => {
  fc.assert(
    fc.property(
      odd,
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('end', 'middle'),
      (text, width, where) => {
        const cut = cutToWidth(text, width, where as 'end' | 'middle');
        if (textWidth(text) <= width) return expect(cut).toBe(text);
        expect(textWidth(cut)).toBeLessThanOrEqual(width);
        const [head = '', tail = ''] = cut
          .split('…')
          .map((part) => `${lettersOf(part.normalize()).join('|')}|`);
        const letters = `|${lettersOf(text.normalize()).join('|')}|`;
        expect(letters.startsWith(head === '|' ? head : `|${head}`)).toBe(true);
        expect(letters.endsWith(tail === '|' ? tail : `|${tail}`)).toBe(true);
      },
    ),
    { seed: 20261130 },
  );
});

test('colour takes no column, is cut at no place and is closed: “黄色…” in 5 columns, and 8 words over 2 lines', () => {
  expect(cutToWidth(colours.yellow('黄色い色'), 5)).toBe(`${colours.yellow('黄色…')}`);
  const lines = hangingLines(colours.yellow('黄色い色 '.repeat(8).trim()), 40);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(textWidth(line)).toBeLessThanOrEqual(40);
    expect(line.trim()).toBe(colours.yellow(stripVTControlCharacters(line.trim())));
  }
});

test('a text beside its head goes on below itself, in columns 11 to 40; with less than 24 columns left it hangs', () => {
  const head = `${colours.green('ok')}  名前    `;
  expect(besideHead(head, 'short', 40)).toEqual([`${head}short`]);
  const lines = besideHead(head, 'one two three four five six seven eight', 40);
  expect(lines).toEqual([`${head}one two three four five six`, '            seven eight']);
  expect(besideHead('a head of 20 columns', ' and a text of more than that', 40)).toEqual([
    'a head of 20 columns and a text of',
    '  more than that',
  ]);
  expect(besideHead(' '.repeat(29), 'set KEY_ONE; set KEY_TWO; set KEY_THREE; set 4', 40)).toEqual([
    '  set KEY_ONE; set KEY_TWO; set',
    '    KEY_THREE; set 4',
  ]);
  const path = '/a/path/that/somebody/wants/to/copy/from/here';
  expect(besideHead('it is  ', `at ${path}`, 40)).toEqual(['it is  at', `       ${path}`]);
});

test('a figure is not torn from its sign: neither 34 % nor p = .167', () => {
  for (let width = 12; width < 60; width++) {
    const lines = breakLines('a flip rate of 34 % in all (exact binomial p = .167) as a figure', width);
    expect(lines.some((line) => line.includes('34 %'))).toBe(true);
    expect(lines.some((line) => line.includes('p = .167'))).toBe(true);
  }
});

test('what is filled up to 300 columns has 300, on either side', () => {
  fc.assert(
    fc.property(odd, fc.constantFrom('left', 'right'), (text, side) => {
      const filled = padToWidth(text, 300, side as 'left' | 'right');
      expect(textWidth(filled)).toBe(300);
      expect(side === 'left' ? filled.startsWith(text) : filled.endsWith(text)).toBe(true);
    }),
  );
});

test('lines that are broken or hang keep to the width, and every letter stays whole', () => {
  fc.assert(
    fc.property(odd, widths, (text, width) => {
      const ways = [breakLines(text, width), hangingLines(text, width), wrappedLines(text, width)];
      for (const lines of ways) {
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(Math.max(width, 22));
        const letters = lines.flatMap((line) => lettersOf(line.normalize())).filter((it) => it.trim() !== '');
        expect(letters).toEqual(lettersOf(text.normalize()).filter((it) => it.trim() !== ''));
      }
    }),
    { seed: 20261130 },
  );
});

test('columns of a table stand under each other, whatever is in the first: the second begins at one place', () => {
  fc.assert(
    fc.property(fc.array(odd, { minLength: 1, maxLength: 5 }), fc.boolean(), (texts, isTight) => {
      const columns = [isTight ? { name: 'text', maxWidth: 12 } : { name: 'text' }, { name: '|' }];
      const lines = plainTable(
        columns,
        texts.map((text) => [text, '|']),
        colours.bold,
      ).split('\n');
      const places = lines
        .map(stripVTControlCharacters)
        .filter((line) => line.endsWith('|'))
        .map((line) => textWidth(line));
      expect(places).toHaveLength(texts.length + 1);
      expect(new Set(places).size).toBe(1);
    }),
  );
});

test('a table that is split keeps to the terminal, and so do the facts below it', () => {
  const label = { name: 'item', value: ([item]: [string, number]) => item };
  const figure = (name: string) => ({ name, value: ([, value]: [string, number]) => String(value) });
  fc.assert(
    fc.property(
      fc.array(odd, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 40, max: 60 }),
      (texts, width) => {
        const rows = texts.map((text, i): [string, number] => [text, 1e15 + i]);
        const text = splitTable([label, figure('one'), figure('two')], rows, { label, width, bold: plain });
        expect(textWidth(text)).toBeLessThanOrEqual(width);
        expect(
          textWidth(
            block(
              [
                ['goal', texts[0]!],
                ['白', texts[1]!],
              ],
              width,
            ),
          ),
        ).toBeLessThanOrEqual(width);
      },
    ),
  );
});

describe('the list of benches', () => {
  const GOALS = [
    '白血病の造血幹細胞ニッチを標的とする薬剤の再利用について仮説を挙げよ',
    `שלום ${FAMILY} 🧬 naïve`,
    'plain',
  ];
  const benches = GOALS.map((goal, i) => ({
    benchId: `bnc_01KQTEST00000000000000TES${i}`,
    ...{
      state: 'finished' as const,
      preset: null,
      goal,
      nCandidates: i + 1,
      simulated: true,
      leaders: ['a', 'b'],
    },
    ...{ createdAt: new Date(0), finishedAt: new Date(0), costUsd: 0.5, nUnknownCost: 0, inDoubtUsd: 0 },
  }));

  test('keeps to every width from 40 on, and at each says all 6 things of each of 3 benches', () => {
    for (let width = 40; width <= 140; width++) {
      const text = benchListText(benches, { width, colours, nowMs: 0 });
      expect(textWidth(text)).toBeLessThanOrEqual(width);
      for (const { benchId } of benches) expect(text.split(benchId)).toHaveLength(2);
      for (const name of ['bench', 'state', 'started', 'cost', 'first', 'about'])
        expect(text).toContain(name);
      for (const said of ['1 candidate,', '2 candidates,', '3 candidates,']) expect(text).toContain(said);
    }
  });
});

test('a text that is cut by its characters ends with a whole letter: 99 of 100 before an emoji of 2', () => {
  expect(quote(`${'x'.repeat(99)}🧬🧬`)).toBe(`"${'x'.repeat(99)}…"`);
  expect(cutText(`${'x'.repeat(99)}${FAMILY}`, 100)).toBe(
    `${'x'.repeat(99)}… (${FAMILY.length} more characters)`,
  );
  expect(cutText(`ab${FAMILY}`, 13)).toBe(`ab${FAMILY}`);
});

test('joiners stay where scripts and emoji need them, and what only hides does not', () => {
  expect(printable(`${FAMILY} می\u200cخواهم`)).toBe(`${FAMILY} می\u200cخواهم`);
  expect(printable('a\u200bb\u{e0041}c')).toBe('a\ufffdb\ufffdc');
});
