import { type CandidateFit, contrastOf, differenceWeights } from './candidate-fit';
import { detectableGapElo, type ExpectedVariances, gapSeenElo, type UnitCosts } from './power';

/** After a bench, one line: where its uncertainty came from, what it could see, what to buy next. */
export interface VarianceReport {
  /** Shares of the mean variance of a difference. */
  fromHypotheses: number;
  fromVerdicts: number;
  /** Standard deviation between hypotheses of a candidate as estimated, pooled, in logits. */
  spread: number;
  noise: number;
  /**
   * The smallest gap it would have called better with 80 % power, in Elo: the larger of what its own errors say, and what
   * a balanced bench of its size and variances would see. Errors are smaller between equals than at the gap itself.
   */
  detectableGapElo: number;
  /** What lowers the variance more for a dollar: null without costs, or without a candidate to compare. */
  nextDollar: 'hypotheses' | 'verdicts' | null;
}

/** null with fewer than two rated candidates. */
export function varianceReport(fit: CandidateFit, costs: UnitCosts | null): VarianceReport | null {
  const size = fit.design.candidates.length;
  if (size < 2) return null;
  let variance = 0;
  let ofNoise = 0;
  let degrees = 0;
  let pairs = 0;
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const { standardError, noiseShare, degrees: own } = contrastOf(fit, differenceWeights(size, a, b));
      degrees += own;
      variance += standardError ** 2;
      ofNoise += standardError ** 2 * noiseShare;
      pairs += 1;
    }
  }
  const mean = variance / pairs;
  const fromVerdicts = variance > 0 ? ofNoise / variance : 0;
  return {
    fromHypotheses: 1 - fromVerdicts,
    fromVerdicts,
    spread: Math.sqrt(fit.variances.betweenPooled),
    noise: fit.variances.noise,
    detectableGapElo: Math.max(
      gapSeenElo(size, { standardError: Math.sqrt(mean), degrees: degrees / pairs }),
      detectableGapElo(
        {
          candidates: size,
          n: fit.design.hypotheses.length / size,
          matches: fit.design.matches.length / pairs,
        },
        variancesShown(fit),
      ),
    ),
    nextDollar: costs === null ? null : betterBuy(fit, mean, fromVerdicts, costs),
  };
}

/** What a bench has shown of its hypotheses and its judge. @param fit of at least one match */
export function variancesShown({ design, variances }: CandidateFit): ExpectedVariances {
  const verdicts = design.matches.reduce((sum, match) => sum + match.verdicts, 0);
  return {
    spread: Math.sqrt(variances.betweenPooled),
    noise: variances.noise,
    verdictsPerMatch: verdicts / design.matches.length,
  };
}

/**
 * Both parts fall as 1/count, so a dollar lowers a part by its size over what all of its units have cost. What is
 * free lowers it without a dollar; where both are, a dollar buys nothing.
 */
function betterBuy(
  fit: CandidateFit,
  variance: number,
  fromVerdicts: number,
  { usdPerHypothesis, usdPerVerdict }: UnitCosts,
): 'hypotheses' | 'verdicts' | null {
  if (usdPerHypothesis <= 0 && usdPerVerdict <= 0) return null;
  if (usdPerHypothesis <= 0) return 'hypotheses';
  if (usdPerVerdict <= 0) return 'verdicts';
  const verdicts = fit.design.matches.reduce((sum, match) => sum + match.verdicts, 0);
  const perDollarHere = (variance * (1 - fromVerdicts)) / (fit.design.hypotheses.length * usdPerHypothesis);
  const perDollarThere = (variance * fromVerdicts) / (verdicts * usdPerVerdict);
  return perDollarHere >= perDollarThere ? 'hypotheses' : 'verdicts';
}
