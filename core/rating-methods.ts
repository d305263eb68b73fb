import { compareText } from './compare-text';
import { type EloSettings, replayElo } from './elo';
import { type RowRatings, rateRows, type VerdictRow } from './ratings/rate-rows';
import { checkRows } from './ratings/row-problems';

/** A way to rate a file of verdicts. A new one is one entry in `RATING_METHODS`. */
export interface RatingMethod {
  name: string;
  /** One line for a list of methods. */
  description: string;
  /** @throws RangeError naming the row that cannot be rated */
  rate(rows: readonly VerdictRow[], options: RowRatingOptions): RowRatings;
}

export interface RowRatingOptions {
  seed: number;
  /** Sequential Elo only. */
  k: number;
  start: number;
}

/** K = 4 and a start of 1000, as FastChat's arena has them. */
export const DEFAULT_ROW_OPTIONS: RowRatingOptions = { seed: 20261004, k: 4, start: 1000 };

export const RATING_METHODS: readonly RatingMethod[] = [
  {
    name: 'bt',
    description: 'Bradley–Terry by maximum likelihood, with intervals; the order of rows does not matter',
    rate: (rows, { seed }) => rateRows(rows, seed),
  },
  {
    name: 'elo',
    description: 'sequential Elo with a fixed K, in the order of the rows; no intervals',
    rate: rateBySequentialElo,
  },
];

/** @returns null where no method has this name */
export function findRatingMethod(name: string): RatingMethod | null {
  return RATING_METHODS.find((method) => method.name === name) ?? null;
}

function rateBySequentialElo(rows: readonly VerdictRow[], { k, start }: RowRatingOptions): RowRatings {
  checkRows(rows);
  const settings: EloSettings = { start, earlyK: k, lateK: k, earlyMatches: 0 };
  const matches = rows.map(({ left, right, winner }) => ({
    a: left,
    b: right,
    scoreA: winner === 'tie' ? 0.5 : winner === 'left' ? 1 : 0,
  }));
  const ratings = [...replayElo(matches, settings)].map(([item, rating]) => ({
    item,
    rating,
    low: null,
    high: null,
    rankLow: null,
    rankHigh: null,
  }));
  return {
    settings: {
      method: 'elo',
      rows: rows.length,
      clustered: rows.some(({ cluster }) => cluster !== undefined),
      estimand: 'none',
      isTooManyForIntervals: false,
      isConnected: null,
      prior: null,
      seed: null,
      k,
      start,
    },
    ratings: ratings.sort((one, other) => other.rating - one.rating || compareText(one.item, other.item)),
    groups: null,
  };
}
