import { outcomeVariance } from './curvature';
import { ELO_PER_LOGIT, logitFromElo } from './elo-scale';
import { CONFIDENCE, LEAST_MATCHES } from './interval';
import { normalQuantile } from './normal';
import { studentizedRangeQuantile } from './studentized-range';
import { DEFAULT_VARIANCE_PRIOR } from './variance-components';

export const POWER = 0.8;

/**
 * Independent decisive items (cases, CSV rows) needed to see that a win rate p is not ½, two-sided 5 %, power 80 %:
 * ((z/2 + z′·√(p(1 − p))) / (p − ½))², rounded up (Fleiss, Levin and Paik 2003, of one proportion).
 * @param winRate between ½ and 1, both excluded (below ½ counts as its mirror)
 */
export function itemsForWinRate(winRate: number): number {
  const gap = Math.abs(winRate - 0.5);
  if (!(gap > 0 && gap < 0.5)) throw new RangeError(`power: a win rate of ${winRate} has no sample size`);
  const reach = twoSided() * 0.5 + powered() * Math.sqrt(winRate * (1 - winRate));
  return Math.ceil((reach / gap) ** 2);
}

/**
 * Hypotheses each of two candidates needs at the least, were verdicts free and perfect: 2σ²(z + z′)²/Δ², the sample
 * size for a difference of two means.
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
export const EXPECTED_NOISE = { noise: 0.85, verdictsPerMatch: 2 };

/** Of the difference between two candidates, in logits, as a bench would state it. */
export interface ExpectedError {
  standardError: number;
  degrees: number;
}

/**
 * What a round robin would state of a gap between two candidates with the others in between: 2σ²/n from the
 * hypotheses, 2·noise/(verdicts·w·matches·candidates) from the verdicts, w the mean p(1 − p) that the two play
 * at (large gaps are harder to measure), σ² as far as the prior of variance-components.ts lets it be seen, and
 * the degrees of freedom it would have there. First order, for a balanced schedule.
 */
function expectedError(gapElo: number, design: BenchDesign, expected: ExpectedVariances): ExpectedError {
  const { candidates, n, matches } = design;
  const { noise, verdictsPerMatch } = expected;
  const gap = logitFromElo(gapElo);
  const weight = ((candidates - 2) * outcomeVariance(gap / 2, 0) + 2 * outcomeVariance(gap, 0)) / candidates;
  const ofVerdicts = (2 * noise) / (verdictsPerMatch * weight * matches * candidates);
  const perHypothesis = ((candidates - 1) * matches) / n;
  // Share of a hypothesis's points that its own strength makes up: the rest is its opponents' and noise.
  const signal = (between: number) =>
    (between * perHypothesis) / (between * (perHypothesis + 1) + noise / (verdictsPerMatch * weight));
  const prior = DEFAULT_VARIANCE_PRIOR;
  const seen = candidates * (n - 1) * signal(Math.max(expected.spread, prior.spread) ** 2) ** 2;
  const pooledDegrees = seen + prior.spreadDegrees;
  const between = (seen * expected.spread ** 2 + prior.spreadDegrees * prior.spread ** 2) / pooledDegrees;
  const likely = Math.max(between, prior.leastSpread ** 2);
  const ownDegrees = (n - 1) * signal(likely) ** 2 + prior.candidateDegrees;
  const part = (likely / n) * Math.max(0, 1 - 1 / perHypothesis);
  const variance = (2 * between) / n + ofVerdicts;
  const matchDegrees = (candidates * (candidates - 1) * matches) / 2 - candidates + 1 + prior.noiseDegrees;
  const uncertainty =
    ofVerdicts ** 2 / matchDegrees + (2 * part ** 2) / ownDegrees + (2 * part) ** 2 / pooledDegrees;
  return { standardError: Math.sqrt(variance), degrees: Math.max(1, variance ** 2 / uncertainty) };
}

/**
 * The gap that is called "better" in 80 % of cases, in Elo, all pairs held at once.
 * @param error of the difference, from a design or from a bench; never from a gap that was seen
 */
export function gapSeenElo(candidates: number, { standardError, degrees }: ExpectedError): number {
  return ELO_PER_LOGIT * (criticalRange(candidates, degrees) + powered()) * standardError;
}

/**
 * The smallest gap that a bench of this design would see. Infinite where there is none: with one hypothesis each
 * or too few matches for intervals, or where a gap large enough would leave nearly every verdict to one side, and nothing to measure it by.
 */
export function detectableGapElo(design: BenchDesign, expected: ExpectedVariances): number {
  if (design.n < 2 || (design.candidates - 1) * design.matches < LEAST_MATCHES)
    return Number.POSITIVE_INFINITY;
  for (let high = LEAST_GAP_ELO; high < LARGEST_GAP_ELO; high *= GAP_STEP) {
    if (isSeen(high, design, expected))
      return smallestSeen(high === LEAST_GAP_ELO ? 0 : high / GAP_STEP, high, design, expected);
  }
  return Number.POSITIVE_INFINITY;
}

const LEAST_GAP_ELO = 10;
const LARGEST_GAP_ELO = 1500;
const GAP_STEP = 1.2;

function smallestSeen(
  unseen: number,
  seen: number,
  design: BenchDesign,
  expected: ExpectedVariances,
): number {
  let [low, high] = [unseen, seen];
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (isSeen(middle, design, expected)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The chance of a gap is 80 % when the estimate, at the lower end of what it then is, still passes: the error
 * that counts is that of the smaller estimate.
 */
function isSeen(gapElo: number, design: BenchDesign, expected: ExpectedVariances): boolean {
  const { standardError } = expectedError(gapElo, design, expected);
  const unlucky = gapElo - ELO_PER_LOGIT * powered() * standardError;
  if (unlucky <= 0) return false;
  const error = expectedError(unlucky, design, expected);
  return ELO_PER_LOGIT * criticalRange(design.candidates, error.degrees) * error.standardError <= unlucky;
}

/** How many standard errors a difference must have to be called better, all pairs held at once. */
function criticalRange(candidates: number, degrees: number): number {
  return studentizedRangeQuantile(CONFIDENCE, candidates, degrees) / Math.SQRT2;
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
  expected: ExpectedVariances,
  costs: UnitCosts | null,
): PowerPlan | null {
  let cheapest: (PowerPlan & { price: number }) | null = null;
  for (let n = 2; n <= MOST; n++) {
    const matches = fewestMatches(gapElo, candidates, n, expected);
    if (matches === null) continue;
    const hypotheses = candidates * n;
    const verdicts = ((candidates * (candidates - 1)) / 2) * matches * expected.verdictsPerMatch;
    const { usdPerHypothesis, usdPerVerdict } = costs ?? USUAL_RATIO;
    const price = hypotheses * usdPerHypothesis + verdicts * usdPerVerdict;
    if (cheapest === null || price < cheapest.price) {
      const design = { candidates, n, matches };
      cheapest = {
        ...design,
        spread: expected.spread,
        detectableGapElo: detectableGapElo(design, expected),
        hypotheses,
        verdicts,
        usd: costs === null ? null : price,
        leastHypotheses: leastHypotheses(gapElo, expected.spread),
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
  expected: ExpectedVariances,
): number | null {
  if (!isSeen(gapElo, { candidates, n, matches: MOST }, expected)) return null;
  let enough = MOST;
  let short = 0;
  while (enough - short > 1) {
    const middle = Math.floor((enough + short) / 2);
    if (isSeen(gapElo, { candidates, n, matches: middle }, expected)) enough = middle;
    else short = middle;
  }
  return enough;
}

function twoSided(): number {
  return normalQuantile((1 + CONFIDENCE) / 2);
}

function powered(): number {
  return normalQuantile(POWER);
}
