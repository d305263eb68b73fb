import fc from 'fast-check';
import { strengthMark } from '../../../activities/providers/sim-hypothesis';
import { firstWinProbability } from '../../../activities/providers/sim-verdict';
import { checkVerdict, RECORD_VERDICT } from '../../../activities/record-schemas';
import { argumentsOf, keyed, many, requestOf } from './sim-calls';

describe('a sim verdict', () => {
  const prompt = (first: string, second: string) =>
    `<first_hypothesis>\n${first}\n<review>\n(simulated, strength 9.000)\n</review>\n</first_hypothesis>\n` +
    `<second_hypothesis>\n${second}\n</second_hypothesis>`;
  const judge = (model: string, key: string, first = strengthMark(1), second = strengthMark(0)) =>
    argumentsOf(
      requestOf(model, RECORD_VERDICT, {
        turns: [{ role: 'user', text: prompt(first, second) }],
        ...keyed(key),
      }),
    );
  /** Of 2,000 verdicts: how many are ties, and the share of the first among the others. */
  const shares = async (model: string, first?: string, second?: string) => {
    const verdicts = await many(2_000, (i) => judge(model, `v${i}`, first, second));
    const count = (winner: string) => verdicts.filter((verdict) => verdict.winner === winner).length;
    return { ties: count('tie') / 2_000, first: count('first') / (count('first') + count('second')) };
  };

  it('passes the schema of record_verdict, with a score from 1 to 5 for each criterion', async () => {
    const verdict = await judge('oak', 'x');
    expect(checkVerdict(verdict)).toHaveProperty('record');
    expect((verdict.scores as { criterion: string }[]).map(({ criterion }) => criterion)).toEqual([
      'novelty',
      'plausibility',
      'testability',
      'relevance',
    ]);
    expect(verdict.rationale).toMatch(/Strengths read: 1\.000 and 0\.000 \(simulated\)/);
  });

  // logistic(1) = 0.7311, logistic(1.4) = 0.8022, logistic(−1) = 0.2689, 0.5 × 0.7311 + 0.25 = 0.6155; of about
  // 1,920 verdicts the standard error is at most 0.0114; four of them.
  it.each([
    ['oak', 1, 0, 0.7311],
    ['oak', 0, 1, 0.2689],
    ['oak', 0.3, 0.3, 0.5],
    ['oak,bias=0.4', 1, 0, 0.8022],
    ['oak,accuracy=0.5', 1, 0, 0.6155],
    ['oak,accuracy=0', 5, 0, 0.5],
  ])(
    'of %s names the first of strengths %d and %d with a chance of %d ± 0.046',
    async (model, first, second, p) => {
      const seen = await shares(model, strengthMark(first), strengthMark(second));
      expect(Math.abs(seen.first - p)).toBeLessThan(0.033);
      // Ties are one in 25; standard error 0.0044.
      expect(Math.abs(seen.ties - 0.04)).toBeLessThan(0.0176);
    },
  );

  it('has no favourite place without a bias: P(first | a, b) = 1 − P(first | b, a)', () => {
    const logit = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(logit, logit, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, accuracy) => {
        const forward = firstWinProbability(a, b, { accuracy, bias: 0 });
        expect(forward + firstWinProbability(b, a, { accuracy, bias: 0 })).toBeCloseTo(1, 12);
      }),
    );
  });

  it('is a tie that says why where a strength is missing', async () => {
    const [one, both] = await Promise.all([
      judge('oak', 'x', strengthMark(3), 'Nothing shown.'),
      judge('oak', 'x', '(strength 3.000)', 'simulated'),
    ]);
    expect([one.winner, one.rationale]).toEqual(['tie', 'No strength is shown by the second (simulated).']);
    expect(both.rationale).toBe('No strength is shown by the first and the second (simulated).');
  });

  it('is always the first under answer=always-a, whatever it reads', async () => {
    const verdicts = await many(50, (i) =>
      judge('oak,answer=always-a', `${i}`, strengthMark(-9), strengthMark(9)),
    );
    expect(new Set(verdicts.map(({ winner }) => winner))).toEqual(new Set(['first']));
  });
});
