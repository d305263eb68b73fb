import { logitFromElo } from '../../../core/ratings/elo-scale';
import { runWorlds } from '../../../scripts/nightly-sim/run-worlds';
import { BASE_NIGHTLY, FIRST_JUDGE } from '../../../scripts/nightly-sim/world';

/** A small part of `npm run nightly:sim`, whose figures docs/guide/nightly.md has. */
describe('simulated nightlies of 8 candidates', () => {
  const settings = { worlds: 12, nights: 100, seed: 5, alpha: 0.05 };

  it.each([
    ['nothing changes', {}],
    ['the panel is a lucky one', { hasLuckyPanel: true }],
    ['nights differ, alike for all matches', { nightEffect: 0.3 }],
  ])('call nobody in at least 11 of 12 worlds where %s', (_, world) => {
    const ends = runWorlds({ ...BASE_NIGHTLY, ...world }, settings);
    expect(ends.filter((end) => end.regressed !== null || end.improved !== null).length).toBeLessThanOrEqual(
      1,
    );
  });

  it('find a drop of 100 Elo at night 60 within 40 nights in most worlds at n 4, in fewer at n 2', () => {
    const drop = { night: 60, logits: logitFromElo(100) };
    const found = (size: { n: number; matches: number }) =>
      runWorlds({ ...BASE_NIGHTLY, ...size, drop }, settings).filter(
        (end) => end.firstRegressed !== null && end.firstRegressed > 60,
      ).length;
    const atFour = found({ n: 4, matches: 2 });
    expect(atFour).toBeGreaterThanOrEqual(6);
    expect(found({ n: 2, matches: 1 })).toBeLessThan(atFour);
  });

  it('say judge_drift of another judge from night 60 on, and call candidates in few worlds first', () => {
    const swap = { night: 60, judge: { ...FIRST_JUDGE, slope: 0.5, textTaste: 0.6 } };
    const ends = runWorlds({ ...BASE_NIGHTLY, swap }, settings);
    expect(ends.filter((end) => end.judgeDrift !== null).length).toBeGreaterThanOrEqual(10);
    expect(
      ends.filter((end) => end.regressed !== null && end.judgeDrift === null).length,
    ).toBeLessThanOrEqual(1);
  });
});
