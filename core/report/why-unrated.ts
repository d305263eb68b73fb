import type { BenchReport } from './bench-report';

/** SciΠvot alone: nobody was to write a hypothesis, so there is nothing to rate. */
export function isSessionsAlone({ plan }: Pick<BenchReport, 'plan'>): boolean {
  return plan.n === 0;
}

/** Why a bench without ratings has none, to stand before "so nothing is rated". */
export function whyUnrated({ matches }: Pick<BenchReport, 'matches'>): string {
  return matches.played === 0
    ? 'no match was played'
    : 'its matches are a night’s, against another bench’s texts';
}
