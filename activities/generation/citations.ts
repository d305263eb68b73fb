import { CITATION_MARKS, type CitationMark } from '../../core/citation-marks';
import type { Citation } from '../../core/hypothesis';
import type { StoredToolCall } from '../../db/tool-calls';
import { canonicalUrl, seenUrls } from '../literature/normalise-url';

/**
 * Which citations name a source that a tool had shown, with what it said against the work (retracted, withdrawn). The
 * others are kept apart: a source that was not read here supports nothing.
 */
export function sortCitations(
  citations: readonly Citation[],
  toolCalls: readonly StoredToolCall[],
): { seen: Citation[]; unsupported: Citation[] } {
  const documents = toolCalls.flatMap((call) => call.answer?.documents ?? []);
  const isSeen = seenCitations(documents);
  const marksOf = citationMarks(documents);
  const seen = citations.filter(isSeen).map((citation) => {
    const marks = marksOf(citation);
    return marks.length > 0 ? { ...citation, marks } : citation;
  });
  return { seen, unsupported: citations.filter((citation) => !isSeen(citation)) };
}

/** One record of a work is enough: another may be older, or of a source that does not keep track. */
function citationMarks(
  documents: readonly (SeenDocument & { flags: readonly string[] })[],
): (citation: Citation) => CitationMark[] {
  const told = (Object.keys(CITATION_MARKS) as CitationMark[]).map((mark) => {
    const marked = documents.filter(({ flags }) => flags.includes(mark));
    return { mark, isOf: seenCitations(marked) };
  });
  return (citation) => told.filter(({ isOf }) => isOf(citation)).map(({ mark }) => mark);
}

/** A document by all its addresses. */
type SeenDocument = Parameters<typeof seenUrls>[0];

/** @returns whether a citation names one of these documents, however its address is written */
export function seenCitations(documents: readonly SeenDocument[]): (citation: Citation) => boolean {
  const seen = new Set(documents.flatMap(seenUrls));
  return ({ url }) => seen.has(canonicalUrl(url) ?? url);
}
