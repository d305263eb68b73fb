import fc from 'fast-check';
import { readJson } from '../../activities/strict-json';

describe('reading JSON that may have a key twice', () => {
  test.each([
    ['{"a":1,"a":2}', 'a', 1],
    ['{"a":1,"a":1}', 'a', 1],
    ['{"answer":1,\n"\\u0061nswer":2}', 'answer', 2],
    ['{"\\u0061":1,"\\u0061":2}', 'a', 1],
    ['[{"b":1},\n{"b":1},\n{"b":1,\n"b":1}]', 'b', 4],
    ['{"x":{"y":{"z":1,"z":1}}}', 'z', 1],
    ['{"x":{"k":1},"k":{"x":1},"x":2}', 'x', 1],
    ['{"__proto__":1,"__proto__":2}', '__proto__', 1],
    ['{"__proto__":{},"\\u005f_proto__":{}}', '__proto__', 1],
    ['{"constructor":1,"constructor":1}', 'constructor', 1],
    ['{"hasOwnProperty":1,"hasOwnProperty":1}', 'hasOwnProperty', 1],
    ['{"":1,"":1}', '', 1],
    ['{"\\/":1,"/":1}', '/', 1],
    ['{"\\ud83d\\ude00":1,"\u{1f600}":1}', '\u{1f600}', 1],
    ['{"\\ud800":1,"\\uD800":1}', '\ud800', 1],
    ['{"\u2028":1,"\\u2028":1}', '\u2028', 1],
    ['{"1":1,"1":1}', '1', 1],
  ])('sees in %j the second %j, on line %d', (text, key, line) => {
    expect(readJson(text)).toEqual({ kind: 'duplicate_key', key, line });
  });

  test.each([
    '{"a":{"a":{"a":1}}}',
    '{"a":[{"b":1},{"b":1}],"b":1}',
    '{"a":"a","b":"a"}',
    '["a","a",{"a":"a"}]',
    '{"a":1,"A":1,"á":1,"a\\u0301":1}',
    '{"x":"{\\"a\\":1,\\"a\\":1}"}',
    '"a"',
    '{}',
    '[]',
    ' null ',
    '{"a":"}","b":"{","c":",","d":"\\"a\\":1"}',
  ])('has nothing against %s', (text) => {
    expect(readJson(text)).toEqual({ kind: 'value', value: JSON.parse(text) });
  });

  test('keeps a key named __proto__ as a key, and no object is changed by it', () => {
    const reading = readJson('{"__proto__":{"answer":"A"}}');
    if (reading.kind !== 'value') throw new Error(reading.kind);
    expect(Object.keys(reading.value as object)).toEqual(['__proto__']);
    expect((reading.value as { answer?: string }).answer).toBeUndefined();
    expect(({} as { answer?: string }).answer).toBeUndefined();
  });

  test.each([
    '',
    '{',
    '{"a":1}}',
    '{"a":1} {"a":1}',
    '{"a":1,}',
    '[1,]',
    '{a:1}',
    "{'a':1}",
    '// no\n1',
    '/*no*/1',
    '01',
    '+1',
    '.5',
    '1.',
    'NaN',
    'Infinity',
    '-',
    'undefined',
    'True',
    '"\\x41"',
    '"\\u00"',
    '"a\nb"',
    '"a\tb"',
    '\u00a01',
    '\ufeff1',
    '{"a":1,"a":1',
  ])('takes %j for no JSON', (text) => {
    expect(readJson(text)).toEqual({ kind: 'not_json' });
  });

  test.each([
    ['['.repeat(400_000) + ']'.repeat(400_000), 'value'],
    [`${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`, 'value'],
    [`${'{"a":'.repeat(150_000)}{"b":1,"b":1}${'}'.repeat(150_000)}`, 'duplicate_key'],
    ['['.repeat(900_000), 'not_json'],
    ['{"a":'.repeat(150_000), 'not_json'],
  ])('reads a text nested hundreds of thousands deep without overflowing (case %#)', (text, kind) => {
    expect(readJson(text).kind).toBe(kind);
  });

  test('sees a repeated key among 100,000 others, and none where there is none', () => {
    const members = Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`);
    expect(readJson(`{${members.join(',')}}`).kind).toBe('value');
    expect(readJson(`{${members.join(',')},"k0":0}`)).toMatchObject({ kind: 'duplicate_key', key: 'k0' });
  });

  test('agrees with JSON.parse on every value that JSON.stringify can write', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(readJson(text)).toEqual({ kind: 'value', value: JSON.parse(text) });
      }),
      { numRuns: 1000 },
    );
  });

  test('finds a duplicate exactly where one was written, whatever the keys and however they are escaped', () => {
    fc.assert(
      fc.property(anyWritten(), ({ text, hasDuplicate }) => {
        expect(readJson(text).kind).toBe(hasDuplicate ? 'duplicate_key' : 'value');
      }),
      { numRuns: 2000 },
    );
  });

  test('never throws', () => {
    const noise = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', 'a', '\\', 'u', '0', '\n', '-', '/'),
    });
    fc.assert(
      fc.property(noise, (text) => {
        expect(['value', 'duplicate_key', 'not_json']).toContain(readJson(text).kind);
      }),
      { numRuns: 5000 },
    );
  });
});

interface Written {
  text: string;
  hasDuplicate: boolean;
}

/** JSON written by hand, so that keys may repeat, with whether some object in it has one twice. */
function anyWritten(): fc.Arbitrary<Written> {
  const key = fc.oneof(
    fc.constantFrom('a', 'b', '__proto__', '', '"', '\\', '\u2028', '\ud800', 'é'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const leaf = fc
    .constantFrom('1', '"a"', 'null', '"{\\"a\\":1,\\"a\\":1}"')
    .map((text) => ({ text, hasDuplicate: false }));
  return fc.letrec<{ value: Written; object: Written; array: Written }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), tie('array')),
    array: fc.array(tie('value'), { maxLength: 3 }).map((items) => ({
      text: `[ ${items.map(({ text }) => text).join(' ,')}]`,
      hasDuplicate: items.some(({ hasDuplicate }) => hasDuplicate),
    })),
    object: fc.array(fc.tuple(key, fc.boolean(), tie('value')), { maxLength: 4 }).map((members) => ({
      text: `{${members.map(([name, isEscaped, { text }]) => `${written(name, isEscaped)} :\n${text}`).join(',')}}`,
      hasDuplicate:
        new Set(members.map(([name]) => name)).size < members.length ||
        members.some(([, , { hasDuplicate }]) => hasDuplicate),
    })),
  })).value;
}

function written(key: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(key);
  const units = key.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${units.join('')}"`;
}
