import type { WorkflowHandle } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { readCalls } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import { type HoldingDouble, newBenchId } from './held-calls';
import { until } from './until';

/** What tests need that steer benches while they run. */
export interface Wheel {
  worker: BenchWorker;
  double: HoldingDouble;
}

/** A bench that was brought to a halt in the middle: some of its calls are in flight and stay so. */
export interface HeldBench {
  id: string;
  handle: WorkflowHandle;
}

/**
 * Starts a bench and waits until it comes no further.
 * @param held keys, without the bench's id, of the calls that get no answer
 * @param inFlight how many of them there will be
 */
export async function startHeldBench(
  { worker, double }: Wheel,
  input: BenchInput,
  held: RegExp,
  inFlight: number,
): Promise<HeldBench> {
  const id = newBenchId();
  double.hold(id, held);
  const handle = await worker.start(input, `bench-${id}`);
  await until(`${inFlight} calls like ${held} are in flight and no others`, async () => {
    const out = (await readCalls(worker.db, id)).filter(({ state }) => state === 'sent');
    return out.length === inFlight && out.every(({ key }) => held.test(key.slice(id.length + 1)));
  });
  return { id, handle };
}

export async function readRun({ worker }: Wheel, benchId: string) {
  const run = worker.db.selectFrom('bench_runs').selectAll().where('id', '=', benchId);
  return run.executeTakeFirstOrThrow();
}

export async function untilState(wheel: Wheel, benchId: string, ...states: string[]): Promise<void> {
  await until(`${benchId} is ${states.join(' or ')}`, async () =>
    states.includes((await readRun(wheel, benchId)).state),
  );
}

/** Waits until none of a bench's calls is out. */
export async function untilLanded({ worker }: Wheel, benchId: string): Promise<void> {
  await until(`${benchId} has no call in flight`, async () => {
    return (await readCalls(worker.db, benchId)).every(({ state }) => state !== 'sent');
  });
}

/** @throws what the bench failed with */
export function resultOf({ handle }: HeldBench): Promise<BenchSummary> {
  return handle.result();
}
