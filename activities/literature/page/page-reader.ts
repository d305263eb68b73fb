import { join } from 'node:path';
import Piscina from 'piscina';
import { SourceFailure } from '../failure';
import type { PageJob, PageReading } from './page-reading';
import type { RobotsQuestion } from './robots-rules';

/** Reads what strangers wrote in threads of their own, so that none of it can hang or swell the worker. */
export interface PageReader {
  /**
   * @throws SourceFailure when the page could not be read within its limits; the signal's reason when it is aborted
   */
  read(job: PageJob, signal: AbortSignal): Promise<PageReading>;
  /** Whether a site's rules allow an address. @throws as `read` */
  isAllowed(question: RobotsQuestion, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Threads start on need and end when idle. */
export function createPageReader(limits: Partial<ReaderLimits> = {}): PageReader {
  const { timeoutMs, heapMb, threads } = { ...LIMITS, ...limits };
  const pool = new Piscina({
    filename: join(__dirname, 'page-worker.cjs'),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 10_000,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  return {
    read: (job, signal) => runWithin<PageReading>(pool, 'readPage', job, signal, timeoutMs),
    isAllowed: (question, signal) => runWithin<boolean>(pool, 'isAllowedBy', question, signal, timeoutMs),
    close: () => pool.destroy(),
  };
}

interface ReaderLimits {
  timeoutMs: number;
  heapMb: number;
  threads: number;
}

const LIMITS: ReaderLimits = { timeoutMs: 12_000, heapMb: 256, threads: 2 };

async function runWithin<T>(
  pool: Piscina,
  name: string,
  job: unknown,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    // Aborting ends the thread that runs the job.
    return (await pool.run(job, { name, signal: AbortSignal.any([signal, limit]) })) as T;
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted)
      throw new SourceFailure('timeout', 'Reading the page took too long.', { isRetryable: false });
    throw new SourceFailure('unreadable', readingProblem(error), { isRetryable: false });
  }
}

function readingProblem(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'Reading the page took too much memory.'
    : 'The page broke its reader.';
}
