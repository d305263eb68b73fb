import { betaBelow, logGamma } from '../../../core/ratings/beta';
import { normalBelow, normalQuantile } from '../../../core/ratings/normal';
import { studentFactor, studentTwoSided } from '../../../core/ratings/student-t';
import { studentizedRangeBelow, studentizedRangeQuantile } from '../../../core/ratings/studentized-range';

// Expected values: scipy 1.17.1 (stats.norm, stats.t, stats.studentized_range) and mpmath 1.4.1 (betainc, loggamma).

describe('the normal distribution', () => {
  it.each([
    [1e-300, -37.0470962993612],
    [1e-10, -6.361340902404056],
    [0.025, -1.9599639845400545],
    [0.3, -0.5244005127080409],
    [0.8, 0.8416212335729143],
    [0.999999, 4.753424308817087],
  ])('has its %d quantile at %d', (probability, quantile) => {
    expect(normalQuantile(probability)).toBeCloseTo(quantile, 10);
  });

  it.each([
    [-20, 2.7536241186061556e-89],
    [-5, 2.866515718791933e-7],
    [-1, 0.15865525393145707],
    [0.3, 0.6179114221889526],
    [3.1, 0.9990323967867817],
  ])('lies below %d with probability %d', (x, probability) => {
    expect(normalBelow(x) / probability).toBeCloseTo(1, 11);
  });

  it('refuses a probability above 1 and gives the infinities at 0 and 1', () => {
    expect(() => normalQuantile(1.1)).toThrow('normal quantile of 1.1');
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
  });
});

describe('the gamma and beta functions', () => {
  it.each([
    [0.1, 2.252712651734206],
    [0.5, 0.5723649429247001],
    [1, 0],
    [3.7, 1.4280723266653881],
    [25, 54.78472939811232],
    [1000.5, 5908.674175848678],
  ])('ln Γ(%d) = %d', (x, expected) => {
    expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-11);
  });

  it.each([
    [0.3, 2, 5, 0.579825],
    [0.9, 0.5, 0.5, 0.7951672353008666],
    [0.01, 10, 0.5, 1.7700349655285743e-21],
    [0.5, 200, 190, 0.3060988014510174],
    [0.999, 30.5, 0.5, 0.805656464377895],
  ])('of Beta(%d; %d, %d) %d lies below', (x, a, b, expected) => {
    expect(betaBelow(x, a, b) / expected).toBeCloseTo(1, 10);
  });
});

describe("Student's t", () => {
  it.each([
    [0.95, 1, 12.706204736174694],
    [0.95, 1.5, 6.016663104427929],
    [0.95, 2, 4.302652729749462],
    [0.95, 3.7, 2.8675207071911895],
    [0.95, 8, 2.306004135204166],
    [0.95, 30, 2.0422724563012378],
    [0.99, 4.2, 4.4577703053188795],
    [0.998, 11.9, 3.938269221007473],
    [0.95, Number.POSITIVE_INFINITY, 1.9599639845400545],
  ])('holds %d at %d degrees within ±%d', (confidence, degrees, factor) => {
    expect(studentFactor(confidence, degrees)).toBeCloseTo(factor, 10);
  });

  it.each([
    [2.3, 1, 0.26109517417724554],
    [2.3, 3.7, 0.08830340068840908],
    [9, 4, 0.0008438325176012779],
    [0.001, 5, 0.9992407867721976],
  ])('exceeds %d at %d degrees with probability %d', (t, degrees, probability) => {
    expect(studentTwoSided(t, degrees)).toBeCloseTo(probability, 12);
  });

  it('refuses no degrees of freedom', () => {
    expect(() => studentFactor(0.95, 0)).toThrow('degrees of freedom 0 are not positive');
  });
});

describe('the studentized range', () => {
  it.each([
    [2, 2, 6.084869844593298],
    [2, 10, 3.151064183329372],
    [3, 4.5, 4.789666053380444],
    [4, 12, 4.198660231300105],
    [8, 2.5, 10.309865442388793],
    [8, 16.2, 4.888177489709363],
    [8, 120, 4.363013416182142],
    [50, 30, 6.266763215951387],
  ])('of %d groups at %d degrees has its 95 % quantile at %d', (groups, degrees, quantile) => {
    expect(studentizedRangeQuantile(0.95, groups, degrees) / quantile).toBeCloseTo(1, 8);
  });

  it.each([
    [3.5, 3, 5, 0.8807270445339491],
    [2, 8, 14.2, 0.1630240713305633],
    [6, 8, 6, 0.9454712737159306],
  ])('lies below %d for %d groups at %d degrees with probability %d', (q, groups, degrees, probability) => {
    expect(studentizedRangeBelow(q, groups, degrees)).toBeCloseTo(probability, 9);
  });

  it("is √2 times Student's factor for two groups", () => {
    for (const degrees of [1, 3.3, 17, 1e9]) {
      const quantile = studentizedRangeQuantile(0.95, 2, degrees);
      expect(quantile / Math.SQRT2).toBeCloseTo(studentFactor(0.95, degrees), 8);
    }
  });
});
