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

test.each(['notFound', 'timedOut', 'cancelRequested'] as const)(
  'one that is %s hears that the worker has ended all the same',
  async (what) => {
    const environment = new MockActivityEnvironment();
    const [worker, leftOver] = [new AbortController(), new AbortController()];
    const aborted = await environment.run(async () => {
      environment.cancel('CANCELLED', new ActivityCancellationDetails({ [what]: true }));
      const limits = { leaseMs: 60_000, graceMs: 60_000 };
      const flight = startFlight(limits, async () => {}, worker.signal);
      const over = startFlight(limits, async () => {}, leftOver.signal);
      over.end();
      const before = flight.signal.aborted;
      worker.abort();
      leftOver.abort();
      const late = startFlight(limits, async () => {}, worker.signal);
      const all = {
        before,
        after: flight.signal.aborted,
        ended: over.signal.aborted,
        late: late.signal.aborted,
      };
      flight.end();
      late.end();
      return all;
    });
    expect(aborted).toEqual({ before: false, after: true, ended: false, late: true });
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
