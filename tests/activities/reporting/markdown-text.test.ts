import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { code, inline, list, quote, table } from '../../../activities/reporting/markdown/markdown-text';
import { plainLine } from '../../../activities/reporting/plain-text';
import { HOSTILE } from './hostile-texts';

// As GitHub reads it: HTML let through, bare addresses linked, tables and strike-through on.
const markdown = new MarkdownIt('default', { html: true, linkify: true });

interface Inline {
  type: string;
  content: string;
  children: Inline[] | null;
}

/** What a reader sees of a piece of inline Markdown; throws when anything in it is more than text. */
function seen(inlineToken: Inline): string {
  return (inlineToken.children ?? [])
    .map(({ type, content }) => {
      if (type === 'text' || type === 'text_special') return content;
      throw new Error(`not text but ${type}: ${content}`);
    })
    .join('');
}

function tokensOf(text: string) {
  return markdown.parse(text, {}) as unknown as (Inline & { tag: string })[];
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...Object.values(HOSTILE).filter((text) => text.length < 1000)),
  fc
    .array(
      fc.constantFrom(
        ...'|`*_[]()<>#-+=.!~&"\'\\:@$^{}\n\r\t 1a/'.split(''),
        'http://',
        'www.a.de',
        '&lt;',
        '<b>',
      ),
    )
    .map((parts) => parts.join('')),
);

test('any text in a cell of a table is seen as itself, and the table keeps its 2 columns and rows', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      const tokens = tokensOf(
        table(
          [{ name: 'a' }, { name: 'b' }],
          [
            [inline(one), inline(other)],
            ['x', 'y'],
          ],
        ),
      );
      expect(tokens.filter(({ type }) => type === 'tr_open')).toHaveLength(3);
      const cells = tokens.filter(({ type }) => type === 'inline').map(seen);
      expect(cells).toEqual(['a', 'b', plainLine(one), plainLine(other), 'x', 'y']);
    }),
    { numRuns: 2000 },
  );
});

test('any text in an item of a list is one item, seen as itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = tokensOf(list([inline(text), 'next']));
      expect(tokens.filter(({ type }) => type === 'list_item_open')).toHaveLength(2);
      const words = tokens.filter(({ type }) => type === 'inline').map(seen);
      expect(words).toEqual(plainLine(text) === '' ? ['next'] : [plainLine(text), 'next']);
    }),
    { numRuns: 2000 },
  );
});

test('any text behind words of ours in a heading leaves one heading', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = tokensOf(`## Of ${inline(text)}\n\nafter`);
      expect(tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => tag)).toEqual(['h2']);
      const [heading] = tokens.filter(({ type }) => type === 'inline');
      expect(seen(heading!)).toBe(`Of ${plainLine(text)}`.trim());
    }),
    { numRuns: 2000 },
  );
});

test('a goal of any shape stays inside its block quote, as paragraphs of text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = tokensOf(`before\n\n${quote(text)}\n\nafter`);
      const kinds = new Set(tokens.map(({ type }) => type.replace(/_(open|close)$/, '')));
      expect([...kinds].filter((kind) => !['paragraph', 'blockquote', 'inline'].includes(kind))).toEqual([]);
      for (const token of tokens.filter(({ type }) => type === 'inline')) {
        const { children } = token;
        expect(
          children!.map(({ type }) => type).filter((type) => !/^(text|text_special|softbreak)$/.test(type)),
        ).toEqual([]);
      }
    }),
    { numRuns: 1000 },
  );
});

test('escape sequences, bidi controls, lone surrogates and line separators do not get through', () => {
  expect(inline(HOSTILE.ansi)).toBe('red ��� end');
  for (const text of [HOSTILE.bidi, HOSTILE.ansi, HOSTILE.surrogates, HOSTILE.breaks]) {
    expect(inline(text)).not.toMatch(
      /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]/u,
    );
    expect(inline(text).isWellFormed()).toBe(true);
  }
  expect(inline(HOSTILE.surrogates)).toContain('👩\u200d👩\u200d👧');
});

test('a line of 200,000 characters is cut at the length asked for, and says how much is missing', () => {
  expect(inline(HOSTILE.long, 100)).toBe(`start ${'x'.repeat(94)}… (199910 more characters)`);
});

test('a name in a code span stays one code span, with or without backticks and bars', () => {
  for (const name of ['artifacts/x/bench/bnc_1.json', 'a`b', 'a|b', '``']) {
    const [cell] = tokensOf(table([{ name: code(name) }], [])).filter(({ type }) => type === 'inline');
    expect(cell!.children!.map(({ type }) => type)).toEqual(['code_inline']);
  }
});
