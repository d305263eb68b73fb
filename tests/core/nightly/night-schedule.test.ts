import fc from 'fast-check';
import { nightSchedule } from '../../../core/nightly/night-schedule';

const size = fc.record({
  candidates: fc.integer({ min: 1, max: 5 }),
  slots: fc.integer({ min: 1, max: 9 }),
  opponents: fc.integer({ min: 1, max: 16 }),
  matches: fc.integer({ min: 1, max: 6 }),
});

describe('the schedule of a night', () => {
  it('is 28 matches a candidate at n 4 against 14 opponents twice, 7 a hypothesis', () => {
    const schedule = nightSchedule({ candidates: 8, slots: 4, opponents: 14, matches: 2 });
    expect(schedule).toHaveLength(8 * 28);
    for (const slot of [1, 2, 3, 4]) {
      const own = schedule.filter((match) => match.candidate === 3 && match.slot === slot);
      expect(new Set(own.map(({ opponent }) => opponent)).size).toBe(7);
    }
  });

  it('lets each candidate meet each opponent `matches` times, and no slot play more than one match more than another', () => {
    fc.assert(
      fc.property(size, (asked) => {
        const schedule = nightSchedule(asked);
        for (let candidate = 0; candidate < asked.candidates; candidate++) {
          const own = schedule.filter((match) => match.candidate === candidate);
          const met = countBy(own.map(({ opponent }) => opponent));
          expect([...met.values()]).toEqual(Array(asked.opponents).fill(asked.matches));
          const played = Array.from(
            { length: asked.slots },
            (_, i) => own.filter((match) => match.slot === i + 1).length,
          );
          expect(Math.max(...played) - Math.min(...played)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('repeats no pairing while there is one left that has not been played', () => {
    fc.assert(
      fc.property(size, (asked) => {
        const own = nightSchedule(asked).filter(({ candidate }) => candidate === 0);
        const pairings = countBy(own.map(({ slot, opponent }) => `${slot} ${opponent}`));
        const most = Math.ceil((asked.opponents * asked.matches) / (asked.opponents * asked.slots));
        expect(Math.max(...pairings.values())).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('cut short anywhere leaves its candidates equally played, give or take one match', () => {
    fc.assert(
      fc.property(size, fc.nat(), (asked, cut) => {
        const schedule = nightSchedule(asked);
        const played = schedule.slice(0, cut % (schedule.length + 1));
        const counts = Array.from(
          { length: asked.candidates },
          (_, i) => played.filter(({ candidate }) => candidate === i).length,
        );
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

function countBy<T>(items: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
