import { createHash } from 'node:crypto';
import { CancelledFailure } from '@temporalio/common';
import { backOff } from 'exponential-backoff';
import { configure } from 'safe-stable-stringify';
import type { PlannedModel } from '../core/bench-plan';
import type { CallKind } from '../core/bench-states';
import { BoundedMap } from '../core/bounded-map';
import { BrokenInvariant } from '../core/broken-invariant';
import type { CallEvent } from '../core/call-event';
import { CALL_FAILURES, type CallFailure, type Completion } from '../core/completion';
import { callBoundUsd, computeCostUsd } from '../core/prices';
import { retryDelay } from '../core/retry-delay';
import { BenchTakenOver } from '../db/benches';
import { isFaultOfOurs } from '../db/fault-of-ours';
import { failCall, renewLease, settleCall } from '../db/ledger';
import { admitCall, admitFirst } from '../db/ledger-admission';
import { readAnswers, readStanding } from '../db/ledger-reads';
import type { Admission, CallIntent, SentCall } from '../db/ledger-records';
import { CallUnbookable } from '../db/ledger-rewrite';
import type { ActivityDeps, BenchRef } from './activity-deps';
import {
  benchEnded,
  benchTakenOver,
  budgetExceeded,
  callUnbookable,
  providerMissing,
  tryLater,
} from './failures';
import { startFlight } from './flight';
import {
  type CompletionRequest,
  type Provider,
  ProviderFailure,
  type WireAnswer,
  type WireBody,
} from './providers/provider';

export interface PaidCall extends BenchRef {
  /** The call's place in the bench: one answer is ever accepted under it. */
  key: string;
  kind: CallKind;
  model: PlannedModel;
  scopeIds: string[];
  request: CompletionRequest;
}

export type PaidAnswer =
  | { kind: 'answered'; completion: Completion; answer: WireAnswer }
  /** Nobody will answer: the last failure, or the attempts are used up. */
  | { kind: 'unanswered'; reason: CallFailure | 'attempts_exhausted' | 'ledger_mismatch' };

/** Settled calls of a model before its tokens per byte count for the bound. */
const CALLS_BEFORE_RATE = 3;

/**
 * The one door to the ledger. A call that has an answer is read, whoever paid for it; else its bound is reserved,
 * it is written down, sent once and booked.
 * @throws ApplicationFailure `BudgetExceeded`, `BenchTakenOver`, `BenchEnded`, `CallUnbookable` (final);
 *   `CallInFlight`, `NoRoomYet`, `CallFailed`, `ProviderMissing` (come back later)
 */
export async function paidCall(deps: ActivityDeps, call: PaidCall): Promise<PaidAnswer> {
  const provider = deps.providers.get(call.model.provider);
  if (!provider) throw providerMissing(call.model.provider);
  const body = provider.build(call.request);
  const admission = await admit(deps, call, JSON.stringify(body));
  switch (admission.kind) {
    case 'settled':
      return readAnswer(provider, call.request, admission);
    case 'admitted':
      return sendOnce({ deps, call, provider, sent: admission }, body);
    case 'given_up':
      return { kind: 'unanswered', reason: admission.reason };
    case 'busy':
      throw tryLater('CallInFlight', `${call.key}: another attempt is in flight`, admission.forMs);
    case 'no_room_yet':
      throw tryLater('NoRoomYet', `${call.key}: waits for calls in flight to settle`, 1_000);
    case 'over_budget':
      throw budgetExceeded(call.key, admission);
    case 'mismatch':
      return { kind: 'unanswered', reason: 'ledger_mismatch' };
    case 'paused':
      throw tryLater('BenchPaused', `${call.key}: the bench is paused`, 5_000);
    case 'ended':
      throw benchEnded(call.benchId, admission.state);
    case 'taken_over':
      throw benchTakenOver(new BenchTakenOver(call.benchId, call.epoch, null));
  }
}

/**
 * Nearly every call is the first of its key: where its model's tokens per byte are known from a call before, it is tried
 * as that, in one question. Whatever stands in the way is then looked at in full, with the figure of this moment.
 */
async function admit(deps: ActivityDeps, call: PaidCall, request: string): Promise<Admission> {
  const place = { key: call.key, benchId: call.benchId, ...call.model };
  const model = JSON.stringify([call.benchId, call.model.provider, call.model.model]);
  const known = mayBeSettled(call) ? undefined : tokenRates.get(model);
  if (known !== undefined) {
    const used = { tokensPerByte: known, minCalls: CALLS_BEFORE_RATE };
    const first = await admitFirst(deps.db, buildIntent(deps, call, request, known), used);
    tokenRates.set(model, first.tokensPerByte);
    if (first.sent) return { kind: 'admitted', ...first.sent };
  }
  const standing = await readStanding(deps.db, place, CALLS_BEFORE_RATE);
  tokenRates.set(model, standing.tokensPerByte);
  const intent = buildIntent(deps, call, request, standing.tokensPerByte);
  return admitCall(deps.db, intent, deps.calls, standing.attempts);
}

/** Who argues, or judges, hears the whole debate so far, and all of it but the last was paid for before. */
function mayBeSettled({ kind }: PaidCall): boolean {
  return kind === 'debate';
}

/** Tokens a byte of each model in a bench, as this process has read them last; null: too few calls had settled. */
const tokenRates = new BoundedMap<string, number | null>(1_000);

function buildIntent(
  deps: ActivityDeps,
  call: PaidCall,
  request: string,
  tokensPerByte: number | null,
): CallIntent {
  const { provider, model, price } = call.model;
  const requestBytes = Buffer.byteLength(request, 'utf8');
  return {
    key: call.key,
    kind: call.kind,
    benchId: call.benchId,
    epoch: call.epoch,
    provider,
    model,
    scopeIds: call.scopeIds,
    requestSha256: createHash('sha256').update(request, 'utf8').digest('hex'),
    request,
    requestBytes,
    boundUsd: callBoundUsd(price, {
      requestBytes,
      maxOutputTokens: call.request.maxOutputTokens,
      tokensPerByte,
    }),
    leaseMs: deps.calls.leaseMs,
  };
}

function readAnswer(
  provider: Provider,
  request: CompletionRequest,
  stored: { response: string; requestId: string | null },
): PaidAnswer {
  const answer: WireAnswer = { body: JSON.parse(stored.response), requestId: stored.requestId };
  return { kind: 'answered', answer, completion: provider.read(answer, request) };
}

/** A request that was admitted, on its way out and back. */
interface Sending {
  deps: ActivityDeps;
  call: PaidCall;
  provider: Provider;
  sent: SentCall;
}

async function sendOnce(sending: Sending, body: WireBody): Promise<PaidAnswer> {
  const { deps, call, provider, sent } = sending;
  const startedAt = performance.now();
  const latencyMs = (): number => Math.round(performance.now() - startedAt);
  const renew = () => renewLease(deps.db, sent, deps.calls.leaseMs);
  const flight = startFlight(deps.calls, renew, deps.stopped);
  try {
    const answer = await provider
      .send(body, {
        model: call.model.model,
        callId: `${call.key}#${sent.attempt}`,
        signal: flight.signal,
        timeoutMs: deps.calls.timeoutMs,
      })
      .catch((error: unknown) => error as Error);
    if (answer instanceof Error) return await bookFailure(sending, answer, latencyMs());
    return await bookAnswer(sending, answer, latencyMs());
  } finally {
    flight.end();
  }
}

async function bookAnswer(
  { deps, call, provider, sent }: Sending,
  answer: WireAnswer,
  latencyMs: number,
): Promise<PaidAnswer> {
  const completion = provider.read(answer, call.request);
  const computedUsd = computeCostUsd(call.model.price, completion.usage);
  const costUsd = completion.usage.reportedCostUsd ?? computedUsd;
  const { attempt, accepted } = await untilStored(costUsd, () =>
    settleCall(deps.db, sent, {
      response: writeJson(answer.body ?? null),
      requestId: answer.requestId,
      reportedModel: completion.reportedModel,
      usage: completion.usage,
      computedUsd,
      latencyMs,
    }),
  );
  tellEnd(deps, call, { attempt, failure: null, ...completion.usage, costUsd, latencyMs });
  if (accepted === attempt) return { kind: 'answered', completion, answer };
  const stored = (await readAnswers(deps.db, [call.key])).get(call.key);
  if (!stored) throw new BrokenInvariant(`${call.key}: its accepted answer is gone`);
  return readAnswer(provider, call.request, stored);
}

async function bookFailure(
  { deps, call, sent }: Sending,
  error: Error,
  latencyMs: number,
): Promise<PaidAnswer> {
  const failure =
    error instanceof ProviderFailure
      ? error
      : new ProviderFailure('dropped', { provider: call.model.provider, code: error.name });
  const rule = CALL_FAILURES[failure.kind];
  const costUsd = failure.details.reportedCostUsd ?? (rule.cost === 'none' ? 0 : null);
  await untilStored(costUsd, () =>
    failCall(deps.db, sent, {
      kind: failure.kind,
      endsAs: rule.endsAs,
      httpStatus: failure.details.httpStatus ?? null,
      requestId: failure.details.requestId ?? null,
      reportedUsd: failure.details.reportedCostUsd ?? null,
      computedUsd: rule.cost === 'none' ? 0 : null,
      latencyMs,
    }),
  );
  const { attempt } = sent;
  tellEnd(deps, call, {
    ...{ attempt, failure: failure.kind, costUsd, latencyMs },
    ...{ inputTokens: null, outputTokens: null },
  });
  if (error instanceof CancelledFailure) throw error;
  if (!rule.isRetryable) return { kind: 'unanswered', reason: failure.kind };
  const delayMs = retryDelay(attempt, failure.details.retryAfterMs, deps.calls);
  throw tryLater('CallFailed', `${call.key}: ${failure.message}`, delayMs);
}

function tellEnd(
  { observer }: ActivityDeps,
  { benchId, key, kind, model: { provider, model } }: PaidCall,
  end: Pick<CallEvent, 'attempt' | 'failure' | 'costUsd' | 'inputTokens' | 'outputTokens' | 'latencyMs'>,
): void {
  const { attempt, failure, costUsd, inputTokens, outputTokens, latencyMs } = end;
  observer?.callEnded({
    ...{ benchId, key, attempt, kind, provider, model },
    ...{ failure, costUsd, inputTokens, outputTokens, latencyMs },
  });
}

/** An answer nested too deeply for JSON.stringify is kept down to where it can be: it is paid for. */
function writeJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    return stringifyCut(body) ?? 'null';
  }
}

const stringifyCut = configure({ maximumDepth: 1000, deterministic: false });

/**
 * What was paid for is not lost to an outage of Postgres: it is held here, heartbeating, until it can be stored.
 * @param costUsd for whoever is told that it never can be
 */
async function untilStored<T>(costUsd: number | null, store: () => Promise<T>): Promise<T> {
  try {
    return await backOff(store, {
      numOfAttempts: Number.MAX_SAFE_INTEGER,
      startingDelay: 100,
      maxDelay: 5_000,
      jitter: 'full',
      retry: (error: unknown) => isOutage(error),
    });
  } catch (error) {
    throw error instanceof CallUnbookable ? callUnbookable(error, costUsd) : error;
  }
}

/**
 * Whether storing again may help: whatever the network or the server may be going through. Not a place that is gone, nor a
 * row that somebody was first with (23505).
 */
function isOutage(error: unknown): boolean {
  if (error instanceof CallUnbookable || isFaultOfOurs(error)) return false;
  return (error as { code?: string }).code !== '23505';
}
