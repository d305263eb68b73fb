import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { type Flight, startFlight } from '../../activities/flight';

const GRACE_MS = 40;

/** A flight in an activity that is told something meanwhile; whether it was aborted at once, and whether later. */
async function flightTold(
  details: ConstructorParameters<typeof ActivityCancellationDetails>[0],
  isBefore = false,
) {
  const environment = new MockActivityEnvironment();
  const tell = () => environment.cancel('CANCELLED', new ActivityCancellationDetails(details));
  return environment.run(async () => {
    if (isBefore) tell();
    const flight: Flight = startFlight({ leaseMs: 60_000, graceMs: GRACE_MS }, async () => {});
    if (!isBefore) tell();
    const atOnce = flight.signal.aborted;
    await new Promise((resolve) => setTimeout(resolve, 4 * GRACE_MS));
    const later = flight.signal.aborted;
    flight.end();
    return { atOnce, later };
  });
}

test.each([false, true])(
  'a cancellation that was asked for aborts after the grace, not at once (asked before: %s)',
  async (isBefore) => {
    expect(await flightTold({ cancelRequested: true }, isBefore)).toEqual({ atOnce: false, later: true });
  },
);

test('a worker whose own grace has ended aborts at once', async () => {
  expect(await flightTold({ workerShutdown: true })).toEqual({ atOnce: true, later: true });
});

test.each(['paused', 'reset', 'timedOut', 'notFound'] as const)(
  'an activity that is %s never aborts its request: the answer is on its way and paid for',
  async (what) => {
    expect(await flightTold({ [what]: true })).toEqual({ atOnce: false, later: false });
  },
);

test('the lease is renewed three times in its length, and not after the end', async () => {
  const beats: number[] = [];
  const counted = await new MockActivityEnvironment().run(async () => {
    const flight = startFlight({ leaseMs: 60, graceMs: 1 }, async () => {
      beats.push(Date.now());
      throw new Error('Postgres is away');
    });
    while (beats.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    flight.end();
    const n = beats.length;
    await new Promise((resolve) => setTimeout(resolve, 80));
    return n;
  });
  expect(counted).toBe(beats.length);
});
