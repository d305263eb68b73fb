import fc from 'fast-check';
import { readJson } from '../../../activities/strict-json';
import { readAnswer } from '../../../core/scipivot/answer';
import table from './answer-strings.json';

interface AnswerRow {
  name: string;
  response: string;
  repeat?: { count: number; then: string; close?: string };
  ruling: string;
  reason: string | null;
  why: string;
}

const rows: AnswerRow[] = table.answers;
const rulingOf = (response: string) => readAnswer(response, readJson);

describe('an answer', () => {
  test(`is tried on ${rows.length} strings, which is at least 40`, () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  test.each(rows)('$name → $ruling: $why', (row) => {
    const ruling = rulingOf(responseOf(row));
    const isAnswer = row.ruling === 'A' || row.ruling === 'B';
    expect(ruling).toEqual(
      isAnswer ? { kind: 'answer', letter: row.ruling } : { kind: row.ruling, reason: row.reason },
    );
  });

  test('is read the same with any ASCII white space around it', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\f', '\r'), maxLength: 5 });
    const short = rows.filter((row) => row.repeat === undefined && !row.response.startsWith('\ufeff'));
    fc.assert(
      fc.property(fc.constantFrom(...short), space, space, ({ response }, before, after) => {
        // A byte-order mark counts at the very start only, so nothing may be put before one that stands later.
        fc.pre(!/^[ \t\n\f\r]*\ufeff/.test(response));
        expect(rulingOf(before + response + after)).toEqual(rulingOf(response));
      }),
    );
  });

  test('is never found in a text that is no JSON and not the bare letter', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('A', 'B', '"A"', '{"answer":"B"}'),
        (noise, answer) => {
          fc.pre(noise.replace(/[ \t\n\f\r\ufeff]/g, '') !== '');
          expect(rulingOf(noise + answer).kind).not.toBe('answer');
        },
      ),
    );
  });

  test('in an object is ambiguous exactly when a key stands in it twice', () => {
    const key = fc.constantFrom('answer', '\\u0061nswer', 'x', '__proto__', 'constructor', '');
    const value = fc.constantFrom('"A"', '"B"', '1', '{}', '[]');
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { maxLength: 4 }), (members) => {
        const text = `{${members.map(([name, content]) => `"${name}":${content}`).join(',')}}`;
        const names = members.map(([name]) => name.replace('\\u0061', 'a'));
        expect(rulingOf(text).kind === 'ambiguous').toBe(new Set(names).size < names.length);
      }),
    );
  });
});

function responseOf({ response, repeat }: AnswerRow): string {
  if (repeat === undefined) return response;
  return response.repeat(repeat.count) + repeat.then + (repeat.close ?? '').repeat(repeat.count);
}
