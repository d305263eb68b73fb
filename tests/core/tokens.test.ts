import fc from 'fast-check';
import { tokenise } from '../../core/tokens';

const words = (text: string) => tokenise(text).map((token) => token.text);

// Worked out by hand from the rule: NFKD, marks dropped, Greek spelled out, split at anything else.
test.each([
  ['JPH-203', ['jph', '203']],
  ['JPH203', ['jph203']],
  ['TGF-β1 and TGF-α', ['tgf', 'beta1', 'and', 'tgf', 'alpha']],
  ['TNFα', ['tnfalpha']],
  ['Σίσυφος', ['sigmaiotasigmaupsilonphiomicronsigma']],
  ['µM', ['mum']],
  ['Naïve Müller STRASSE Straße', ['naive', 'muller', 'strasse', 'strasse']],
  ['n\u0303o', ['no']],
  ['H₂O, x², ﬁne', ['h2o', 'x2', 'fine']],
  ['ＫＩＲＡ６', ['kira6']],
  ['İstanbul', ['istanbul']],
  ['Δ9-THC', ['delta9', 'thc']],
  ['a_b.c/d—e', ['a', 'b', 'c', 'd', 'e']],
  ['抗癌 drug', ['抗癌', 'drug']],
  ['😀 …', []],
  ['', []],
])('%j is %j', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test('each token lies where it says: its piece of the text alone gives the same token', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      let last = 0;
      for (const { text: token, start, end } of tokenise(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(words(text.slice(start, end))).toEqual([token]);
        last = end;
      }
    }),
  );
});

test('composed and decomposed, small and capital, a text has the same tokens', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(words(text.normalize('NFD'))).toEqual(words(text));
      expect(words(text.normalize('NFKC'))).toEqual(words(text));
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(words(text.toUpperCase())).toEqual(words(text));
    }),
  );
});
