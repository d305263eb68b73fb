import { gzipSync } from 'node:zlib';
import type { RecordedAttempt } from '../../../core/report/recorded-bench';

/** A call as a page carries it: compressed, in characters that may stand anywhere. */
export interface PackedTranscript {
  key: string;
  /** base64 of gzip of JSON. */
  packed: string;
}

/**
 * Calls with their words, by key, packed as soon as they come: a bench has gigabytes of them unpacked. A reader's
 * browser unpacks the one that is asked for.
 */
export class TranscriptStore {
  private readonly byKey = new Map<string, string>();

  /** @param attempts of one key, oldest first */
  add(attempts: readonly RecordedAttempt[]): void {
    const [first] = attempts;
    if (!first) return;
    this.byKey.set(first.key, pack(attempts));
  }

  find(key: string): PackedTranscript | null {
    const packed = this.byKey.get(key);
    return packed === undefined ? null : { key, packed };
  }

  /** Keys that begin so, in the order in which they were added. */
  keysUnder(prefix: string): string[] {
    return [...this.byKey.keys()].filter((key) => key.startsWith(prefix));
  }
}

function pack(attempts: readonly RecordedAttempt[]): string {
  const shown = attempts.map((attempt) => ({
    attempt: attempt.attempt,
    state: attempt.state,
    model: `${attempt.provider}:${attempt.model}`,
    reportedModel: attempt.reportedModel,
    failure: attempt.failureKind,
    httpStatus: attempt.httpStatus,
    costUsd: attempt.costUsd,
    inputTokens: attempt.inputTokens,
    outputTokens: attempt.outputTokens,
    latencyMs: attempt.latencyMs,
    sentAt: attempt.sentAt,
    request: attempt.request,
    response: attempt.response,
  }));
  // Level 4: a third faster than the default, and some percent larger.
  return gzipSync(JSON.stringify(shown), { level: 4 }).toString('base64');
}
