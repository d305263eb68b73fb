import fc from 'fast-check';
import { compactLetters } from '../../../core/ratings/compact-letters';
import { type DifferenceWord, differenceWord } from '../../../core/ratings/difference-word';
import { rankIntervals } from '../../../core/ratings/rank-intervals';

/** Random "surely better" relations that agree with the order of ranks. */
const anyRelation = fc
  .integer({ min: 1, max: 8 })
  .chain((size) =>
    fc
      .array(fc.boolean(), { minLength: size * size, maxLength: size * size })
      .map((cells) => ({ size, isBetter: (i: number, j: number) => i < j && cells[i * size + j]! })),
  );

describe('compact letters', () => {
  it('are shared by two exactly when they do not differ, and each stands for a largest such set (naive subsets)', () => {
    fc.assert(
      fc.property(anyRelation, ({ size, isBetter }) => {
        const differs = (i: number, j: number) => isBetter(i, j) || isBetter(j, i);
        const letters = compactLetters(size, differs);
        for (let i = 0; i < size; i++)
          for (let j = i + 1; j < size; j++)
            expect([...letters[i]!].some((one) => letters[j]!.includes(one))).toBe(!differs(i, j));
        const sets = new Set(
          [...letters.join('')].map((one) => letters.map((own) => own.includes(one)).join()),
        );
        expect(sets).toEqual(naiveSets(size, differs));
      }),
      { numRuns: 300 },
    );
  });

  it('are a, ab, b where only the first and the third differ', () => {
    expect(compactLetters(3, (i, j) => Math.abs(i - j) === 2)).toEqual(['a', 'ab', 'b']);
  });

  it('are a for all where nothing differs, and one each where everything does', () => {
    expect(compactLetters(4, () => false)).toEqual(['a', 'a', 'a', 'a']);
    expect(compactLetters(28, () => true).slice(25)).toEqual(['z', 'a1', 'b1']);
  });
});

/** All sets without a difference that no other such set holds, by looking at every subset. */
function naiveSets(size: number, differs: (i: number, j: number) => boolean): Set<string> {
  const subsets = Array.from({ length: 2 ** size }, (_, bits) =>
    Array.from({ length: size }, (__, i) => (bits & (2 ** i)) !== 0),
  );
  const sound = subsets.filter(
    (set) => !set.some((one, i) => one && set.some((other, j) => i < j && other && differs(i, j))),
  );
  const largest = sound.filter(
    (set) => !sound.some((other) => other !== set && set.every((one, i) => !one || other[i])),
  );
  return new Set(largest.map((set) => set.join()));
}

describe('rank intervals', () => {
  it('run from 1 + surely better to all − surely worse: 1–2, 1–3, 2–3 where only the first beats the third', () => {
    const ranks = rankIntervals(3, (first, second) => first === 0 && second === 2);
    expect(ranks).toEqual([
      { rankLow: 1, rankHigh: 2 },
      { rankLow: 1, rankHigh: 3 },
      { rankLow: 2, rankHigh: 3 },
    ]);
  });

  it('hold the rank itself whenever "better" agrees with the order', () => {
    fc.assert(
      fc.property(anyRelation, ({ size, isBetter }) => {
        rankIntervals(size, isBetter).forEach(({ rankLow, rankHigh }, place) => {
          expect(rankLow <= place + 1 && place + 1 <= rankHigh).toBe(true);
        });
      }),
    );
  });
});

describe('the word for a difference', () => {
  it.each([
    [{ low: 1, high: 90 }, 'better'],
    [{ low: 1, high: 20 }, 'better'],
    [{ low: -90, high: -1 }, 'worse'],
    [{ low: -50, high: 50 }, 'no_difference'],
    [{ low: -51, high: 20 }, 'underpowered'],
    [{ low: 0, high: 80 }, 'underpowered'],
    [null, 'too_few'],
  ] as const)('for %j at the default margin of 50 is %s', (interval, word) => {
    expect(differenceWord(interval)).toBe(word);
  });

  it('turns with the sides', () => {
    const turned = new Map<DifferenceWord, DifferenceWord>([
      ['better', 'worse'],
      ['worse', 'better'],
    ]);
    fc.assert(
      fc.property(fc.integer({ min: -99, max: 99 }), fc.nat(150), (low, width) => {
        const word = differenceWord({ low, high: low + width });
        expect(differenceWord({ low: -low - width, high: -low })).toBe(turned.get(word) ?? word);
      }),
    );
  });
});
