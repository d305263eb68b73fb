import fc from 'fast-check';
import { areJudgesUninformative, judgeOrders } from '../../../core/ratings/judge-orders';
import type { RatedMatch } from '../../../core/ratings/rated-match';
import { match, verdict } from './rated-matches';

const side = fc.constantFrom('a', 'b', 'tie') as fc.Arbitrary<'a' | 'b' | 'tie'>;

/** A match flipped towards the place shown first (or second). */
const flipped = (index: number, place: 'first' | 'second') =>
  match(index, 'x/1', 'y/1', place === 'first' ? ['a', 'b'] : ['b', 'a']);

describe('two orders of a judge', () => {
  it('24 first/first and 4 second/second of 28 flips are a bias with exact p = .00018 (scipy)', () => {
    const matches = Array.from({ length: 28 }, (_, k) => flipped(k, k < 24 ? 'first' : 'second'));
    const [orders] = judgeOrders(matches);
    expect(orders!.positionBias).toMatchObject({ firstFirst: 24, secondSecond: 4 });
    expect(orders!.positionBias.pValue!).toBeCloseTo(0.00017999112606048584, 12);
  });

  it('agreeing matches, however many, leave the test of bias alone', () => {
    const flips = [flipped(0, 'first'), flipped(1, 'first'), flipped(2, 'first')];
    const agreeing = Array.from({ length: 50 }, (_, k) => match(3 + k, 'x/1', 'y/1', ['a', 'a']));
    // Three of three: 2 · ½³.
    expect(judgeOrders(flips)[0]!.positionBias.pValue).toBeCloseTo(0.25, 12);
    expect(judgeOrders([...flips, ...agreeing])[0]!.positionBias.pValue).toBeCloseTo(0.25, 12);
  });

  it('no flip has no p, rather than p = 1', () => {
    expect(judgeOrders([match(0, 'x/1', 'y/1', ['a', 'a'])])[0]!.positionBias.pValue).toBeNull();
  });

  it('agreed, flips and half-flips are all there is (naive twin from the sides named)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 30 }), (said) => {
        const [orders] = judgeOrders(said.map((both, k) => match(k, 'x/1', 'y/1', both)));
        expect(orders!.agreed.count).toBe(said.filter(([ab, ba]) => ab === ba).length);
        expect(orders!.halfFlips.count).toBe(
          said.filter(([ab, ba]) => ab !== ba && [ab, ba].includes('tie')).length,
        );
        expect(orders!.agreed.count + orders!.flips.count + orders!.halfFlips.count).toBe(said.length);
      }),
    );
  });

  it('over 80 % flips make a judge uninformative: 9 of 10, but not 8 of 10', () => {
    const judged = (flips: number) =>
      judgeOrders(
        Array.from({ length: 10 }, (_, k) =>
          k < flips ? flipped(k, 'first') : match(k, 'x/1', 'y/1', ['a', 'a']),
        ),
      );
    expect(judged(9)[0]!.isUninformative).toBe(true);
    expect(judged(8)[0]!.isUninformative).toBe(false);
    expect([areJudgesUninformative(judged(9)), areJudgesUninformative([])]).toEqual([true, false]);
  });

  it('of one order a match there are no flips, and 15 firsts of 20 decisive verdicts have exact p = .04139 (R)', () => {
    const matches = Array.from({ length: 22 }, (_, k) => {
      const order = k % 2 === 0 ? ('ab' as const) : ('ba' as const);
      const winner = k < 15 ? ('first' as const) : k < 20 ? ('second' as const) : ('tie' as const);
      const verdicts = [{ judge: 'sim:judge', order, winner, repeat: 0 }];
      return match(k, 'x/1', 'y/1', ['a', 'a'], { asked: { judges: 1, orders: 1 }, verdicts });
    });
    const [orders] = judgeOrders(matches);
    expect(orders).toMatchObject({ matches: 0, flips: { count: 0, share: null }, isUninformative: false });
    expect(orders!.oneOrder).toMatchObject({ verdicts: 22, first: { count: 15, of: 20 } });
    // binom.test(15, 20): 2 × (15504 + 4845 + 1140 + 190 + 20 + 1) / 2²⁰.
    expect(orders!.oneOrder!.pValue!).toBeCloseTo((2 * 21700) / 2 ** 20, 12);
    expect(judgeOrders([match(0, 'x/1', 'y/1', ['a', 'a'])])[0]!.oneOrder).toBeNull();
  });

  it('repeats in the same order are counted against the verdict that counts, and enter nothing else', () => {
    const base = match(0, 'x/1', 'y/1', ['a', 'a']);
    const repeated: RatedMatch = {
      ...base,
      verdicts: [...base.verdicts, verdict('ab', 'b', 'sim:judge', 1), verdict('ba', 'a', 'sim:judge', 1)],
    };
    const [orders] = judgeOrders([repeated]);
    expect(orders!.repeatDisagreement).toMatchObject({ count: 1, of: 2, share: 0.5 });
    expect(orders!.flips.count).toBe(0);
  });

  it('a panel has one entry a judge, each from its own two verdicts', () => {
    const both = match(0, 'x/1', 'y/1', ['a', 'a'], {
      verdicts: [
        verdict('ab', 'a', 'p:one'),
        verdict('ba', 'b', 'p:one'),
        verdict('ab', 'a', 'p:two'),
        verdict('ba', 'a', 'p:two'),
      ],
    });
    expect(judgeOrders([both]).map(({ judge, flips }) => [judge, flips.count])).toEqual([
      ['p:one', 1],
      ['p:two', 0],
    ]);
  });
});
