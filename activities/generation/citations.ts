import type { Citation } from '../../core/hypothesis';
import type { StoredToolCall } from '../../db/tool-calls';
import { canonicalUrl, seenUrls } from '../literature/normalise-url';

/**
 * Which citations name a source that a tool had shown. The others are kept apart: a source that was not read here
 * supports nothing.
 */
export function sortCitations(
  citations: readonly Citation[],
  toolCalls: readonly StoredToolCall[],
): { seen: Citation[]; unsupported: Citation[] } {
  const isSeen = seenCitations(toolCalls.flatMap((call) => call.answer?.documents ?? []));
  return { seen: citations.filter(isSeen), unsupported: citations.filter((citation) => !isSeen(citation)) };
}

/** A document by all its addresses. */
type SeenDocument = Parameters<typeof seenUrls>[0];

/** @returns whether a citation names one of these documents, however its address is written */
export function seenCitations(documents: readonly SeenDocument[]): (citation: Citation) => boolean {
  const seen = new Set(documents.flatMap(seenUrls));
  return ({ url }) => seen.has(canonicalUrl(url) ?? url);
}
