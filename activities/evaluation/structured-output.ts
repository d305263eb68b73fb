import type { BenchPlan } from '../../core/bench-plan';
import type { CallKind } from '../../core/bench-states';
import type { EvalArea, EvalCheck, EvalViolation } from '../../core/evaluation/eval-check';
import { countText } from '../../core/report/figure-text';
import type { RecordedAttempt, RecordedBench } from '../../core/report/recorded-bench';
import { AnswerReader } from '../answer-reader';
import type { ForcedRecord } from '../forced-record';
import { readTurn } from '../generation/read-turn';
import {
  checkArgument,
  checkReview,
  checkVerdict,
  RECORD_ARGUMENT,
  RECORD_HYPOTHESIS,
  RECORD_REVIEW,
  RECORD_VERDICT,
} from '../record-schemas';
import type { RunningCheck } from './transcripts';

/** What an answer that should be a record came to; `step`: a turn that was none yet; null: nobody here can read it. */
type Reading = { state: 'valid' } | { state: 'step' } | { state: 'invalid'; why: string } | null;

/**
 * Every answer that was to be a record is one, all required fields in it: the raw answer, read by the provider's own
 * reader and held against the schema that was sent. One that is not counts against the model, whether or not the bench
 * coped with it.
 */
export class StructuredOutput implements RunningCheck {
  private readonly answers = new AnswerReader();
  private readonly broken: EvalViolation[] = [];
  private checked = 0;
  private steps = 0;
  private unread = 0;

  /** @param leastShare of the answers, 0 to 1, that must comply */
  constructor(
    private readonly area: EvalArea,
    private readonly kinds: readonly CallKind[],
    private readonly bench: Pick<RecordedBench, 'candidates'>,
    private readonly leastShare: number,
  ) {}

  add(attempts: readonly RecordedAttempt[]): void {
    const settled = attempts.find(({ state }) => state === 'settled');
    if (!settled || !this.kinds.includes(settled.kind)) return;
    const reading = this.read(settled);
    if (reading === null) this.unread += 1;
    else if (reading.state === 'step') this.steps += 1;
    else this.checked += 1;
    if (reading?.state === 'invalid') this.broken.push({ subject: settled.key, message: reading.why });
  }

  end(): EvalCheck {
    const { area, checked, broken } = this;
    const share = checked === 0 ? 1 : (checked - broken.length) / checked;
    const isEnough = share >= this.leastShare;
    const notes: string[] = [];
    if (this.steps > 0) notes.push(`${countText(this.steps, 'turn')} that used tools or talked`);
    if (this.unread > 0) notes.push(`${countText(this.unread, 'answer')} nobody here can read`);
    if (broken.length > 0) notes.push(`${percent(share)} comply, at least ${percent(this.leastShare)} must`);
    return {
      area,
      name: 'structured-output',
      unit: 'answers',
      checked,
      violations: isEnough ? [] : broken,
      notes,
    };
  }

  private read(attempt: RecordedAttempt): Reading {
    switch (attempt.kind) {
      case 'generation':
        return this.readGeneration(attempt);
      case 'review':
        return readingOf(this.answers.readForced(attempt, RECORD_REVIEW, checkReview));
      case 'debate':
        return readingOf(this.answers.readForced(attempt, RECORD_ARGUMENT, checkArgument));
      default:
        return readingOf(this.answers.readForced(attempt, RECORD_VERDICT, checkVerdict));
    }
  }

  private readGeneration(attempt: RecordedAttempt): Reading {
    const isForced = this.modeOf(attempt) === 'direct';
    const completion = this.answers.read(attempt, isForced ? 'force' : 'auto', [RECORD_HYPOTHESIS]);
    if (!completion) return null;
    const turn = readTurn(completion);
    if (turn.kind === 'recorded') return { state: 'valid' };
    if (turn.kind === 'broken') return { state: 'invalid', why: [turn.reason, ...turn.problems].join('; ') };
    return isForced ? { state: 'invalid', why: 'no_call' } : { state: 'step' };
  }

  private modeOf({ key }: RecordedAttempt): BenchPlan['candidates'][number]['mode'] | undefined {
    return this.bench.candidates.find(({ id }) => key.startsWith(`${id}/`))?.mode;
  }
}

function readingOf(record: ForcedRecord<unknown> | null): Reading {
  if (record === null || record.state === 'valid') return record && { state: 'valid' };
  return { state: 'invalid', why: [record.reason, record.detail].filter(Boolean).join(': ') };
}

function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10} %`;
}
