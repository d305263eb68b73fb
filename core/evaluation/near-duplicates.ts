import { SIMILARITY_THRESHOLD } from '../duplicates';
import { isKept } from '../kept';
import { runOfSlot } from '../replicates';
import type { RecordedBench, RecordedHypothesis } from '../report/recorded-bench';
import type { EvalCheck, EvalViolation } from './eval-check';
import { trigramSimilarity } from './trigram-similarity';

/** Within a run, kept hypotheses of one candidate are different ideas, and what ended as a duplicate does repeat the one it names. */
export function checkNearDuplicates({ run, candidates, hypotheses }: RecordedBench): EvalCheck {
  const runOf = ({ k }: RecordedHypothesis) => runOfSlot(k, run.plan);
  const violations: EvalViolation[] = [];
  let checked = 0;
  for (const { id } of candidates) {
    const slots = hypotheses.filter(({ candidateId, record }) => candidateId === id && record !== null);
    const kept = slots.filter(isKept);
    for (const [earlier, later] of pairsOf(kept)) {
      if (runOf(earlier) !== runOf(later)) continue;
      checked += 1;
      if (areAlike(earlier, later))
        violations.push({
          subject: later.id,
          message: `is kept, and repeats ${earlier.id}: ${how(earlier, later)}`,
        });
    }
    for (const slot of hypotheses.filter((it) => it.candidateId === id && it.state === 'duplicate')) {
      checked += 1;
      const message = wrongDuplicate(
        slot,
        kept.filter((it) => runOf(it) === runOf(slot)),
      );
      if (message) violations.push({ subject: slot.id, message });
    }
  }
  const nSkipped = hypotheses.filter(({ state }) => state === 'duplicate').length;
  const notes = nSkipped > 0 ? [`${nSkipped} left out as duplicates`] : [];
  return { area: 'generation', name: 'near-duplicates', unit: 'pairs', checked, violations, notes };
}

function wrongDuplicate(slot: RecordedHypothesis, kept: readonly RecordedHypothesis[]): string | null {
  if (slot.duplicateOf === null) return 'is a duplicate of nothing';
  const of = kept.find(({ id }) => id === slot.duplicateOf);
  if (!of) return `is a duplicate of ${slot.duplicateOf}, which is not kept in its run`;
  if (slot.record === null) return 'is a duplicate and has no record';
  return areAlike(of, slot) ? null : `is no duplicate of ${of.id}: ${how(of, slot)}`;
}

function areAlike(one: RecordedHypothesis, other: RecordedHypothesis): boolean {
  if (one.contentSha256 !== null && one.contentSha256 === other.contentSha256) return true;
  return similarity(one, other) >= SIMILARITY_THRESHOLD;
}

function how(one: RecordedHypothesis, other: RecordedHypothesis): string {
  return `similarity ${similarity(one, other).toFixed(2)}, duplicates from ${SIMILARITY_THRESHOLD}`;
}

function similarity(one: RecordedHypothesis, other: RecordedHypothesis): number {
  return trigramSimilarity(ideaOf(one), ideaOf(other));
}

/** As db/hypotheses.ts compares them. */
function ideaOf({ record }: RecordedHypothesis): string {
  return record === null ? '' : [record.title, record.summary, record.mechanism].join('\n');
}

function pairsOf<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((later, i) => items.slice(0, i).map((earlier): [T, T] => [earlier, later]));
}
