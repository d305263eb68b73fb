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
import { AnswerReader } from '../../answer-reader';
import type { ForcedRecord } from '../../forced-record';
import { readTurn } from '../../generation/read-turn';
import {
  checkArgument,
  checkReview,
  checkVerdict,
  RECORD_ARGUMENT,
  RECORD_HYPOTHESIS,
  RECORD_REVIEW,
  RECORD_VERDICT,
  type VerdictRecord,
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
  private readonly answers = new AnswerReader();

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
    const completion = this.answers.read(attempt, 'auto', []);
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
    const forced = this.readVerdict(attempt);
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

  /** A verdict that rests on an argument is none: the debate before it broke off there. */
  private readVerdict(attempt: RecordedAttempt): ForcedRecord<VerdictRecord> | null {
    if (attempt.kind !== 'debate') return this.answers.readForced(attempt, RECORD_VERDICT, checkVerdict);
    const argued = this.answers.readForced(attempt, RECORD_ARGUMENT, checkArgument);
    if (argued?.state !== 'valid') return argued;
    return { state: 'invalid', reason: 'argued', detail: '' };
  }

  private reviewDifferences(attempt: RecordedAttempt): Difference[] {
    const found = this.reviews.get(attempt.key);
    if (!found) return [];
    const forced = this.answers.readForced(attempt, RECORD_REVIEW, checkReview);
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
      this.answers.read(attempt, choice, [RECORD_HYPOTHESIS]),
    );
    if (readings.includes(null)) this.unseen.delete(id); // nobody here can read this provider's answers
    for (const completion of readings) {
      const turn = completion && readTurn(completion);
      if (turn?.kind === 'recorded' && isRecordOf(slot, toStorable(turn.record))) this.unseen.delete(id);
    }
    return [];
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
