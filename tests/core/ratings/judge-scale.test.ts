import { firstWinProbability } from '../../../activities/providers/sim-verdict';
import { fitBradleyTerry } from '../../../core/ratings/bradley-terry';
import { eloFromLogit, logit, logitFromElo } from '../../../core/ratings/elo-scale';
import { countPairs } from '../../../core/ratings/pair-counts';

const GAP = logitFromElo(100);
/** The chance that the better by 100 Elo is named, shown first and shown second. */
const namedIn = (bias: number) => {
  const judge = { accuracy: 1, bias };
  return { ab: firstWinProbability(GAP, 0, judge), ba: 1 - firstWinProbability(0, GAP, judge) };
};

describe('ratings on the judge’s own scale', () => {
  it.each([
    [0, 100],
    [0.4, 96.208274792818],
    [1, 79.190723398678],
    [1.5, 60.568419877234],
    [2.5, 28.992434164722],
  ])(
    'two orders cancel the sign of a bias of %d, not its shrinkage: 100 Elo show as %d (mpmath)',
    (bias, seen) => {
      const { ab, ba } = namedIn(bias);
      const { theta } = fitBradleyTerry(
        countPairs([{ left: 'better', right: 'worse', scoreLeft: (ab + ba) / 2 }]),
      );
      expect(eloFromLogit(theta[0]! - theta[1]!)).toBeCloseTo(seen, 8);
    },
  );

  it('a noisy judge without a bias flips in 46 % of matches at a gap of 100 Elo: .46076359 (mpmath)', () => {
    const { ab, ba } = namedIn(0);
    expect(ab * (1 - ba) + ba * (1 - ab)).toBeCloseTo(0.46076359, 8);
  });

  it.each([
    [0.51, 7],
    [0.55, 35],
    [0.6, 70],
    [0.65, 108],
    [0.7, 147],
    [0.75, 191],
  ])('a win rate of %d is a gap of %d Elo', (winRate, gap) => {
    expect(Math.round(eloFromLogit(logit(winRate)))).toBe(gap);
  });
});
