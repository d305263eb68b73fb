import fc from 'fast-check';
import { normaliseDoi } from '../../../activities/literature/article-ids';
import { decodeFully } from '../../../activities/literature/decode-fully';

test('what was encoded up to 12 times comes back as it was', () => {
  const plain = fc.string({ unit: fc.constantFrom('a', '/', '2', '5', ' ', 'é', '10.', '(', '+') });
  fc.assert(
    fc.property(plain, fc.nat(12), (text, times) => {
      let encoded = text;
      for (let i = 0; i < times; i++) encoded = encodeURIComponent(encoded);
      expect(decodeFully(encoded)).toBe(text);
    }),
  );
});

test('it undoes at least what undoing it one by one undoes', () => {
  const parts = fc.constantFrom('%', '25', '%25', '%2525', '2F', '41', '/', 'zz');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (given) => {
      const text = given.join('');
      expect(oneByOne(decodeFully(text))).toBe(decodeFully(text));
      if (!oneByOne(text).includes('%')) expect(decodeFully(text)).toBe(oneByOne(text));
    }),
  );
});

function oneByOne(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? text : oneByOne(decoded);
  } catch {
    return text;
  }
}

// One by one, 20,000 brackets took 63 s and 20,000 escapes 10 s of everybody else's time.
test('an address of 40,000 escapes of escapes, and an id of 90,000 brackets, are read like any others', () => {
  expect(decodeFully(`x%${'25'.repeat(40_000)}2Fy`)).toBe('x/y');
  expect(normaliseDoi(`10.1234/x${')'.repeat(90_000)}`)).toBe('10.1234/x');
});

test('a text of 10,000,000 letters that is no address stays as it is, and is no id', () => {
  const text = `x%${'25'.repeat(5_000_000)}2Fy`;
  expect(decodeFully(text) === text).toBe(true);
  expect(normaliseDoi(`10.1234/x${')'.repeat(5_000_000)}`)).toBeNull();
});

test('closing punctuation goes, brackets that the id opens stay: as taking them off one by one', () => {
  const ends = fc.array(fc.constantFrom('(', ')', '.', ',', 'a', ']', '}', '/', '(1)'), { maxLength: 12 });
  fc.assert(
    fc.property(ends, (end) => {
      const text = `10.1234/x${end.join('')}`;
      fc.pre(!/\/\.{1,2}(?:\/|$)/.test(naively(text)));
      expect(normaliseDoi(text)).toBe(naively(text));
    }),
  );
});

function naively(doi: string): string {
  const last = doi.at(-1) ?? '';
  const isUnmatched = last === ')' && doi.split(')').length > doi.split('(').length;
  return /[.,;:'”’\]}/]/.test(last) || isUnmatched ? naively(doi.slice(0, -1)) : doi;
}
