import type { BenchSummary, JudgeSummary } from './bench-summary';

/**
 * Whether nobody counted what a summary says of its judges' conduct. Programs of old took it from the ratings: of a bench
 * whose matches rate nobody, as a night's, they wrote zeros. The counting came with the field `pipelineMinusRaw`: where
 * that is absent and nobody has a rank, the zeros count nothing.
 */
export function isConductUnkept(summary: BenchSummary): boolean {
  return (
    (summary as Partial<BenchSummary>).pipelineMinusRaw === undefined &&
    summary.candidates.every(({ rank }) => rank === null) &&
    hasValidVerdict(summary.judge)
  );
}

/**
 * A stored summary as it is to be read: what nobody counted is null, not 0. Every other summary stays as it is, and so does
 * one that was read like this before.
 */
export function withUnknownConduct(summary: BenchSummary): BenchSummary {
  if (!isConductUnkept(summary)) return summary;
  // The oldest have no judges one by one, and nothing false to say of them.
  const { judge, judges } = summary as Partial<BenchSummary> & Pick<BenchSummary, 'judge'>;
  if (judges === undefined) return summary;
  const isPanel = judges.length > 1;
  return {
    ...summary,
    // One judge's flips were counted from the matches themselves.
    judge: isPanel ? { ...judge, flips: null, halfFlips: null, flipRate: null } : judge,
    judges: judges.map((one) => (hasValidVerdict(one) ? { ...one, ...UNKNOWN } : one)),
    agreements: isPanel ? null : summary.agreements,
    flags: null,
  };
}

const UNKNOWN = {
  matches: null,
  flips: null,
  halfFlips: null,
  positionBias: null,
  oneOrder: null,
  repeats: null,
  isUninformative: null,
} as const satisfies Partial<JudgeSummary>;

/** Who has said nothing valid has flipped in 0 of 0 matches: that is known. */
function hasValidVerdict({ verdicts, invalid }: { verdicts: number; invalid: number }): boolean {
  return verdicts > invalid;
}
