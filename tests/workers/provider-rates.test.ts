import { readProviderRates } from '../../workers/provider-rates';

test('nothing set means no limits', () => {
  expect(readProviderRates(undefined).size).toBe(0);
  expect(readProviderRates(' , ').size).toBe(0);
});

test('each provider has its own rate, fractions included', () => {
  expect([...readProviderRates('openai=5, anthropic = 0.5')]).toEqual([
    ['openai', 5],
    ['anthropic', 0.5],
  ]);
});

test('all problems are told at once, with the way to write it', () => {
  expect(() => readProviderRates('openai,google=0,sim=2,sim=3,a=1=2,b=Infinity')).toThrow(
    'CO_SCIENTIST_RATES: openai: not a number of calls a second above 0; ' +
      'google: not a number of calls a second above 0; sim: named twice; cannot read "a=1=2"; ' +
      'b: not a number of calls a second above 0 (write provider=perSecond,…: openai=5,anthropic=0.5)',
  );
});
