import type { JudgeView } from '../../core/bench-input';
import type { EvalCheck, EvalViolation } from '../../core/evaluation/eval-check';
import { generationKey } from '../../core/ids';
import type {
  RecordedAttempt,
  RecordedBench,
  RecordedHypothesis,
  RecordedMatch,
} from '../../core/report/recorded-bench';
import { writeHypothesisText, writeReviewText } from '../hypothesis-text';
import type { ReviewRecord } from '../record-schemas';
import { toldInReport } from './figures';
import type { RunningCheck } from './transcripts';

/**
 * The way from the goal to the report, match by match: the goal was asked of both models, what was reviewed and what was
 * judged are the stored texts, letter for letter and in the order that the verdict names, and both candidates are in the
 * report. Checked in the requests as they were sent.
 */
export class EndToEnd implements RunningCheck {
  private readonly slots: ReadonlyMap<string, RecordedHypothesis>;
  /** Keys whose request says what it should. */
  private readonly sound = new Set<string>();
  private readonly problems = new Map<string, string>();
  private readonly expected = new Map<string, string[]>();
  /** The same of calls that turn out to be an argument, where a debate broke off. */
  private readonly argued = new Map<string, string[]>();

  constructor(private readonly bench: Pick<RecordedBench, 'run' | 'hypotheses' | 'matches'>) {
    this.slots = new Map(bench.hypotheses.map((slot) => [slot.id, slot]));
    for (const slot of bench.hypotheses) {
      this.expected.set(generationKey(slot.id, 1), [bench.run.goal]);
      if (slot.review) this.expected.set(slot.review.callKey, [bench.run.goal, textOf(slot)]);
    }
    for (const match of bench.matches) this.expectVerdicts(match);
  }

  add(attempts: readonly RecordedAttempt[]): void {
    const settled = attempts.find(({ state }) => state === 'settled');
    const texts = settled && this.expectedOf(settled);
    if (!texts) return;
    const missing = firstMissing(settled.request, texts);
    if (missing === null) this.sound.add(settled.key);
    else this.problems.set(settled.key, `its request does not say ${missing}`);
  }

  end(bench: RecordedBench): EvalCheck {
    const played = bench.matches.filter(({ state }) => state === 'played');
    const told = bench.run.summary === null ? null : toldInReport(bench);
    const violations: EvalViolation[] = [...this.problems].map(([subject, message]) => ({
      subject,
      message,
    }));
    for (const match of played) {
      const broken = this.brokenLink(match, bench, told);
      if (broken !== null) violations.push({ subject: match.id, message: `the chain breaks at ${broken}` });
    }
    const isSummedUp = bench.run.summary !== null;
    const checked = isSummedUp ? played.length : 0;
    const notes = isSummedUp ? [] : ['no report yet: the bench has no results'];
    return { area: 'end-to-end', name: 'goal-to-report', unit: 'chains', checked, violations, notes };
  }

  /** Whoever argues in a debate sees the texts and no review. */
  private expectedOf({ key, kind }: RecordedAttempt): string[] | undefined {
    return kind === 'debate' ? this.argued.get(key) : this.expected.get(key);
  }

  private expectVerdicts({ hypA, hypB, verdicts }: RecordedMatch): void {
    const [a, b] = [this.slots.get(hypA), this.slots.get(hypB)];
    if (!a || !b) return;
    const { goal, plan } = this.bench.run;
    for (const { order, callKey } of verdicts) {
      const shown = (order === 'ab' ? [a, b] : [b, a]).map((slot) => [
        textOf(slot, plan.judgeView),
        reviewOf(slot),
      ]);
      const texts = shown.map(([text = '']) => text);
      this.argued.set(callKey, [goal, ...texts]);
      this.expected.set(callKey, [goal, ...(plan.judgeView === 'text' ? texts : shown.flat())]);
    }
  }

  /** Where a played match does not hang together; what is in a request's words has been told already. */
  private brokenLink(
    match: RecordedMatch,
    bench: RecordedBench,
    told: ReadonlySet<string> | null,
  ): string | null {
    for (const id of [match.hypA, match.hypB]) {
      const slot = this.slots.get(id);
      if (!slot?.record) return `the hypothesis: ${id} has none`;
      if (!this.isAnswered(generationKey(id, 1))) return `the goal: it was never asked of ${id}`;
      const hasReview =
        slot.review === null || slot.review.state === 'invalid' || this.isAnswered(slot.review.callKey);
      if (!hasReview) return `the review: nobody answered that of ${id}`;
    }
    const unanswered = match.verdicts.find(({ callKey }) => !this.isAnswered(callKey));
    if (unanswered) return `the verdict: nobody answered ${unanswered.callKey}`;
    if (match.verdicts.length === 0) return 'the verdict: it has none';
    if (bench.run.summary === null) return null;
    const own = bench.candidates.filter(({ id }) => id === match.candA || id === match.candB);
    const missing = own.find(({ label }) => !told?.has(label));
    return missing ? `the report: ${missing.label} is not in it` : null;
  }

  private isAnswered(key: string): boolean {
    return this.sound.has(key) || this.problems.has(key);
  }
}

/** @returns what is missing, in words; null: all texts are there, one after the other */
function firstMissing(request: string, texts: readonly string[]): string | null {
  let from = 0;
  for (const [i, text] of texts.entries()) {
    const at = request.indexOf(inJson(text), from);
    if (at < 0)
      return i === 0 ? 'the goal' : `text ${i} of those it is about, as it is stored and in its place`;
    from = at + inJson(text).length;
  }
  return null;
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function textOf({ record }: RecordedHypothesis, view: JudgeView = 'full'): string {
  return record === null ? '' : writeHypothesisText(record, view);
}

function reviewOf({ review }: RecordedHypothesis): string {
  return writeReviewText((review?.review ?? undefined) as ReviewRecord | undefined);
}
