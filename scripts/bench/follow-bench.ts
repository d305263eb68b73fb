import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { BenchSummary } from '../../core/bench-summary';
import type { Database } from '../../db/database';
import { type BenchProgress, readBenchProgress } from '../../db/progress';
import { openProgressScreen } from './progress-screen';

export type BenchEnd =
  | { kind: 'finished'; summary: BenchSummary }
  /** The workflow ended without a result, or Temporal cannot be asked any more. */
  | { kind: 'failed'; error: unknown }
  /** The signal told us to leave; the bench goes on. */
  | { kind: 'left' };

const LOOK_MS = 500;
/** A look at the rows may take this share of the time: a large bench is looked at less often. */
const LOOK_SHARE = 0.1;
const UNTAKEN_MS = 8_000;

/** Shows a bench's progress until its workflow ends. Progress is read from rows; only the end is Temporal's to tell. */
export async function followBench(
  { client, db }: { client: Client; db: Database },
  { benchId, workflowId }: { benchId: string; workflowId: string },
  signal: AbortSignal,
): Promise<BenchEnd> {
  const screen = openProgressScreen();
  const stopWaiting = new AbortController();
  let end: BenchEnd | undefined;
  const stop = (why: BenchEnd) => {
    end ??= why;
    stopWaiting.abort();
  };
  signal.addEventListener('abort', () => stop({ kind: 'left' }), { once: true });
  if (signal.aborted) stop({ kind: 'left' });
  // Ended with us: a question still under way when its connection closes would end the process.
  const stopAsking = new AbortController();
  const waiting = client.withAbortSignal(stopAsking.signal, () =>
    waitForEnd(client, workflowId, stopAsking.signal),
  );
  void waiting.then(stop);
  const startedAt = performance.now();
  let hasSaidUntaken = false;
  try {
    while (!end) {
      const lookedAt = performance.now();
      const progress = await readIfPossible(db, benchId);
      if (progress) screen.show(progress);
      else if (!hasSaidUntaken && lookedAt - startedAt > UNTAKEN_MS) {
        screen.say('no worker has taken the bench yet; it waits for one');
        hasSaidUntaken = true;
      }
      const pause = Math.max(LOOK_MS, (performance.now() - lookedAt) / LOOK_SHARE);
      await sleep(pause, undefined, { signal: stopWaiting.signal }).catch(() => undefined);
    }
    const last = end.kind === 'left' ? undefined : await readIfPossible(db, benchId);
    if (last) screen.show(last);
    return end;
  } finally {
    screen.close();
    stopAsking.abort();
    await waiting;
  }
}

/** A reset ends the run that was waited for and begins another: then that one is waited for. */
async function waitForEnd(client: Client, workflowId: string, signal: AbortSignal): Promise<BenchEnd> {
  for (;;) {
    const handle = client.workflow.getHandle(workflowId);
    try {
      return { kind: 'finished', summary: (await handle.result()) as BenchSummary };
    } catch (error) {
      if (signal.aborted) return { kind: 'left' };
      const status = await handle.describe().then(
        (description) => description.status.name,
        () => 'UNKNOWN',
      );
      if (status !== 'RUNNING') return { kind: 'failed', error };
      await sleep(LOOK_MS);
    }
  }
}

/** A look that fails is no end: the next one may succeed, and the workflow does not hang on it. */
async function readIfPossible(db: Database, benchId: string): Promise<BenchProgress | undefined> {
  return readBenchProgress(db, benchId).catch(() => undefined);
}
