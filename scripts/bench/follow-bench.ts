import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { BenchSummary } from '../../core/bench-summary';
import { withUnknownConduct } from '../../core/unkept-conduct';
import type { Database } from '../../db/database';
import { type BenchProgress, readBenchProgress } from '../../db/progress';
import { openProgressScreen, type ProgressScreen } from './progress-screen';
import { WaitingQueues } from './waiting-queues';

export type BenchEnd =
  | { kind: 'finished'; summary: BenchSummary }
  /** The workflow ended without a result, or Temporal cannot be asked any more. */
  | { kind: 'failed'; error: unknown }
  /** The signal told us to leave; the bench goes on. */
  | { kind: 'left' };

interface Followed {
  benchId: string;
  workflowId: string;
}

const LOOK_MS = 500;
/** A look at the rows may take this share of the time: a large bench is looked at less often. */
const LOOK_SHARE = 0.1;
/** Without a sign for so long, the user is told what is missing. */
const SILENCE_MS = 8_000;

/**
 * Shows a bench's progress until its workflow ends. Progress is read from rows, while they are this workflow's; only the
 * end is Temporal's to tell.
 * @param heading said once, before the first of its progress; never, when the workflow was refused the bench
 */
export async function followBench(
  { client, db }: { client: Client; db: Database },
  bench: Followed,
  signal: AbortSignal,
  heading: string | null = null,
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
  setMaxListeners(0, stopAsking.signal); // the client adds one a question, and a bench takes hours
  const waiting = client.withAbortSignal(stopAsking.signal, () =>
    waitForEnd(client, bench.workflowId, stopAsking.signal),
  );
  void waiting.then(stop);
  const silence = new Silence(screen);
  const queues = new WaitingQueues(client, bench.workflowId, (line) => screen.say(line));
  let unsaid = heading;
  const show = (progress: BenchProgress) => {
    if (unsaid !== null) screen.say(unsaid);
    unsaid = null;
    screen.show(progress);
  };
  try {
    while (!end) {
      const lookedAt = performance.now();
      const look = await lookAt(db, bench);
      if (look.kind === 'progress') show(look.progress);
      silence.note(look.kind);
      if (look.kind === 'progress') await queues.look(look.progress.plan);
      const pause = Math.max(LOOK_MS, (performance.now() - lookedAt) / LOOK_SHARE);
      await sleep(pause, undefined, { signal: stopWaiting.signal }).catch(() => undefined);
    }
    const last = end.kind === 'left' ? null : await lookAt(db, bench);
    if (last?.kind === 'progress') show(last.progress);
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
      return { kind: 'finished', summary: withUnknownConduct((await handle.result()) as BenchSummary) };
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

type Look =
  | { kind: 'progress'; progress: BenchProgress }
  /** It has no rows yet, or they are another workflow's: still, or by now. */
  | { kind: 'nothing' }
  /** The database did not answer. That is no end: the next look may succeed, and the bench does not hang on it. */
  | { kind: 'unanswered' };

async function lookAt(db: Database, { benchId, workflowId }: Followed): Promise<Look> {
  try {
    const progress = await readBenchProgress(db, benchId);
    return progress?.workflowId === workflowId ? { kind: 'progress', progress } : { kind: 'nothing' };
  } catch {
    return { kind: 'unanswered' };
  }
}

/** Says once what is missing when looks have shown nothing for a while, and begins anew with the next that does. */
class Silence {
  private since = performance.now();
  private hasSpoken = false;

  constructor(private readonly screen: Pick<ProgressScreen, 'say'>) {}

  note(kind: Look['kind']): void {
    if (kind === 'progress') {
      this.since = performance.now();
      this.hasSpoken = false;
      return;
    }
    if (this.hasSpoken || performance.now() - this.since < SILENCE_MS) return;
    this.hasSpoken = true;
    this.screen.say(
      kind === 'nothing'
        ? 'no worker has taken the bench yet; it waits for one'
        : 'Postgres does not answer; the bench waits for it too',
    );
  }
}
