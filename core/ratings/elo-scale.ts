/** Elo points in one logit: 400 / ln 10. */
export const ELO_PER_LOGIT = 400 / Math.LN10;

export function eloFromLogit(logit: number): number {
  return logit * ELO_PER_LOGIT;
}

/** Ratings of candidates and items are Elo points around this mean. */
export const MEAN_RATING = 1000;

/** The rating of a strength in logits, where the strengths' mean is zero. */
export function ratingFromLogit(logit: number): number {
  return MEAN_RATING + eloFromLogit(logit);
}

export function logitFromElo(elo: number): number {
  return elo / ELO_PER_LOGIT;
}

/** The chance that the first beats the second, from their strengths in logits. */
export function winProbability(first: number, second: number): number {
  return sigmoid(first - second);
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** @param probability strictly between 0 and 1 for a finite answer */
export function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}
