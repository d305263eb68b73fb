import type { HypothesisState } from '../bench-states';
import type { RecordedBench, RecordedCall, RecordedHypothesis } from '../report/recorded-bench';
import { canBecome } from '../state-transitions';
import type { EvalCheck, EvalViolation } from './eval-check';

/**
 * Every slot can have come where it is: what it has (a record, a review, verdicts) gives the states it has been in, each
 * step of that way is one that the state machine allows, and the calls behind the steps were made in that order.
 */
export function checkSlotStates(bench: RecordedBench): EvalCheck {
  const evidence = new Evidence(bench);
  const violations: EvalViolation[] = bench.hypotheses.flatMap((slot) =>
    [...wayProblems(slot, evidence), ...orderProblems(slot, evidence), ...endProblems(slot, bench)].map(
      (message) => ({ subject: slot.id, message }),
    ),
  );
  const checked = bench.hypotheses.length;
  return { area: 'generation', name: 'state-machine', unit: 'slots', checked, violations, notes: [] };
}

/** Which answers a slot rests on, and when. Times are RFC 3339 of one format: they compare as text. */
class Evidence {
  private readonly settled: ReadonlyMap<string, RecordedCall>;
  private readonly verdictKeys = new Map<string, string[]>();

  constructor({ calls, matches }: RecordedBench) {
    this.settled = new Map(calls.filter(({ state }) => state === 'settled').map((call) => [call.key, call]));
    for (const { hypA, hypB, verdicts } of matches) {
      for (const id of [hypA, hypB]) {
        const keys = this.verdictKeys.get(id) ?? [];
        this.verdictKeys.set(id, keys);
        keys.push(...verdicts.map(({ callKey }) => callKey));
      }
    }
  }

  hasVerdict({ id }: RecordedHypothesis): boolean {
    return (this.verdictKeys.get(id) ?? []).length > 0;
  }

  reviewOf({ review }: RecordedHypothesis): RecordedCall | undefined {
    return review ? this.settled.get(review.callKey) : undefined;
  }

  verdictsOf({ id }: RecordedHypothesis): RecordedCall[] {
    return (this.verdictKeys.get(id) ?? []).flatMap((key) => this.settled.get(key) ?? []);
  }

  firstAnswerOf({ id }: RecordedHypothesis): string | null {
    const start = `${id}/turn/`;
    const ends = [...this.settled.values()]
      .filter(({ key }) => key.startsWith(start))
      .map((it) => it.endedAt);
    return ends.filter((it) => it !== null).sort()[0] ?? null;
  }
}

/** The way a slot has come by what it has, ending where it says it is. */
function wayOf(slot: RecordedHypothesis, evidence: Evidence): HypothesisState[] {
  const { state, record, review } = slot;
  const isPlayed = evidence.hasVerdict(slot) || state === 'in_tournament';
  const way: HypothesisState[] = ['planned'];
  if (record !== null) way.push('draft');
  if (review !== null || state === 'reviewed' || isPlayed) way.push('reviewed');
  if (isPlayed) way.push('in_tournament');
  if (way.at(-1) !== state) way.push(state);
  return way;
}

function wayProblems(slot: RecordedHypothesis, evidence: Evidence): string[] {
  const way = wayOf(slot, evidence);
  return way
    .slice(1)
    .flatMap((to, i) =>
      canBecome('hypothesis', way[i]!, to) ? [] : [`went ${way.join(' → ')}: ${way[i]} cannot become ${to}`],
    );
}

function orderProblems(slot: RecordedHypothesis, evidence: Evidence): string[] {
  const review = evidence.reviewOf(slot);
  const answeredAt = evidence.firstAnswerOf(slot);
  const problems: string[] = [];
  if (review && answeredAt !== null && review.sentAt < answeredAt)
    problems.push('was reviewed before it was written');
  const before = review?.endedAt ?? answeredAt;
  const isEarly = evidence.verdictsOf(slot).some(({ sentAt }) => before !== null && sentAt < before);
  if (isEarly) problems.push(`was judged before it was ${review ? 'reviewed' : 'written'}`);
  return problems;
}

function endProblems({ state, failureKind }: RecordedHypothesis, { run }: RecordedBench): string[] {
  const problems: string[] = [];
  if (state === 'failed' && failureKind === null) problems.push('failed and says no reason');
  if (run.state === 'finished' && (state === 'planned' || state === 'draft'))
    problems.push(`is still ${state}, and the bench has finished`);
  return problems;
}
