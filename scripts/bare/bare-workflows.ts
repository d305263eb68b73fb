import { condition, executeChild, proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './bare-worker';

const { noop, wait } = proxyActivities<BareActivities>({ startToCloseTimeout: '1 minute' });

/** So many activities that do nothing, a window of them in flight. */
export async function noops(count: number, window: number): Promise<void> {
  await sideBySide(count, window, noop);
}

/** Wave after wave of activities that only wait, a window of them in flight. */
export async function waits(waves: readonly number[], window: number, latencyMs: number): Promise<void> {
  for (const count of waves) await sideBySide(count, window, () => wait(latencyMs));
}

/** Slots side by side, each a child workflow. */
export async function talks(slots: number, callsOfTurn: readonly number[], latencyMs: number): Promise<void> {
  await Promise.all(
    Array.from({ length: slots }, () => executeChild(talk, { args: [callsOfTurn, latencyMs] })),
  );
}

/** A turn after the other: its model waits, its tools do nothing. */
export async function talk(callsOfTurn: readonly number[], latencyMs: number): Promise<void> {
  for (const calls of callsOfTurn) {
    await wait(latencyMs);
    await Promise.all(Array.from({ length: calls }, noop));
  }
}

async function sideBySide(count: number, window: number, task: () => Promise<void>): Promise<void> {
  let inFlight = 0;
  for (let i = 0; i < count; i += 1) {
    await condition(() => inFlight < window);
    inFlight += 1;
    void task().finally(() => {
      inFlight -= 1;
    });
  }
  await condition(() => inFlight === 0);
}
