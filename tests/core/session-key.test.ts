import fc from 'fast-check';
import { ORDERS, sessionKey } from '../../core/ids';

test('a session’s key is the bench, scipivot, who is asked, the case and the order', () => {
  expect(sessionKey('bnc_1', 'gpt-5[raw]', 'case-0a', 'ab')).toBe('bnc_1/scipivot/gpt-5[raw]/case-0a/ab');
  expect(sessionKey('bnc_1', 'openrouter:google/g:free', 'a/b%', 'ba')).toBe(
    'bnc_1/scipivot/openrouter:google%2Fg:free/a%2Fb%25/ba',
  );
});

test('no two sessions share a key, whatever slashes are in their names: 1,000 pairs', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '/', '%', '2', 'F', ':'), minLength: 1, maxLength: 6 });
  const session = fc.tuple(name, name, fc.constantFrom(...ORDERS));
  fc.assert(
    fc.property(session, session, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(sessionKey('bnc_1', ...one) === sessionKey('bnc_1', ...other)).toBe(isSame);
    }),
    { numRuns: 1000 },
  );
});
