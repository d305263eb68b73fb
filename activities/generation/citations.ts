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
  const seen = new Set(toolCalls.flatMap((call) => (call.answer?.documents ?? []).flatMap(seenUrls)));
  const isSeen = ({ url }: Citation): boolean => seen.has(canonicalUrl(url) ?? url);
  return { seen: citations.filter(isSeen), unsupported: citations.filter((citation) => !isSeen(citation)) };
}
