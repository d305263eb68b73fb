import fc from 'fast-check';
import { askedVerdicts } from '../../core/asked-verdicts';
import type { BenchPlan } from '../../core/bench-plan';
import { type BenchMatch, scheduleBench } from '../../core/bench-schedule';
import { plannedVerdicts } from '../../core/planned-verdicts';
import { buildSchedule } from '../../core/schedule';

const plans = fc.record({
  candidates: fc.integer({ min: 2, max: 7 }),
  n: fc.integer({ min: 1, max: 6 }),
  matches: fc.integer({ min: 1, max: 12 }),
  seed: fc.maxSafeNat(),
});

const plain = { orders: 'both', repeatShare: 0 } as const;
const shownFirst = (match: BenchMatch) => (match.oneOrder === 'ab' ? match.candA : match.candB);

function countBy<T>(items: readonly T[], key: (item: T) => string): number[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return [...counts.values()];
}

test('by default it is the schedule of old, in both orders and with nothing repeated', () => {
  fc.assert(
    fc.property(plans, ({ candidates, ...size }) => {
      const { n: slots, matches, seed } = size;
      expect(scheduleBench({ ...size, ...plain }, candidates)).toEqual(
        buildSchedule({ candidates, slots, matches, seed }).map((match) => ({
          ...match,
          oneOrder: null,
          repeats: 0,
        })),
      );
    }),
    { numRuns: 30 },
  );
});

describe('balanced', () => {
  test('inside a pair the orders alternate, the sides stay, and each is shown first equally often (±1)', () => {
    fc.assert(
      fc.property(plans, ({ candidates, ...size }) => {
        const schedule = scheduleBench({ ...size, ...plain, orders: 'balanced' }, candidates);
        const pairs = new Map<string, BenchMatch[]>();
        for (const match of schedule) {
          const key = [match.candA, match.candB].sort((x, y) => x - y).join('-');
          pairs.set(key, [...(pairs.get(key) ?? []), match]);
        }
        for (const own of pairs.values()) {
          own.forEach(({ oneOrder, candA }, i) => {
            expect([oneOrder, candA]).toEqual([i % 2 === 0 ? 'ab' : 'ba', own[0]!.candA]);
          });
          const counts = own[0] ? own.filter((match) => shownFirst(match) === own[0]!.candA).length : 0;
          expect(Math.abs(2 * counts - own.length)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('of an even number of matches every candidate is shown first in exactly half of its', () => {
    const schedule = scheduleBench({ n: 3, matches: 4, seed: 5, ...plain, orders: 'balanced' }, 6);
    // 5 opponents × 4 matches, half of them.
    expect(countBy(schedule, (match) => String(shownFirst(match)))).toEqual(Array(6).fill(10));
  });

  test('who plays whom is the same as in both orders', () => {
    const size = { n: 4, matches: 5, seed: 11 };
    const texts = (schedule: BenchMatch[]) =>
      schedule.map((m) => [`${m.candA}/${m.slotA}`, `${m.candB}/${m.slotB}`].sort().join(' '));
    expect(texts(scheduleBench({ ...size, ...plain, orders: 'balanced' }, 5))).toEqual(
      texts(scheduleBench({ ...size, ...plain }, 5)),
    );
  });

  test('another seed lets another of two candidates begin: over 40 seeds each does at least 10 times', () => {
    const begins = Array.from({ length: 40 }, (_, seed) =>
      String(shownFirst(scheduleBench({ n: 1, matches: 1, seed, ...plain, orders: 'balanced' }, 2)[0]!)),
    );
    expect(Math.min(...countBy(begins, (who) => who))).toBeGreaterThanOrEqual(10);
  });
});

describe('repeats', () => {
  test('are as many as the plan says beforehand: of 24 matches in 2 runs, share .3 and any seed, 7 or 8', () => {
    const judges = [{}, {}] as BenchPlan['judges'];
    const counts = Array.from({ length: 30 }, (_, seed) => {
      const plan = { n: 2, matches: 4, replicates: 2, seed, orders: 'both', repeatShare: 0.3 } as const;
      const asked = scheduleBench(plan, 3).filter(({ repeats }) => repeats === 1).length;
      const candidates = [{}, {}, {}] as BenchPlan['candidates'];
      // 2 judges, each in 2 orders.
      expect(plannedVerdicts({ ...plan, candidates, judges }).repeats).toBe(4 * asked);
      return asked;
    });
    expect(new Set(counts)).toEqual(new Set([7, 8]));
  });

  test('are the share of the matches, ±1, and over any stretch of the schedule too', () => {
    fc.assert(
      fc.property(plans, fc.double({ min: 0, max: 1, noNaN: true }), ({ candidates, ...size }, share) => {
        const schedule = scheduleBench({ ...size, ...plain, repeatShare: share }, candidates);
        let repeated = 0;
        schedule.forEach(({ repeats }, i) => {
          repeated += repeats;
          expect([0, 1]).toContain(repeats);
          expect(Math.abs(repeated - (i + 1) * share)).toBeLessThanOrEqual(1);
        });
      }),
      { numRuns: 50 },
    );
  });

  test('of share 1 are all, of ¼ of 28 matches 7, drawn from the seed', () => {
    const of = (repeatShare: number, seed = 1) =>
      scheduleBench({ n: 4, matches: 1, seed, ...plain, repeatShare }, 8).map(({ repeats }) => repeats);
    expect(of(1)).toEqual(Array(28).fill(1));
    expect(of(0.25).filter((repeats) => repeats === 1)).toHaveLength(7);
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => of(0.25, seed).join(''))).size).toBeGreaterThan(1);
  });
});

test('a judge is asked ab then ba; of one order, the judges of a panel take turns', () => {
  expect(askedVerdicts(2, null)).toEqual([
    { judge: 0, order: 'ab' },
    { judge: 0, order: 'ba' },
    { judge: 1, order: 'ab' },
    { judge: 1, order: 'ba' },
  ]);
  expect(askedVerdicts(3, 'ba').map(({ order }) => order)).toEqual(['ba', 'ab', 'ba']);
});

describe('replicates', () => {
  const size = { n: 2, matches: 4, seed: 3, ...plain };

  test('3 runs are three schedules one after the other, over slots 1–2, 3–4 and 5–6, the first as without replicates', () => {
    const schedule = scheduleBench({ ...size, replicates: 3 }, 4);
    expect(schedule).toHaveLength(3 * 24);
    expect(schedule.map(({ index }) => index)).toEqual(schedule.map((_, i) => i));
    schedule.forEach(({ slotA, slotB, index }) => {
      const run = Math.floor(index / 24);
      for (const slot of [slotA, slotB]) expect([2 * run + 1, 2 * run + 2]).toContain(slot);
    });
    expect(schedule.slice(0, 24)).toEqual(scheduleBench(size, 4));
  });

  test('no two of 4 runs are shuffled alike', () => {
    const schedule = scheduleBench({ ...size, replicates: 4 }, 4);
    const runs = [0, 1, 2, 3].map((run) =>
      schedule
        .slice(24 * run, 24 * (run + 1))
        .map(({ candA, candB, slotA, slotB }) => [candA, candB, slotA % 2, slotB % 2].join())
        .join(' '),
    );
    expect(new Set(runs).size).toBe(4);
  });
});
