import { gzipSync } from 'node:zlib';
import type { RecordedAttempt } from '../../../core/report/recorded-bench';

/** Calls that are packed together: those of a slot, or of some matches in a row. They share most of their words. */
export interface TranscriptGroup {
  name: string;
  keys: readonly string[];
}

/** A group as a page carries it: compressed, in characters that may stand anywhere. */
export interface PackedGroup {
  name: string;
  /** base64 of gzip of JSON: attempts by key. */
  packed: string;
}

/**
 * Calls with their words, packed group by group as soon as a group is whole: a bench has hundreds of megabytes of
 * them unpacked. A reader's browser unpacks the group that is asked for.
 */
export class TranscriptStore {
  private readonly groupOf = new Map<string, TranscriptGroup>();
  /** JSON of the attempts by key, of groups that are not whole yet. */
  private readonly open = new Map<string, Map<string, string>>();
  private readonly packed = new Map<string, string>();
  /** Keys that came by. */
  private readonly carried = new Set<string>();

  /** @param groups each with the keys of calls that there are; calls of no group are not kept */
  constructor(groups: readonly TranscriptGroup[]) {
    for (const group of groups) for (const key of group.keys) this.groupOf.set(key, group);
  }

  /** @param attempts of one key, oldest first */
  add(attempts: readonly RecordedAttempt[]): void {
    const [first] = attempts;
    const group = first && this.groupOf.get(first.key);
    if (!first || !group) return;
    this.carried.add(first.key);
    const texts = this.open.get(group.name) ?? new Map<string, string>();
    this.open.set(group.name, texts.set(first.key, JSON.stringify(attempts.map(shownOf))));
    if (texts.size === group.keys.length) this.pack(group.name, texts);
  }

  /** Name of the group that a call is in; null where its words were not handed in. */
  groupName(key: string): string | null {
    return this.carried.has(key) ? (this.groupOf.get(key)?.name ?? null) : null;
  }

  /** The groups of these calls, each once. */
  groupsOf(keys: readonly string[]): PackedGroup[] {
    const names = new Set(keys.flatMap((key) => this.groupName(key) ?? []));
    for (const name of names) {
      const texts = this.open.get(name);
      if (texts) this.pack(name, texts); // a call of it never came
    }
    return [...names].map((name) => ({ name, packed: this.packed.get(name) ?? '' }));
  }

  /** Drops the words of these calls' groups. */
  forget(keys: readonly string[]): void {
    for (const key of keys) {
      const name = this.groupOf.get(key)?.name ?? '';
      this.packed.delete(name);
      this.open.delete(name);
    }
  }

  private pack(name: string, texts: ReadonlyMap<string, string>): void {
    const entries = [...texts].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
    // Level 4: a third faster than the default, and some percent larger.
    this.packed.set(name, gzipSync(`{${entries.join(',')}}`, { level: 4 }).toString('base64'));
    this.open.delete(name);
  }
}

function shownOf(attempt: RecordedAttempt) {
  return {
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
  };
}
