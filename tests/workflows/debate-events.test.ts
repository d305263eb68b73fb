import fc from 'fast-check';
import { debateEvents, debatesInFlight, EVENTS_PER_ACTIVITY } from '../../workflows/debate-events';
import { readHistories } from '../histories/recorded-history';

/** As the server has it by default: limit.historyCount.suggestContinueAsNew. */
const SUGGESTED_AT = 4_096;

test('in every recorded tournament an activity adds 3 events and no more than one workflow task of 3: at most 6', () => {
  const tournaments = readHistories().filter(({ name }) => name.includes('-tournament'));
  const counted = tournaments.map(({ name, history }) => {
    const count = (type: string) =>
      history.events.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`).length;
    const ends = ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELED'].map((end) => count(`ACTIVITY_TASK_${end}`));
    const activities = count('ACTIVITY_TASK_SCHEDULED');
    // Each activity ends once. The start, a signal, a cancellation and a task that failed call for one more task each.
    const others =
      1 +
      ['EXECUTION_SIGNALED', 'EXECUTION_CANCEL_REQUESTED', 'TASK_FAILED'].reduce(
        (n, event) => n + count(`WORKFLOW_${event}`),
        0,
      );
    expect([name, ends.reduce((sum, n) => sum + n, 0)]).toEqual([name, count('ACTIVITY_TASK_STARTED')]);
    expect([name, count('WORKFLOW_TASK_COMPLETED') <= activities + others]).toEqual([name, true]);
    return { name, activities, events: history.events.length, tasks: count('WORKFLOW_TASK_COMPLETED') };
  });
  // Counted by hand: 16 arguments, 4 verdicts and 3 steps on rows, 17 workflow tasks, and the two ends of the run.
  const debated = counted.find(({ name }) => name === 'debated-tournament')!;
  expect(debated).toEqual({ name: debated.name, activities: 23, tasks: 17, events: 3 * 23 + 3 * 17 + 2 });
  expect(EVENTS_PER_ACTIVITY).toBe(3 + 3);
});

test.each([
  // (4,000 − 500) ÷ (6 × 13) is 44, less the 2 of the match at hand
  [{ argumentTurns: 12, judges: 1 }, 100, 42],
  [{ argumentTurns: 12, judges: 1 }, 50, 42],
  [{ argumentTurns: 12, judges: 3 }, 50, 38],
  [{ argumentTurns: 12, judges: 1 }, 8, 8],
  [{ argumentTurns: 4, judges: 1 }, 50, 50],
  [{ argumentTurns: 4, judges: 1 }, 100, 100], // 3,500 ÷ 30 is 116, less 2
])('of debates of the size %j, %i asked for, %i are in flight', (size, asked, inFlight) => {
  expect(debatesInFlight(size, asked)).toBe(inFlight);
});

test('whatever the debates, a run that begins nothing more once its history is full ends below 4,096 events', () => {
  const sizes = fc.record({
    argumentTurns: fc.integer({ min: 1, max: 6 }).map((turns) => 2 * turns),
    judges: fc.integer({ min: 1, max: 10 }),
  });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 100 }), (size, asked) => {
      const inFlight = debatesInFlight(size, asked);
      // As `isHistoryFull` has it: below this many events one more match is begun.
      const fullAt = Math.max(3_500 - debateEvents(size, inFlight), 500);
      const toEnd = inFlight + 2 * size.judges;
      return (
        inFlight >= 1 &&
        inFlight <= asked &&
        fullAt + toEnd * (size.argumentTurns + 1) * EVENTS_PER_ACTIVITY < SUGGESTED_AT
      );
    }),
  );
});
