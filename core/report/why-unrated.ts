import type { BenchReport } from './bench-report';

/** Why a bench without ratings has none, to stand before "so nothing is rated". */
export function whyUnrated({ matches }: Pick<BenchReport, 'matches'>): string {
  return matches.played === 0
    ? 'no match was played'
    : 'its matches are a night’s, against another bench’s texts';
}
