import type { Contrast } from '../../../core/ratings/candidate-fit';
import { intervalAmong, intervalAmongPairs, singleInterval } from '../../../core/ratings/interval';

const contrast = (degrees: number): Contrast => ({
  estimate: 0,
  standardError: 1,
  degrees,
  from: 'hypotheses',
  noiseShare: 0.5,
});

// Factors: scipy 1.17.1, stats.t.ppf and stats.studentized_range.ppf.
describe('interval factors', () => {
  it('are 2.306004 at 8 degrees for one difference alone, and the same for ten rounding errors less', () => {
    expect(singleInterval(contrast(8)).high).toBeCloseTo(2.306004135204166, 9);
    expect(singleInterval(contrast(8 - 1e-14))).toEqual(singleInterval(contrast(8)));
  });

  it('are 4.198660 / √2 at 12 degrees for four candidates, all pairs held at once', () => {
    expect(intervalAmongPairs(contrast(12), 4).high).toBeCloseTo(4.198660231300105 / Math.SQRT2, 7);
  });

  it('never are smaller for fewer degrees, and grow with what is held at once', () => {
    for (let degrees = 1; degrees < 70; degrees += 0.37) {
      const here = singleInterval(contrast(degrees)).high;
      expect(singleInterval(contrast(degrees + 0.37)).high).toBeLessThanOrEqual(here);
      expect(intervalAmong(contrast(degrees), 4).high).toBeGreaterThan(here);
      expect(intervalAmong(contrast(degrees), 1).high).toBeCloseTo(here, 12);
    }
  });
});
