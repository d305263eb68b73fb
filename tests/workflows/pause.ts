import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSummary } from '../../core/bench-summary';
import { readBenchRows, readCalls } from './bench-rows';
import { HELD_INPUT, newBenchId } from './held-calls';
import { readRun, resultOf, startHeldBench, untilLanded, untilState, type Wheel } from './steered-bench';
import { until } from './until';

/** No call takes so long here: what does not begin in this time waits. */
const QUIET_MS = 700;

const countCalls = async ({ worker }: Wheel, id: string) => (await readCalls(worker.db, id)).length;

/** Pauses, and what begins meanwhile: nothing. */
export function testPauses(shared: () => Wheel): void {
  let wheel: Wheel;
  let undisturbed: Promise<BenchSummary>;
  beforeAll(async () => {
    wheel = shared();
    undisturbed = wheel.worker.run(HELD_INPUT);
  });

  test.concurrent.each([
    // 2 slots of 2 candidates; then 16 verdicts wait.
    ['generating', /\/turn\//, 4, 4],
    // 4 texts and 4 verdicts are in, 2 in flight.
    ['judging', /^m[2-7]\//, 2, 10],
  ])(
    'paused while %s, a bench begins nothing, shows as paused, and goes on as if nothing had happened',
    async (_, held, inFlight, begun) => {
      const bench = await startHeldBench(wheel, HELD_INPUT, held, inFlight);
      await bench.handle.signal('pause');
      await untilState(wheel, bench.id, 'paused');
      wheel.double.letGo(bench.id);
      await untilLanded(wheel, bench.id);
      await sleep(QUIET_MS);
      expect(await countCalls(wheel, bench.id)).toBe(begun);
      expect(await readRun(wheel, bench.id)).toMatchObject({ state: 'paused', finished_at: null });
      await bench.handle.signal('unpause');
      await untilState(wheel, bench.id, 'running', 'finished');
      const [summary, expected] = [await resultOf(bench), await undisturbed];
      expect(await readBenchRows(wheel.worker.db, summary.benchId)).toEqual(
        await readBenchRows(wheel.worker.db, expected.benchId),
      );
    },
  );

  test.concurrent('paused before its first step, a bench makes 0 calls, not even a probe, until unpaused', async () => {
    const { client, temporal } = wheel.worker;
    const id = newBenchId();
    const handle = await client.workflow.signalWithStart('bench', {
      taskQueue: temporal.taskQueue,
      workflowId: `bench-${id}`,
      args: [{ ...HELD_INPUT, probe: true }],
      signal: 'pause',
    });
    await until('it has rows', () =>
      readRun(wheel, id).then(
        () => true,
        () => false,
      ),
    );
    await untilState(wheel, id, 'paused');
    await sleep(QUIET_MS);
    expect(await countCalls(wheel, id)).toBe(0);
    await handle.signal('unpause');
    expect(await handle.result()).toMatchObject({ status: 'finished' });
  });

  test.concurrent('of pause and unpause sent in a row the last one counts: 9 signals that end in pause leave it paused', async () => {
    const bench = await startHeldBench(wheel, HELD_INPUT, /\/turn\//, 4);
    for (let i = 0; i < 9; i += 1) await bench.handle.signal(i % 2 === 0 ? 'pause' : 'unpause');
    wheel.double.letGo(bench.id);
    await untilLanded(wheel, bench.id);
    await untilState(wheel, bench.id, 'paused');
    await sleep(QUIET_MS);
    expect(await countCalls(wheel, bench.id)).toBe(4);
    expect((await readRun(wheel, bench.id)).state).toBe('paused');
    expect(await bench.handle.query('progress')).toMatchObject({ isPaused: true });
    await bench.handle.signal('unpause');
    expect(await resultOf(bench)).toMatchObject({ status: 'finished' });
  });
}
