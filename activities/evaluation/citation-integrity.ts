import type { EvalCheck, EvalViolation } from '../../core/evaluation/eval-check';
import type { RecordedBench, RecordedHypothesis, ToolDocumentRecord } from '../../core/report/recorded-bench';
import { seenCitations } from '../generation/citations';
import { canonicalUrl } from '../literature/normalise-url';

/** Whatever a hypothesis cites was shown to its model by a tool; what was not is kept apart and supports nothing. */
export function checkCitations({ hypotheses }: RecordedBench): EvalCheck {
  const recorded = hypotheses.filter(({ record }) => record !== null);
  const checked = recorded.reduce((sum, slot) => sum + citedBy(slot).length + apartOf(slot).length, 0);
  const nApart = recorded.reduce((sum, slot) => sum + apartOf(slot).length, 0);
  const notes = nApart > 0 ? [`${nApart} cited what no tool had shown, and are kept apart`] : [];
  const violations = recorded.flatMap(violationsOf);
  return { area: 'generation', name: 'citation-integrity', unit: 'citations', checked, violations, notes };
}

function violationsOf(slot: RecordedHypothesis): EvalViolation[] {
  const isSeen = seenCitations(slot.toolCalls.flatMap(({ documents }) => (documents ?? []).map(addressesOf)));
  return [
    ...citedBy(slot).flatMap((citation, i) =>
      isSeen(citation) ? [] : [{ subject: slot.id, message: `citation ${i + 1} is in no tool’s answer` }],
    ),
    ...apartOf(slot).flatMap((citation, i) =>
      isSeen(citation)
        ? [{ subject: slot.id, message: `unsupported citation ${i + 1} is in a tool’s answer` }]
        : [],
    ),
  ];
}

/** Where files hold less than a worker writes, its address alone is what a document was seen under. */
function addressesOf({ url, alsoAt }: ToolDocumentRecord): { canonicalUrl: string; alsoAt: string[] } {
  const others = Array.isArray(alsoAt) ? alsoAt.filter((it) => typeof it === 'string') : [];
  return { canonicalUrl: canonicalUrl(url) ?? url, alsoAt: others };
}

function citedBy({ record }: RecordedHypothesis) {
  return record?.citations ?? [];
}

function apartOf({ unsupportedCitations }: RecordedHypothesis) {
  return unsupportedCitations ?? [];
}
