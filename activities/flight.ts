import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';

/** A request that is out: its abort signal, and the beat that says it is alive. */
export interface Flight {
  /**
   * Aborts `graceMs` after somebody asked for a cancellation, and at once when the worker's own grace has ended. Never
   * because the server has lost sight of the activity (a pause, a reset, a time-out, a restart): the answer is on its
   * way and paid for.
   */
  signal: AbortSignal;
  end(): void;
}

/**
 * @param beat called at a third of `leaseMs`; its failures are ignored: a lease that cannot be renewed ends by itself.
 *   (The activity's own heartbeats are the worker's business.)
 * @param stopped aborted when the worker's grace has ended: an activity that the server has lost sight of before is not
 *   told of that any more
 */
export function startFlight(
  { leaseMs, graceMs }: { leaseMs: number; graceMs: number },
  beat: () => Promise<void>,
  stopped?: AbortSignal,
): Flight {
  const context = Context.current();
  const abort = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const beats = setInterval(() => {
    beat().catch(() => {});
  }, leaseMs / 3);
  const onCancel = (): void => {
    const details = context.cancellationDetails;
    if (details?.workerShutdown) abort.abort(context.cancellationSignal.reason);
    else if (details?.cancelRequested) {
      grace = setTimeout(() => abort.abort(context.cancellationSignal.reason), graceMs);
    }
  };
  const onStop = (): void => abort.abort(new CancelledFailure('WORKER_SHUTDOWN'));
  if (stopped?.aborted) onStop();
  else stopped?.addEventListener('abort', onStop, { once: true });
  if (context.cancellationSignal.aborted) onCancel();
  else context.cancellationSignal.addEventListener('abort', onCancel, { once: true });
  return {
    signal: abort.signal,
    end: () => {
      clearInterval(beats);
      clearTimeout(grace);
      context.cancellationSignal.removeEventListener('abort', onCancel);
      stopped?.removeEventListener('abort', onStop);
    },
  };
}
