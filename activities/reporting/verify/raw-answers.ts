import type { Completion } from '../../../core/completion';
import type { HypothesisRecord } from '../../../core/hypothesis';
import { type Difference, differingFigures } from '../../../core/report/difference';
import type {
  RecordedAttempt,
  RecordedBench,
  RecordedHypothesis,
  RecordedReview,
  RecordedVerdict,
} from '../../../core/report/recorded-bench';
import { toStorable } from '../../../db/storable-text';
import { type ForcedRecord, readForcedRecord } from '../../forced-record';
import { readTurn } from '../../generation/read-turn';
import { openProviders } from '../../providers';
import type { CompletionRequest, Provider, ToolSpec } from '../../providers/provider';
import {
  type Checked,
  checkReview,
  checkVerdict,
  RECORD_HYPOTHESIS,
  RECORD_REVIEW,
  RECORD_VERDICT,
} from '../../record-schemas';
import { hashOf } from '../bundle/bundle';

/**
 * Holds a bench's rows against the bytes that were sent and received: requests against their hashes, token counts,
 * verdicts, reviews and hypotheses against the providers' raw answers, read again by the same readers.
 */
export class RawAnswers {
  private readonly verdicts = new Map<string, { subject: string; verdict: RecordedVerdict }>();
  private readonly reviews = new Map<string, { subject: string; review: RecordedReview }>();
  /** Slots whose stored record no answer has shown yet, by id. */
  private readonly unseen: Map<string, RecordedHypothesis>;
  private readonly providers = new Map<string, Provider | null>();

  constructor({ matches, hypotheses }: Pick<RecordedBench, 'matches' | 'hypotheses'>) {
    for (const { id, verdicts } of matches) {
      for (const verdict of verdicts) {
        this.verdicts.set(verdict.callKey, { subject: `${id} ${verdict.order} ${verdict.judge}`, verdict });
      }
    }
    for (const { id, review } of hypotheses) {
      if (review) this.reviews.set(review.callKey, { subject: `review of ${id}`, review });
    }
    this.unseen = new Map(hypotheses.filter(({ record }) => record !== null).map((slot) => [slot.id, slot]));
  }

  /** @param attempts of one key, oldest first */
  check(attempts: readonly RecordedAttempt[]): Difference[] {
    const differences = attempts.flatMap((attempt) => [
      ...requestDifferences(attempt),
      ...this.usageDifferences(attempt),
    ]);
    const settled = attempts.find(({ state }) => state === 'settled');
    if (!settled) return differences;
    return [
      ...differences,
      ...this.verdictDifferences(settled),
      ...this.reviewDifferences(settled),
      ...this.lookForRecord(settled),
    ];
  }

  /** After all calls: what rests on an answer that is not there. */
  rest(): Difference[] {
    const answerless = (subject: string) =>
      differingFigures(subject, { rawAnswer: ['said to be there', 'in no transcript'] });
    return [
      ...[...this.verdicts.values()].filter(({ verdict }) => verdict.state === 'valid'),
      ...[...this.reviews.values()].filter(({ review }) => review.state === 'valid'),
    ]
      .flatMap(({ subject }) => answerless(subject))
      .concat([...this.unseen.keys()].flatMap((id) => answerless(id)));
  }

  private usageDifferences(attempt: RecordedAttempt): Difference[] {
    const completion = this.read(attempt, 'auto', []);
    if (!completion) return [];
    const { usage } = completion;
    return differingFigures(subjectOf(attempt), {
      inputTokens: [attempt.inputTokens, usage.inputTokens],
      cachedInputTokens: [attempt.cachedInputTokens, usage.cachedInputTokens],
      cacheWriteTokens: [attempt.cacheWriteTokens, usage.cacheWriteTokens],
      outputTokens: [attempt.outputTokens, usage.outputTokens],
      reasoningTokens: [attempt.reasoningTokens, usage.reasoningTokens],
      reportedUsd: [attempt.reportedUsd, usage.reportedCostUsd],
      reportedModel: [attempt.reportedModel, completion.reportedModel],
    });
  }

  private verdictDifferences(attempt: RecordedAttempt): Difference[] {
    const found = this.verdicts.get(attempt.key);
    if (!found) return [];
    const forced = this.readForced(attempt, RECORD_VERDICT, checkVerdict);
    this.verdicts.delete(attempt.key);
    if (!forced) return [];
    const { subject, verdict } = found;
    const raw = forced.state === 'valid' ? toStorable(forced.record) : null;
    return differingFigures(subject, {
      state: [verdict.state, forced.state],
      reason: [verdict.reason, forced.state === 'invalid' ? forced.reason : null],
      winnerPosition: [verdict.winnerPosition, raw?.winner ?? null],
      rationale: [verdict.rationale, raw?.rationale ?? null],
      scores: [verdict.scores, raw?.scores ?? null],
    });
  }

  private reviewDifferences(attempt: RecordedAttempt): Difference[] {
    const found = this.reviews.get(attempt.key);
    if (!found) return [];
    const forced = this.readForced(attempt, RECORD_REVIEW, checkReview);
    this.reviews.delete(attempt.key);
    if (!forced) return [];
    return differingFigures(found.subject, {
      state: [found.review.state, forced.state],
      review: [found.review.review, forced.state === 'valid' ? toStorable(forced.record) : null],
    });
  }

  /** A slot's record is what one of its turns handed in; of an original and a nudged one the later stands. */
  private lookForRecord(attempt: RecordedAttempt): Difference[] {
    const id = /^(.*\/\d+)\/turn\/\d+$/.exec(attempt.key)?.[1] ?? '';
    const slot = this.unseen.get(id);
    if (!slot?.record) return [];
    const readings = (['force', 'auto'] as const).map((choice) =>
      this.read(attempt, choice, [RECORD_HYPOTHESIS]),
    );
    if (readings.includes(null)) this.unseen.delete(id); // nobody here can read this provider's answers
    for (const completion of readings) {
      const turn = completion && readTurn(completion);
      if (turn?.kind === 'recorded' && isRecordOf(slot, toStorable(turn.record))) this.unseen.delete(id);
    }
    return [];
  }

  private readForced<T>(
    attempt: RecordedAttempt,
    tool: ToolSpec,
    check: (value: unknown) => Checked<T>,
  ): ForcedRecord<T> | null {
    const completion = this.read(attempt, 'force', [tool]);
    if (!completion) return null;
    return readForcedRecord({ kind: 'answered', completion, answer: { body: null, requestId: null } }, check);
  }

  /** null: no answer came, or nobody here can read this provider's. */
  private read(attempt: RecordedAttempt, choice: 'force' | 'auto', tools: ToolSpec[]): Completion | null {
    const { response, state } = attempt;
    if (response === null || (state !== 'settled' && state !== 'superseded')) return null;
    const provider = this.reader(attempt.provider);
    const answer = { body: JSON.parse(response) as unknown, requestId: attempt.requestId };
    return provider?.read(answer, requestFor(attempt.model, choice, tools)) ?? null;
  }

  private reader(name: string): Provider | null {
    let provider = this.providers.get(name);
    if (provider === undefined) {
      provider = openProviders(readingEnvironment(name)).get(name) ?? null;
      this.providers.set(name, provider);
    }
    return provider;
  }
}

function requestDifferences(attempt: RecordedAttempt): Difference[] {
  return differingFigures(subjectOf(attempt), {
    requestSha256: [attempt.requestSha256, hashOf(attempt.request)],
    requestBytes: [attempt.requestBytes, Buffer.byteLength(attempt.request, 'utf8')],
  });
}

function subjectOf({ key, attempt }: RecordedAttempt): string {
  return `${key}#${attempt}`;
}

/** Reading is pure and needs no key, but a provider opens only where its variables are set. */
function readingEnvironment(provider: string): NodeJS.ProcessEnv {
  const prefix = provider.startsWith('compat-')
    ? `OPENAI_COMPATIBLE_${provider.slice('compat-'.length).toUpperCase().replaceAll('-', '_')}`
    : provider.toUpperCase().replaceAll('-', '_');
  return { [`${prefix}_API_KEY`]: 'none', [`${prefix}_BASE_URL`]: 'http://127.0.0.1:9' };
}

function requestFor(model: string, choice: 'force' | 'auto', tools: ToolSpec[]): CompletionRequest {
  const [first] = tools;
  return {
    model,
    system: '',
    turns: [],
    tools,
    toolChoice: choice === 'force' && first ? { kind: 'force', tool: first.name } : { kind: 'auto' },
    maxOutputTokens: 1,
    thinking: 'off',
    draw: { seed: 0, key: '' },
  };
}

function isRecordOf(
  { record, unsupportedCitations }: RecordedHypothesis,
  handedIn: HypothesisRecord,
): boolean {
  if (record === null) return false;
  const citations = [...record.citations, ...(unsupportedCitations ?? [])];
  const asText = (one: HypothesisRecord) =>
    JSON.stringify([
      ...[one.title, one.summary, one.fullText, one.mechanism, one.falsification, one.entities],
      one.citations.map(({ url, title, excerpt }) => JSON.stringify([url, title, excerpt])).sort(),
    ]);
  return asText({ ...record, citations }) === asText(handedIn);
}
