import { HostBusy, type HostPolicy, type HostTurn } from '../../db/host-slots';
import { SourceFailure } from './failure';
import type { HttpAnswer, HttpRequest } from './literature-http';
import type { LiteratureContext } from './source';

export interface HostQuestion<T> {
  policy: HostPolicy;
  request: Omit<HttpRequest, 'signal'>;
  /**
   * Reads the answer to its end.
   * @throws SourceFailure; one that is retryable is asked again
   */
  read(answer: HttpAnswer): T;
  via?: 'api' | 'web';
}

/** In all, the first one counted. */
const MAX_ATTEMPTS = 3;
const BACKOFF_MS = 700;
const MAX_RETRY_AFTER_MS = 15_000;
/** Longer, and the turn would come too late for the answer: the caller comes back instead. */
const MAX_WAIT_MS = 12_000;

/**
 * One request to a host, each attempt in a turn of its own that all workers share. A host that fails or asks for quiet
 * (429, `Retry-After`) gets it from every worker, up to 15 s; one that asks for more ends the call.
 * @throws SourceFailure
 */
export async function askHost<T>(context: LiteratureContext, question: HostQuestion<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(context, question);
    } catch (error) {
      if (!(error instanceof SourceFailure) || !error.isRetryable) throw error;
      const quietMs = quietAfter(error, attempt);
      await context.slots.defer(question.policy.host, Math.min(quietMs, MAX_RETRY_AFTER_MS));
      if (attempt >= MAX_ATTEMPTS || quietMs > MAX_RETRY_AFTER_MS) throw error;
    }
  }
}

async function askOnce<T>(context: LiteratureContext, question: HostQuestion<T>): Promise<T> {
  const turn = await takeTurn(context, question.policy);
  try {
    const request = { ...question.request, signal: context.signal };
    const answer = await (question.via === 'web' ? context.http.web(request) : context.http.api(request));
    return question.read(answer);
  } finally {
    await turn.release();
  }
}

async function takeTurn(context: LiteratureContext, policy: HostPolicy): Promise<HostTurn> {
  try {
    return await context.slots.take(policy, { signal: context.signal, maxWaitMs: MAX_WAIT_MS });
  } catch (error) {
    if (!(error instanceof HostBusy)) throw error;
    throw new SourceFailure('host_busy');
  }
}

/** Turns are spread by the slots, so no dice are needed to keep workers apart. */
function quietAfter(failure: SourceFailure, attempt: number): number {
  return failure.details.retryAfterMs ?? BACKOFF_MS * 2 ** (attempt - 1);
}
