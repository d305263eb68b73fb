import type { JudgeView } from '../core/bench-input';
import { markWords } from '../core/citation-marks';
import type { Citation, HypothesisRecord } from '../core/hypothesis';
import type { ReviewRecord } from './record-schemas';

/**
 * A hypothesis as a reviewer or a judge reads it: all of it, and nothing of who wrote it.
 * @param view `text` leaves the citations out
 */
export function writeHypothesisText(record: HypothesisRecord, view: JudgeView = 'full'): string {
  const citations = record.citations.map((c) => `- ${c.title} (${c.url})${markOf(c)}: ${c.excerpt}`);
  const cited = citations.length > 0 ? `Citations:\n${citations.join('\n')}` : 'Citations: none';
  return [
    `Title: ${record.title}`,
    `Summary: ${record.summary}`,
    `Argument: ${record.fullText}`,
    `Mechanism: ${record.mechanism}`,
    `Entities: ${record.entities.join(', ')}`,
    ...(view === 'full' ? [cited] : []),
    `Falsification: ${record.falsification}`,
  ].join('\n\n');
}

function markOf(citation: Citation): string {
  const words = markWords(citation);
  return words === '' ? '' : ` [${words}]`;
}

export function writeReviewText(review: ReviewRecord | undefined): string {
  if (!review) return 'No review.';
  return [
    `Strengths: ${review.strengths.join('; ')}`,
    `Weaknesses: ${review.weaknesses.join('; ')}`,
    `Assessment: ${review.assessment}`,
  ].join('\n');
}
