import { z } from 'zod';
import type { CallKind } from '../../../core/bench-states';
import type { RecordedAttempt } from '../../../core/report/recorded-bench';
import { publicId } from '../../../db/public-id';
import { jsonText } from './json-text';
import { count, maybeCount, maybeText, maybeUsd, moment, sha256, text, usd } from './recorded-schemas';
import { readWords, writeWords } from './words';

export const CALL_KINDS = ['probe', 'generation', 'review', 'judge', 'debate', 'scipivot', 'rubric'] as const;

const attemptSchema = z.strictObject({
  attempt: z.int().min(1),
  epoch: count,
  provider: text,
  model: text,
  scopeIds: z.array(text).describe('budgets it was charged to'),
  state: z.enum(['sent', 'settled', 'failed', 'in_doubt', 'superseded']),
  requestId: maybeText,
  reportedModel: maybeText.describe('the model the answer names'),
  failureKind: maybeText,
  httpStatus: z.int().nullable(),
  boundUsd: usd.describe('the most it could cost'),
  reportedUsd: maybeUsd.describe('what the provider says it cost'),
  computedUsd: maybeUsd.describe('tokens × the price table'),
  costUsd: maybeUsd.describe('reported, else computed, else unknown'),
  chargedUsd: usd,
  overrunUsd: maybeUsd,
  inputTokens: maybeCount,
  cachedInputTokens: maybeCount,
  cacheWriteTokens: maybeCount,
  outputTokens: maybeCount,
  reasoningTokens: maybeCount,
  sentAt: moment,
  endedAt: moment.nullable(),
  latencyMs: maybeCount,
  requestBytes: count.describe('UTF-8 bytes of the request as sent: JSON without white space'),
  requestSha256: sha256.describe('of the same'),
  request: z.unknown().optional().describe('the body as sent'),
  requestText: text.optional().describe('the same, where JSON would not give its bytes back'),
  response: z.unknown().optional().describe('the provider’s JSON; null where none came'),
  responseText: text.optional(),
});

/** One call to a model under one key, with everything that was sent and received for it. */
export const transcriptFileSchema = z.strictObject({
  format: z.literal('co-scientist-bench/transcript'),
  version: z.literal(1),
  id: text,
  key: text,
  benchId: text,
  kind: z.enum(CALL_KINDS),
  attempts: z.array(attemptSchema).min(1),
});

export type TranscriptFile = z.infer<typeof transcriptFileSchema>;

/** `transcripts/<kind>/<id>.json`, from the session's folder. */
export function transcriptPath(kind: CallKind, key: string): string {
  return `transcripts/${kind}/${publicId('trn', key)}.json`;
}

/** @param attempts of one key, oldest first; at least one */
export function writeTranscript(benchId: string, attempts: readonly RecordedAttempt[]): string {
  const { key, kind } = attempts[0]!;
  return jsonText({
    format: 'co-scientist-bench/transcript',
    version: 1,
    id: publicId('trn', key),
    key,
    benchId,
    kind,
    attempts: attempts.map(
      ({ key: _, kind: __, request, response, requestSha256, requestBytes, ...rest }) => ({
        ...rest,
        requestBytes,
        requestSha256,
        ...writeWords('request', request),
        ...(response === null ? { response: null } : writeWords('response', response)),
      }),
    ),
  } satisfies TranscriptFile);
}

/** The attempts as rows have them, oldest first. */
export function readTranscript({ key, kind, attempts }: TranscriptFile): RecordedAttempt[] {
  return attempts.map(({ request, requestText, response, responseText, ...rest }) => ({
    key,
    kind,
    ...rest,
    request: readWords(request, requestText) ?? 'null',
    response: readWords(response, responseText),
  }));
}
