import { meanOf } from '../../core/mean';

describe('the mean', () => {
  test('of 1, 2 and 6 is 3, and of one value that value', () => {
    expect(meanOf([1, 2, 6])).toBe(3);
    expect(meanOf(Float64Array.of(0.25))).toBe(0.25);
  });

  test('of nothing is null: neither 0 nor a number that is none', () => {
    expect(meanOf([])).toBeNull();
  });
});
