import { type Difference, differingFigures } from '../../../core/report/difference';
import type { RecordedAttempt, RecordedBench } from '../../../core/report/recorded-bench';
import type { RecordedRubricScore } from '../../../core/report/recorded-rubric';
import { toStorable } from '../../../db/storable-text';
import { findRubric } from '../../../presets';
import { AnswerReader } from '../../answer-reader';
import { checkRubricScore, recordRubricScore } from '../../record-schemas';

/** Holds rubric scores against the raw answers of the judges, read again by the reader that read them first. */
export class RawRubric {
  private readonly unseen: Map<string, RecordedRubricScore>;
  private readonly answers = new AnswerReader();
  private readonly unknown = new Set<string>();

  constructor({ rubric }: Pick<RecordedBench, 'rubric'>) {
    this.unseen = new Map((rubric?.scores ?? []).map((score) => [score.callKey, score]));
  }

  /** @param attempts of one key, oldest first */
  check(attempts: readonly RecordedAttempt[]): Difference[] {
    const settled = attempts.find(({ state }) => state === 'settled');
    const score = settled && this.unseen.get(settled.key);
    if (!settled || !score) return [];
    this.unseen.delete(settled.key);
    const { agent, version, outcome } = score;
    const rubric = findRubric(agent);
    if (rubric.version !== version) {
      this.unknown.add(`rubric scores of ${agent} by version ${version}: that rubric is not known here`);
      return [];
    }
    const names = rubric.criteria.map(({ name }) => name);
    const forced = this.answers.readForced(settled, recordRubricScore(names), checkRubricScore(names));
    if (!forced) return [];
    const isValid = outcome.state === 'valid';
    return differingFigures(subjectOf(score), {
      state: [outcome.state, forced.state],
      reason: [isValid ? null : outcome.reason, forced.state === 'valid' ? null : forced.reason],
      marks: [
        isValid ? outcome.marks : null,
        forced.state === 'valid' ? toStorable(forced.record.scores) : null,
      ],
    });
  }

  /** After all calls: marks that rest on an answer that is not there. */
  rest(): Difference[] {
    return [...this.unseen.values()]
      .filter(({ outcome }) => outcome.state === 'valid')
      .flatMap((score) =>
        differingFigures(subjectOf(score), { rawAnswer: ['said to be there', 'in no transcript'] }),
      );
  }

  /** What could not be checked, and why. */
  unchecked(): string[] {
    return [...this.unknown];
  }
}

function subjectOf({ agent, version, subject, judge }: RecordedRubricScore): string {
  return `rubric ${agent} ${version} of ${subject} by ${judge}`;
}
