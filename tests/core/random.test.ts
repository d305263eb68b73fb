import fc from 'fast-check';
import { Random, randomFrom } from '../../core/random';
import { SeedSequence } from '../../core/seed-sequence';

// Expected values: numpy 2.4.6, `default_rng(…)` and `PCG64(…).random_raw()`, unless another source is named.

const raws = (random: Random, n: number) => Array.from({ length: n }, () => random.raw());
const integers = (random: Random, low: number, high: number, n: number) =>
  Array.from({ length: n }, () => random.integers(low, high));

describe('seeding', () => {
  test.each([
    ['0', 0, [11749869230777074271n, 4976686463289251617n, 755828109848996024n]],
    ['42', 42, [14276969152011380360n, 8095878257575067585n, 15838336090824644132n]],
    ['20261004', 20261004, [904572650400056292n, 7495974421772346353n, 11491616270224252328n]],
    ['2^32 - 1', 2 ** 32 - 1, [4647538520743280031n, 4041050679407036418n, 5299467714154781845n]],
    ['2^32', 2 ** 32, [16412783775159424549n, 10277383025879800780n, 14774146505460541886n]],
    ['2^53 - 1', 2 ** 53 - 1, [14504086537174452373n, 11184320671718615185n, 9917144533064508987n]],
    ['2^64 + 12345', 2n ** 64n + 12345n, [18074240003388273633n, 4293371258585790894n, 8092701546458396367n]],
    ['2^200 + 7', 2n ** 200n + 7n, [16234940907125001555n, 6491461065881959428n, 9913728897659299275n]],
  ])('the first three raw outputs of entropy %s are those of numpy', (_, entropy, expected) => {
    expect(raws(new Random(entropy), 3)).toEqual(expected);
  });

  test.each([
    [
      [1, 2, 3],
      [12368030237656201616n, 2047858591075935483n],
    ],
    [[0], [11749869230777074271n, 4976686463289251617n]],
    [
      [1, 2, 3, 4, 5, 6, 7],
      [17722827694063772986n, 14449542032809808803n],
    ],
    [
      [2 ** 40, 1, 0, 0, 0],
      [4795109132758159342n, 17648274519549951207n],
    ],
  ])('the first two raw outputs of the list %j are those of numpy', (entropy, expected) => {
    expect(raws(new Random(entropy), 2)).toEqual(expected);
  });

  test('SeedSequence(42).generate_state(8) is 3444837047, 2669555309, … as in numpy', () => {
    expect(new SeedSequence(42).generateState(8)).toEqual([
      3444837047, 2669555309, 2046530742, 3581440988, 1691623607, 2099784219, 1184028159, 862288241,
    ]);
  });

  test.each([[-1], [0.5], [Number.NaN], [2 ** 53], [-1n], [[]], [[1, -1]]])(
    'entropy %p is refused',
    (entropy) => {
      expect(() => new Random(entropy as number)).toThrow(RangeError);
    },
  );
});

describe('uniform', () => {
  test('the first of seed 0 is .6369616873214543', () => {
    expect(new Random(0).uniform()).toBe(0.6369616873214543);
  });

  test('the first four of seed 42 are those of numpy', () => {
    const random = new Random(42);
    expect([random.uniform(), random.uniform(), random.uniform(), random.uniform()]).toEqual([
      0.7739560485559633, 0.4388784397520523, 0.8585979199113825, 0.6973680290593639,
    ]);
  });

  test('the sum of 100,000 of seed 3 is 49945.64935691492', () => {
    const random = new Random(3);
    let sum = 0;
    for (let i = 0; i < 100_000; i++) sum += random.uniform();
    expect(sum).toBeCloseTo(49945.64935691492, 6); // numpy sums pairwise
  });
});

describe('integers', () => {
  test('ten below 10 of seed 42 are 0 7 6 4 4 8 0 6 2 0', () => {
    expect(integers(new Random(42), 0, 10, 10)).toEqual([0, 7, 6, 4, 4, 8, 0, 6, 2, 0]);
  });

  test('sixteen below 248 of seed 20261004 are 105 12 107 … (the sequence SciΠvot publishes)', () => {
    expect(integers(new Random(20261004), 0, 248, 16)).toEqual([
      105, 12, 107, 100, 203, 154, 177, 231, 2, 21, 237, 235, 158, 63, 152, 237,
    ]);
  });

  test('twenty below 5 of seed 20261004 fill numpy rows 2 0 2 2 4 / 3 3 4 0 0 / 4 4 3 1 3 / 4 1 4 4 4', () => {
    expect(integers(new Random(20261004), 0, 5, 20)).toEqual([
      2, 0, 2, 2, 4, 3, 3, 4, 0, 0, 4, 4, 3, 1, 3, 4, 1, 4, 4, 4,
    ]);
  });

  test('the full range of 2^32, from -5, is numpy’s', () => {
    expect(integers(new Random(7), -5, 2 ** 32 - 5, 6)).toEqual([
      4058335878, 2684764580, 2938530448, 3853503927, 2483747165, 3331544666,
    ]);
  });

  test('a range of 2^32 - 1 is numpy’s', () => {
    expect(integers(new Random(7), 0, 2 ** 32 - 1, 6)).toEqual([
      4058335882, 2684764584, 2938530452, 3853503931, 2483747169, 3331544670,
    ]);
  });

  test('ranges that reject often (3·2^30, 2^31 + 1) are numpy’s', () => {
    expect(integers(new Random(7), 0, 3 * 2 ** 30, 8)).toEqual([
      3043751912, 2013573438, 2203897839, 1862810377, 2498658503, 2685377905, 725443136, 178879731,
    ]);
    expect(integers(new Random(7), 0, 2 ** 31 + 1, 8)).toEqual([
      1926751966, 1241873585, 1790251937, 483628757, 119253154, 644602188, 1959843384, 1073283950,
    ]);
  });

  test.each([
    [1_000_003, 49945404994, [285786, 721455, 826563]],
    [3 * 2 ** 30, 160807931960865, [1577917474, 2250084876, 3204853721]],
  ])('100,000 below %d of seed 5 sum to %d', (high, sum, last) => {
    const drawn = integers(new Random(5), 0, high, 100_000);
    expect(drawn.reduce((a, b) => a + b, 0)).toBe(sum);
    expect(drawn.slice(-3)).toEqual(last);
  });

  test('the half held back by one integer waits through a uniform and a range of one: 42 .2868… 87 0 11', () => {
    const random = new Random(9);
    const drawn = [random.integers(0, 100), random.uniform(), random.integers(0, 100)];
    drawn.push(random.integers(0, 1), random.integers(0, 100));
    expect(drawn).toEqual([42, 0.28681720908755537, 87, 0, 11]);
  });

  test.each([
    [0, 0],
    [3, 2],
    [0, 2 ** 32 + 1],
    [0.5, 3],
    [0, Number.NaN],
  ])('a range from %d up to %d is refused', (low, high) => {
    expect(() => new Random(1).integers(low, high)).toThrow(RangeError);
  });

  test('every integer lies in its range', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, low, range) => {
        const drawn = new Random(seed).integers(low, low + range);
        return Number.isInteger(drawn) && drawn >= low && drawn < low + range;
      }),
    );
  });
});

describe('shuffle', () => {
  test.each([
    [1, [0]],
    [2, [1, 0]],
    [5, [1, 4, 2, 3, 0]],
    [20, [18, 2, 15, 9, 8, 1, 11, 6, 17, 5, 13, 4, 0, 3, 19, 12, 10, 7, 16, 14]],
  ])('seed 11 leaves 0…%d - 1 in numpy’s order', (n, expected) => {
    expect(new Random(11).shuffle(Array.from({ length: n }, (_, i) => i))).toEqual(expected);
  });

  test('a shuffle keeps every item and leaves the array given as it was', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.integer()), (seed, items) => {
        const before = [...items];
        const shuffled = new Random(seed).shuffle(items);
        expect(items).toEqual(before);
        expect([...shuffled].sort()).toEqual([...items].sort());
      }),
    );
  });
});

describe('normal', () => {
  // The mean of 200,000 has a standard error of .0022, the variance one of .0032, a tail share one of .0005.
  test('200,000 normals have mean 0, variance 1 and 5 % beyond ±1.96, within five standard errors', () => {
    const random = new Random(1);
    const drawn = Array.from({ length: 200_000 }, () => random.normal());
    const mean = drawn.reduce((a, b) => a + b, 0) / drawn.length;
    const variance = drawn.reduce((a, b) => a + (b - mean) ** 2, 0) / drawn.length;
    expect(Math.abs(mean)).toBeLessThan(0.011);
    expect(Math.abs(variance - 1)).toBeLessThan(0.016);
    expect(Math.abs(drawn.filter((z) => Math.abs(z) > 1.959964).length / 200_000 - 0.05)).toBeLessThan(
      0.0025,
    );
  });

  test('one normal takes two uniforms', () => {
    const [a, b] = [new Random(4), new Random(4)];
    a.normal();
    b.uniform();
    b.uniform();
    expect(a.uniform()).toBe(b.uniform());
  });
});

describe('randomFrom', () => {
  test('without names it is numpy’s default_rng of the seed', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (seed) => randomFrom(seed).raw() === new Random(seed).raw()));
  });

  test.each([
    [5, ['ab', 'c'], [3310790565509281353n, 14379640524081542980n]], // [5, 0, 2, 2, 'ab', 1, 'c']
    [5, ['a', 'bc'], [6917697786119037573n, 1622622344032664617n]], // [5, 0, 2, 1, 'a', 2, 'bc']
    [20261004, ['schedule'], [14414683888234544633n, 14768835974830968637n]],
    [2 ** 40 + 3, ['β→😀'], [21473892617479147n, 6911965879343858814n]],
  ])('the stream of seed %d and names %j is numpy’s of those entropy words', (seed, names, expected) => {
    expect(raws(randomFrom(seed, ...names), 2)).toEqual(expected);
  });

  test('different lists of names give different streams', () => {
    const names = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.nat(), names, names, (seed, a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(randomFrom(seed, ...a).raw() === randomFrom(seed, ...b).raw()).toBe(isSame);
      }),
    );
  });

  test.each([
    [[], ['']],
    [[''], ['', '']],
    [[''], ['\0']],
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a'], ['a\0']],
  ])('%j and %j give different streams', (a, b) => {
    expect(randomFrom(5, ...a).raw()).not.toBe(randomFrom(5, ...b).raw());
  });

  test.each([[-1], [0.5], [2 ** 53], [Number.NaN]])('seed %d is refused', (seed) => {
    expect(() => randomFrom(seed)).toThrow(RangeError);
  });
});
