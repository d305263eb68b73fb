import type { Citation } from './hypothesis';

/** What a source had said of a work when it was shown, as far as it tells against relying on it. */
export const CITATION_MARKS = {
  retracted: 'retracted',
  partly_retracted: 'partly retracted',
  concern: 'under an expression of concern',
  withdrawn: 'withdrawn',
  notice: 'a notice about a paper, not a paper',
} as const;

export type CitationMark = keyof typeof CITATION_MARKS;

/** In words for a reader: `retracted, withdrawn`; empty where nothing was said against the work. */
export function markWords({ marks = [] }: Pick<Citation, 'marks'>): string {
  return marks.map((mark) => CITATION_MARKS[mark]).join(', ');
}
