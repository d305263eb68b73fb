import type { BenchSummary } from '../../core/bench-summary';

/** A summary without its bench's id, and without what a call in doubt adds: its bound, which stands apart from all costs. */
export function withoutDoubt({ benchId: _, ...summary }: BenchSummary) {
  return {
    ...summary,
    inDoubtUsd: 0,
    candidates: summary.candidates.map((candidate) => ({ ...candidate, inDoubtUsd: 0 })),
    judges: summary.judges.map((judge) => ({ ...judge, inDoubtUsd: 0 })),
  };
}
