import { condition, proxyActivities } from '@temporalio/workflow';

const { noop } = proxyActivities<{ noop(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

/** So many activities that do nothing, a window of them in flight. */
export async function noops(count: number, window: number): Promise<void> {
  let inFlight = 0;
  for (let i = 0; i < count; i += 1) {
    await condition(() => inFlight < window);
    inFlight += 1;
    void noop().finally(() => {
      inFlight -= 1;
    });
  }
  await condition(() => inFlight === 0);
}
