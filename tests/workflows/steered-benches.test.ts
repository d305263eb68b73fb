import { DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import { startBenchWorker } from './bench-worker';
import { testCancellations } from './cancel';
import { testEarlyUpdates } from './early-updates';
import { startHoldingDouble } from './held-calls';
import { testPauses } from './pause';
import { testResets, testResetsAtRest } from './reset';
import type { Wheel } from './steered-bench';

let wheel: Wheel;
beforeAll(async () => {
  const double = await startHoldingDouble();
  const calls = { ...DEFAULT_CALL_LIMITS, leaseMs: 3_000, graceMs: 5_000 };
  wheel = { double, worker: await startBenchWorker({ calls }, double.env) };
});
afterAll(async () => {
  await wheel.worker.close();
  await wheel.double.stop();
});

testPauses(() => wheel);
testCancellations(() => wheel);
testEarlyUpdates(() => wheel);
testResets(() => wheel);
testResetsAtRest(() => wheel);
