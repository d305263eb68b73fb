import fc from 'fast-check';
import { clusteredStandardError } from '../../../core/ratings/clustered-error';
import { exactBinomialP } from '../../../core/ratings/exact-binomial';
import { proportion, wilsonInterval } from '../../../core/ratings/wilson';

describe("Wilson's interval", () => {
  // statsmodels 0.15.0, proportion_confint(method='wilson').
  it.each([
    [9, 10, 0.5958499732047614, 0.982123786904927],
    [10, 10, 0.7224672001371106, 1],
    [0, 4, 0, 0.4898908364545974],
    [37, 50, 0.6044684273515116, 0.841284725064476],
  ])('of %d in %d is %d to %d', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval.low).toBeCloseTo(low, 12);
    expect(interval.high).toBeCloseTo(high, 12);
  });

  it('of 9 in 10 is .5958499732 to .9821237869, of 10 in 10 .7224672001 to 1', () => {
    expect(wilsonInterval(9, 10).low.toFixed(10)).toBe('0.5958499732');
    expect(wilsonInterval(9, 10).high.toFixed(10)).toBe('0.9821237869');
    expect(wilsonInterval(10, 10).low.toFixed(10)).toBe('0.7224672001');
  });

  it('mirrors when successes and failures swap, and always holds the share', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (successes, failures) => {
        fc.pre(successes + failures > 0);
        const one = wilsonInterval(successes, successes + failures);
        const other = wilsonInterval(failures, successes + failures);
        expect(one.low).toBeCloseTo(1 - other.high, 12);
        const share = successes / (successes + failures);
        expect(one.low <= share && share <= one.high && one.low >= 0 && one.high <= 1).toBe(true);
      }),
    );
  });

  it('is not there when nothing was tried, and refuses 3 of 2', () => {
    expect(proportion(0, 0)).toEqual({ count: 0, of: 0, share: null, interval: null });
    expect(() => wilsonInterval(3, 2)).toThrow('wilson: 3 of 2 is no proportion');
  });
});

describe('the exact binomial test', () => {
  // scipy 1.17.1, binomtest.
  it.each([
    [24, 28, 0.5, 0.00017999112606048584],
    [5, 10, 0.5, 1],
    [0, 7, 0.5, 0.015625],
    [3, 20, 0.3, 0.22041826738070913],
    [60, 100, 0.5, 0.05688793364098089],
    [1, 1, 0.5, 1],
    [480, 1000, 0.5, 0.2174482932041415],
  ])('of %d in %d at %d gives p = %d', (successes, trials, probability, expected) => {
    expect(exactBinomialP(successes, trials, probability)).toBeCloseTo(expected, 10);
  });

  it('refuses a count that is none', () => {
    expect(() => exactBinomialP(1.5, 3)).toThrow('binomial: 1.5 of 3 is no count');
  });
});

describe('small things with known values', () => {
  it('the clustered error of {1, 1}, {0, 0} is √2/4, and of the same four alone ¼ (by hand)', () => {
    // Mean ½; clusters sum to ±1: √2/4. Alone: √(4·¼)/4.
    expect(
      clusteredStandardError([
        [1, 1],
        [0, 0],
      ]),
    ).toBeCloseTo(Math.SQRT2 / 4, 12);
    expect(clusteredStandardError([[1], [1], [0], [0]])).toBeCloseTo(0.25, 12);
  });
});
