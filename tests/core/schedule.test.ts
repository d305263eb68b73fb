import fc from 'fast-check';
import { buildSchedule, type ScheduledMatch, type ScheduleSize } from '../../core/schedule';

const sizes: fc.Arbitrary<ScheduleSize> = fc.record({
  candidates: fc.integer({ min: 2, max: 9 }),
  slots: fc.integer({ min: 1, max: 9 }),
  matches: fc.integer({ min: 0, max: 25 }),
  seed: fc.maxSafeNat(),
});

const pairKey = (m: ScheduledMatch) => [m.candA, m.candB].sort((x, y) => x - y).join('-');

/** Both sides of a match: candidate, slot, opponent and role. */
const sides = (m: ScheduledMatch) => [
  { cand: m.candA, slot: m.slotA, opponent: m.candB, role: 'a' },
  { cand: m.candB, slot: m.slotB, opponent: m.candA, role: 'b' },
];

function countBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

/** Most plays less fewest, over all the keys there should be. */
function spread(counts: Map<string, number>, keys: readonly string[]): number {
  const values = keys.map((key) => counts.get(key) ?? 0);
  return Math.max(...values) - Math.min(...values);
}

const slotNames = (slots: number) => Array.from({ length: slots }, (_, i) => `${i + 1}`);

test('8 candidates with 2 matches a pair play 56 matches, as the heaviest recorded bench did', () => {
  expect(buildSchedule({ candidates: 8, slots: 4, matches: 2, seed: 20261004 })).toHaveLength(56);
});

test('no matches make an empty schedule', () => {
  expect(buildSchedule({ candidates: 8, slots: 4, matches: 0, seed: 1 })).toEqual([]);
});

test('every pair of candidates plays `matches` times, indices run from 0 and slots from 1', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const schedule = buildSchedule(size);
      const pairs = (size.candidates * (size.candidates - 1)) / 2;
      const counts = countBy(schedule, pairKey);
      expect(schedule).toHaveLength(pairs * size.matches);
      if (size.matches > 0) expect([...counts.values()]).toEqual(Array(pairs).fill(size.matches));
      expect(schedule.map((match) => match.index)).toEqual(schedule.map((_, i) => i));
      expect(schedule.every((match) => match.candA !== match.candB)).toBe(true);
      const isPlanned = (cand: number, slot: number) =>
        cand >= 0 && cand < size.candidates && slot >= 1 && slot <= size.slots;
      expect(schedule.flatMap(sides).every(({ cand, slot }) => isPlanned(cand, slot))).toBe(true);
    }),
  );
});

test('the slots of a candidate play equally often, ±1, overall and against each opponent', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const played = buildSchedule(size).flatMap(sides);
      for (let cand = 0; cand < size.candidates; cand++) {
        const own = played.filter((side) => side.cand === cand);
        expect(
          spread(
            countBy(own, (side) => `${side.slot}`),
            slotNames(size.slots),
          ),
        ).toBeLessThanOrEqual(1);
        for (let opponent = 0; opponent < size.candidates; opponent++) {
          if (opponent === cand) continue;
          const against = own.filter((side) => side.opponent === opponent);
          expect(
            spread(
              countBy(against, (side) => `${side.slot}`),
              slotNames(size.slots),
            ),
          ).toBeLessThanOrEqual(1);
        }
      }
    }),
  );
});

test('two slots meet again only when all n² pairings of their candidates have been played', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const pairing = (m: ScheduledMatch) =>
        m.candA < m.candB ? `${pairKey(m)}:${m.slotA}-${m.slotB}` : `${pairKey(m)}:${m.slotB}-${m.slotA}`;
      const most = Math.max(0, ...countBy(buildSchedule(size), pairing).values());
      expect(most).toBeLessThanOrEqual(Math.ceil(size.matches / size.slots ** 2));
    }),
  );
});

test('a candidate is `a` as often as `b`, ±1, overall and within each pair', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const played = buildSchedule(size).flatMap(sides);
      for (let cand = 0; cand < size.candidates; cand++) {
        const own = played.filter((side) => side.cand === cand);
        expect(
          spread(
            countBy(own, (side) => side.role),
            ['a', 'b'],
          ),
        ).toBeLessThanOrEqual(1);
        for (const opponent of new Set(own.map((side) => side.opponent))) {
          const against = own.filter((side) => side.opponent === opponent);
          expect(
            spread(
              countBy(against, (side) => side.role),
              ['a', 'b'],
            ),
          ).toBeLessThanOrEqual(1);
        }
      }
    }),
  );
});

test('cut short anywhere, all pairs have played equally often, ±1', () => {
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (size, share) => {
      const schedule = buildSchedule(size);
      const played = countBy(schedule.slice(0, Math.floor(schedule.length * share)), pairKey);
      if (schedule.length > 0) {
        expect(spread(played, [...new Set(schedule.map(pairKey))])).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('the same seed gives the same schedule, another seed another', () => {
  const size = { candidates: 8, slots: 4, matches: 2, seed: 1 };
  expect(buildSchedule(size)).toEqual(buildSchedule(size));
  expect(buildSchedule({ ...size, seed: 2 })).not.toEqual(buildSchedule(size));
});

test('over 2000 seeds each of 4 slots opens a pair’s first match a quarter of the time, within five standard errors', () => {
  const counts = [0, 0, 0, 0];
  for (let seed = 0; seed < 2000; seed++) {
    const first = buildSchedule({ candidates: 2, slots: 4, matches: 3, seed })[0]!;
    counts[first.slotA - 1]! += 1;
  }
  // Standard error of a count: √(2000 · ¼ · ¾) = 19.4.
  for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(97);
});

test('20 candidates with 1000 slots and 1000 matches a pair make 190,000 matches', () => {
  expect(buildSchedule({ candidates: 20, slots: 1000, matches: 1000, seed: 3 })).toHaveLength(190_000);
});
