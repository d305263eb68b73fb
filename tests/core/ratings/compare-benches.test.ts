import { fitCandidates } from '../../../core/ratings/candidate-fit';
import { type BenchScale, compareBenches } from '../../../core/ratings/compare-benches';
import { match } from './rated-matches';

const SCALE: BenchScale = {
  judges: ['p:one', 'p:two'],
  reviewer: 'p:one',
  prompts: 'verdict 1',
  goal: 'a goal',
  verdictMode: 'single',
  judgeView: 'full',
  orders: 'both',
};

/** Two candidates, 24 matches; `won` of each four go to the first. */
function bench(one: string, other: string, won: number, scale: Partial<BenchScale> = {}) {
  const matches = Array.from({ length: 24 }, (_, k) =>
    match(
      k,
      `${one}/${k % 4}`,
      `${other}/${(k + Math.floor(k / 4)) % 4}`,
      k % 4 < won ? ['a', 'a'] : ['b', 'b'],
    ),
  );
  return {
    scale: { ...SCALE, ...scale },
    fit: fitCandidates(matches),
    ranking: won > 2 ? [one, other] : [other, one],
    identities: new Map([one, other].map((name) => [name, `p:${name}@direct`])),
    isJudgeUninformative: false,
  };
}

describe('comparing two benches', () => {
  it('gives ranks and the reason where judge or goal differ', () => {
    const comparison = compareBenches(
      bench('x', 'y', 3),
      bench('x', 'y', 1, { judges: ['p:one'], goal: 'another' }),
    );
    expect(comparison).toEqual({
      leftOut: [],
      kind: 'ranks_only',
      reasons: ['not the same judge', 'not the same goal'],
      candidates: [
        { candidate: 'x', rankBefore: 1, rankAfter: 2 },
        { candidate: 'y', rankBefore: 2, rankAfter: 1 },
      ],
    });
  });

  it('does not mind the order in which a panel is named', () => {
    expect(compareBenches(bench('x', 'y', 3), bench('x', 'y', 3, { judges: ['p:two', 'p:one'] })).kind).toBe(
      'differences',
    );
  });

  it('gives changes that cancel out: from 3:1 to 1:3, −2·ln 3 in logits, ∓ half of it each (by hand)', () => {
    const comparison = compareBenches(bench('x', 'y', 3), bench('x', 'y', 1));
    const changes = comparison.kind === 'differences' ? comparison.candidates : [];
    const expected = (-Math.log(3) * 400) / Math.log(10);
    expect(changes.map(({ candidate }) => candidate)).toEqual(['x', 'y']);
    expect(changes[0]!.change).toBeCloseTo(expected, 6);
    expect(changes[1]!.change).toBeCloseTo(-expected, 6);
    expect(changes[0]!.interval!.low).toBeLessThan(changes[0]!.change);
  });

  it.each([
    ['prompts', { prompts: 'verdict 2' }],
    ['reviewer', { reviewer: null }],
    ['verdict mode', { verdictMode: 'debate, 2 turns' }],
    ['judge view', { judgeView: 'text' }],
    ['orders', { orders: 'balanced' }],
  ])('has only ranks where the %s differ', (name, scale) => {
    expect(compareBenches(bench('x', 'y', 3), bench('x', 'y', 3, scale))).toMatchObject({
      kind: 'ranks_only',
      reasons: [`not the same ${name}`],
    });
  });

  it('has only ranks where a judge flips too often to be believed', () => {
    const fooled = { ...bench('x', 'y', 3), isJudgeUninformative: true };
    expect(compareBenches(bench('x', 'y', 3), fooled)).toMatchObject({
      kind: 'ranks_only',
      reasons: ['the judge flips too often to be believed'],
    });
  });

  it('leaves out a name that stands for another model or mode', () => {
    const other = bench('x', 'y', 3);
    const identities = new Map([...other.identities, ['y', 'p:y@pipeline']]);
    expect(compareBenches(bench('x', 'y', 3), { ...other, identities })).toMatchObject({
      leftOut: ['y'],
      kind: 'ranks_only',
      candidates: [{ candidate: 'x', rankBefore: 1, rankAfter: 1 }],
    });
  });

  it('says "better" of a rise whose interval excludes 0, "underpowered" of the same bench twice', () => {
    const words = (one: ReturnType<typeof bench>, other: ReturnType<typeof bench>) => {
      const comparison = compareBenches(one, other);
      return comparison.kind === 'differences' ? comparison.candidates.map(({ word }) => word) : [];
    };
    expect(words(bench('x', 'y', 0), bench('x', 'y', 4))).toEqual(['better', 'worse']);
    expect(words(bench('x', 'y', 3), bench('x', 'y', 3))).toEqual(['underpowered', 'underpowered']);
  });

  it('turns with time: what has risen from the one to the other has fallen back, by as much and as surely', () => {
    const one = bench('x', 'y', 1);
    const other = bench('x', 'y', 3);
    const [there, back] = [compareBenches(one, other), compareBenches(other, one)].map((comparison) =>
      comparison.kind === 'differences' ? comparison.candidates : [],
    );
    there!.forEach(({ change, interval }, k) => {
      expect(back![k]!.change).toBeCloseTo(-change, 9);
      expect(back![k]!.interval!.low).toBeCloseTo(-interval!.high, 9);
      expect(back![k]!.interval!.high).toBeCloseTo(-interval!.low, 9);
    });
  });

  it('has only ranks for benches with one candidate in common', () => {
    expect(compareBenches(bench('x', 'y', 3), bench('x', 'z', 3))).toMatchObject({
      kind: 'ranks_only',
      reasons: ['fewer than two candidates stand in both benches'],
    });
  });
});
