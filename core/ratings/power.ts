import { ELO_PER_LOGIT, logitFromElo } from './elo-scale';
import { CONFIDENCE } from './interval';
import { normalQuantile } from './normal';
import { studentizedRangeQuantile } from './studentized-range';

export const POWER = 0.8;

/**
 * Independent decisive items (cases, CSV rows) needed to see that a win rate is not ½: two-sided 5 %, 80 %.
 * @param winRate between ½ and 1, both excluded (below ½ counts as its mirror)
 */
export function itemsForWinRate(winRate: number): number {
  const gap = Math.abs(winRate - 0.5);
  if (!(gap > 0 && gap < 0.5)) throw new RangeError(`power: a win rate of ${winRate} has no sample size`);
  const reach = twoSided() * 0.5 + powered() * Math.sqrt(winRate * (1 - winRate));
  return Math.ceil((reach / gap) ** 2);
}

/**
 * Hypotheses each of two candidates needs at the least, were verdicts free and perfect: 2σ²(z + z′)²/Δ².
 * @param spread between a candidate's hypotheses, in logits
 */
export function leastHypotheses(gapElo: number, spread: number): number {
  return Math.ceil((2 * spread ** 2 * (twoSided() + powered()) ** 2) / logitFromElo(gapElo) ** 2);
}

/** The spreads printed when no bench says what to expect. */
export const TYPICAL_SPREADS = [0.3, 0.6, 1] as const;

export interface BenchDesign {
  candidates: number;
  n: number;
  /** A pair. */
  matches: number;
}

export interface ExpectedVariances {
  /** Standard deviation between hypotheses of a candidate, in logits. */
  spread: number;
  /** Verdict noise of a match; 1: that of independent verdicts. */
  noise: number;
  verdictsPerMatch: number;
}

/** What to expect of a judge of which nothing is known, asked in both orders. */
export const EXPECTED_NOISE = { noise: 1, verdictsPerMatch: 2 };

/**
 * Standard error to be expected of the difference between two candidates of about equal strength, in logits:
 * 2σ²/n from the hypotheses and 4·noise·2/(verdicts·matches·candidates) from the verdicts of a round robin.
 */
export function expectedStandardError(design: BenchDesign, variances: ExpectedVariances): number {
  const { ofHypotheses, ofVerdicts } = expectedVariance(design, variances);
  return Math.sqrt(ofHypotheses + ofVerdicts);
}

export function expectedVariance(
  { candidates, n, matches }: BenchDesign,
  { spread, noise, verdictsPerMatch }: ExpectedVariances,
): { ofHypotheses: number; ofVerdicts: number } {
  return {
    ofHypotheses: (2 * spread ** 2) / n,
    ofVerdicts: (8 * noise) / (verdictsPerMatch * matches * candidates),
  };
}

/**
 * The gap between two candidates that a bench calls "better" in 80 % of cases, in Elo, all pairs held at once.
 * From the design and the expected variances; never from a gap that was seen.
 * @param standardError of a difference, in logits
 */
export function detectableGapElo(design: BenchDesign, standardError: number): number {
  const degrees = design.candidates * (design.n - 1);
  if (degrees < 1) return Number.POSITIVE_INFINITY;
  const critical = studentizedRangeQuantile(CONFIDENCE, design.candidates, degrees) / Math.SQRT2;
  return ELO_PER_LOGIT * (critical + powered()) * standardError;
}

export interface UnitCosts {
  usdPerHypothesis: number;
  usdPerVerdict: number;
}

export interface PowerPlan extends BenchDesign {
  spread: number;
  detectableGapElo: number;
  hypotheses: number;
  verdicts: number;
  /** Expected; null where a price is unknown. */
  usd: number | null;
  /** Below this many hypotheses no number of matches is enough. */
  leastHypotheses: number;
}

/**
 * The cheapest n and matches a pair that see the gap with 80 % power, all pairs held at once. Without costs a
 * hypothesis counts as much as twenty verdicts.
 * @returns null when 1,000 hypotheses a candidate and 1,000 matches a pair do not see it
 */
export function planForGap(
  gapElo: number,
  candidates: number,
  variances: ExpectedVariances,
  costs: UnitCosts | null,
): PowerPlan | null {
  let cheapest: (PowerPlan & { price: number }) | null = null;
  for (let n = 2; n <= MOST; n++) {
    const matches = fewestMatches(gapElo, candidates, n, variances);
    if (matches === null) continue;
    const hypotheses = candidates * n;
    const verdicts = ((candidates * (candidates - 1)) / 2) * matches * variances.verdictsPerMatch;
    const { usdPerHypothesis, usdPerVerdict } = costs ?? USUAL_RATIO;
    const price = hypotheses * usdPerHypothesis + verdicts * usdPerVerdict;
    if (cheapest === null || price < cheapest.price) {
      const design = { candidates, n, matches };
      cheapest = {
        ...design,
        spread: variances.spread,
        detectableGapElo: detectableGapElo(design, expectedStandardError(design, variances)),
        hypotheses,
        verdicts,
        usd: costs === null ? null : price,
        leastHypotheses: leastHypotheses(gapElo, variances.spread),
        price,
      };
    }
    // More hypotheses alone cost more than the cheapest plan does in all: nothing better follows.
    else if (hypotheses * usdPerHypothesis >= cheapest.price && usdPerHypothesis > 0) break;
  }
  if (cheapest === null) return null;
  const { price: _price, ...plan } = cheapest;
  return plan;
}

const MOST = 1000;
const USUAL_RATIO: UnitCosts = { usdPerHypothesis: 20, usdPerVerdict: 1 };

/** null when even 1,000 matches a pair do not see the gap with so many hypotheses. */
function fewestMatches(
  gapElo: number,
  candidates: number,
  n: number,
  variances: ExpectedVariances,
): number | null {
  const gapAtOne = detectableGapElo({ candidates, n, matches: 1 }, 1);
  const allowed = (gapElo / gapAtOne) ** 2;
  const { ofHypotheses, ofVerdicts } = expectedVariance({ candidates, n, matches: 1 }, variances);
  if (allowed <= ofHypotheses) return null;
  const matches = Math.max(1, Math.ceil(ofVerdicts / (allowed - ofHypotheses) - 1e-9));
  return matches <= MOST ? matches : null;
}

function twoSided(): number {
  return normalQuantile((1 + CONFIDENCE) / 2);
}

function powered(): number {
  return normalQuantile(POWER);
}
