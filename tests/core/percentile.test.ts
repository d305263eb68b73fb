import { linearPercentile } from '../../core/percentile';

describe('the linear percentile', () => {
  test('of 1 … 10 at 2.5 and 97.5 is 1.225 and 9.775, as R’s type 7 has it', () => {
    const oneToTen = Float64Array.from({ length: 10 }, (_, i) => i + 1);
    expect(linearPercentile(oneToTen, 2.5)).toBeCloseTo(1.225, 12);
    expect(linearPercentile(oneToTen, 97.5)).toBeCloseTo(9.775, 12);
    expect(linearPercentile(oneToTen, 0)).toBe(1);
    expect(linearPercentile(oneToTen, 100)).toBe(10);
  });
});
