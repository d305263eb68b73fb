/** Thrown by a command that was left with Ctrl-C before its end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** @param benchId of the bench that goes on; null when none was started */
  constructor(readonly benchId: string | null) {
    super('interrupted');
  }
}

/** What a shell expects of a process that SIGINT ended: 128 and the signal's number. */
export const INTERRUPTED_EXIT_CODE = 130;

/** Does the work with a signal that Ctrl-C aborts; a second Ctrl-C ends the process at once. */
export async function leaveOnInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED_EXIT_CODE);
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/**
 * Says how to return to a bench that was left, and ends the process as an interrupted one.
 * @param benchId null when none was started
 */
export function sayLeft(benchId: string | null): never {
  const lines = benchId
    ? [
        `left: bench ${benchId} goes on without this command`,
        `  return: co-scientist watch ${benchId}`,
        `  end it: co-scientist cancel ${benchId}`,
      ]
    : ['left: no bench was started'];
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(INTERRUPTED_EXIT_CODE);
}
