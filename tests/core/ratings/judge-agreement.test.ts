import { judgeAgreements } from '../../../core/ratings/judge-agreement';
import { match, verdict } from './rated-matches';

/** Matches on which the first judge says one thing and the second another, in both orders. */
function said(index: number, one: 'a' | 'b' | 'tie', other: 'a' | 'b' | 'tie') {
  return match(index, 'x/1', 'y/1', ['a', 'a'], {
    verdicts: [
      verdict('ab', one, 'p:one'),
      verdict('ba', one, 'p:one'),
      verdict('ab', other, 'p:two'),
      verdict('ba', other, 'p:two'),
    ],
  });
}

describe('agreement between the judges of a panel', () => {
  it('has κ = .5408163265306122 for the table 9 2 1 / 3 7 2 / 0 1 5 (statsmodels 0.15.0, cohens_kappa)', () => {
    const sides = ['a', 'b', 'tie'] as const;
    const table = [
      [9, 2, 1],
      [3, 7, 2],
      [0, 1, 5],
    ];
    let index = 0;
    const matches = table.flatMap((row, i) =>
      row.flatMap((count, j) => Array.from({ length: count }, () => said(index++, sides[i]!, sides[j]!))),
    );
    const [agreement] = judgeAgreements(matches);
    expect(agreement!.kappa!).toBeCloseTo(0.5408163265306122, 12);
    expect(agreement!).toMatchObject({
      judges: ['p:one', 'p:two'],
      matches: 30,
      agreed: { count: 21, of: 30 },
    });
  });

  it('has no κ where both always say the same one thing', () => {
    expect(judgeAgreements([said(0, 'a', 'a'), said(1, 'a', 'a')])[0]!.kappa).toBeNull();
  });

  it('leaves out a match that one of them judged in one of its two orders only', () => {
    const half = match(1, 'x/1', 'y/1', ['a', 'a'], {
      asked: { judges: 2, orders: 2 },
      verdicts: [verdict('ab', 'a', 'p:one'), verdict('ba', 'a', 'p:one'), verdict('ab', 'a', 'p:two')],
    });
    expect(judgeAgreements([said(0, 'a', 'b'), half])[0]).toMatchObject({
      matches: 1,
      agreed: { count: 0, of: 1 },
    });
  });

  it('has nothing to say of a single judge', () => {
    expect(judgeAgreements([match(0, 'x/1', 'y/1', ['a', 'a'])])).toEqual([]);
  });
});
