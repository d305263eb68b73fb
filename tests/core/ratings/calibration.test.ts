import { runCell } from '../../../scripts/calibration/cell';
import { BASE_WORLD } from '../../../scripts/calibration/world';

// The full grid is `npm run calibration`, its table docs/calibration.md. Here a corner of it, with bounds widened
// by three standard errors of so few worlds (8 candidates give correlated pairs, hence the wide ones).
describe('coverage on a small grid', () => {
  it.each([
    [2, 5, 10],
    [4, 3, 4],
    [8, 2, 2],
  ])(
    '%d candidates, n = %d, %d matches a pair: 95 %% intervals cover at least 92 %%, "better" is false in at most 9 %%',
    (candidates, n, matches) => {
      const result = runCell('base', BASE_WORLD, { candidates, n, matches }, { worlds: 150, seed: 11 });
      expect(result.printed).toBeGreaterThan(0.95);
      expect(result.differences!).toBeGreaterThan(0.92);
      expect(result.strengths!).toBeGreaterThan(0.92);
      expect(result.falseBetter).toBeLessThanOrEqual(0.09);
      expect(result.width!).toBeLessThan(n >= 5 ? 1.6 : 2.5);
    },
  );

  it('two matches a pair between two candidates are too few: nothing is printed', () => {
    const result = runCell(
      'base',
      BASE_WORLD,
      { candidates: 2, n: 10, matches: 2 },
      { worlds: 20, seed: 11 },
    );
    expect(result).toMatchObject({
      printed: 0,
      differences: null,
      strengths: null,
      width: null,
      falseBetter: 0,
    });
  });

  it('is not fooled by a spread of 1.2 logits at n = 2, where rows as clusters cover far less', () => {
    const result = runCell(
      's',
      { ...BASE_WORLD, spread: [1.2] },
      { candidates: 8, n: 2, matches: 4 },
      { worlds: 100, seed: 12 },
    );
    expect(result.differences!).toBeGreaterThan(0.92);
  });
});
