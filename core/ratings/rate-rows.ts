import type { VirtualTies } from './bradley-terry';
import { rateCandidates } from './candidate-ratings';
import { groupedMatches } from './grouped-rows';
import { rateItems } from './item-ratings';
import { checkRows } from './row-problems';

/** One verdict of anybody's file. */
export interface VerdictRow {
  left: string;
  right: string;
  winner: 'left' | 'right' | 'tie';
  /** The match to which both orders, all repeats and all judges belong. Rows without one stand alone. */
  cluster?: string;
  /** What the left item belongs to, or what stands for it in this row (the finer of the two is the hypothesis). */
  leftGroup?: string;
  rightGroup?: string;
}

/** A rated item. Ends and ranks are null where the file holds too little to tell. */
export interface RowRating {
  item: string;
  rating: number;
  low: number | null;
  high: number | null;
  rankLow: number | null;
  rankHigh: number | null;
}

export interface RowRatings {
  settings: {
    method: 'bt' | 'elo';
    rows: number;
    /** False: rows were taken as independent, and verdicts on the same match make intervals too narrow. */
    clustered: boolean;
    /** What the intervals stand for: this very text, or a fresh one of the same origin. */
    estimand: 'item' | 'fresh_hypothesis' | 'none';
    /** More items than intervals are made for (2,000). */
    isTooManyForIntervals: boolean;
    isConnected: boolean | null;
    prior: VirtualTies | null;
    seed: number | null;
    k: number | null;
    start: number | null;
  };
  /** Best first. */
  ratings: RowRating[];
  /** Where items belong to groups: the groups, each by a typical item of its. */
  groups: RowRating[] | null;
}

/**
 * Bradley–Terry over a file of verdicts (mean 1000). With groups, the finer of item and group is taken as the
 * hypothesis: items within groups are rated themselves, and their groups beside them; groups within items (an
 * item's texts) give the items intervals that carry the differences between its texts.
 *
 * @throws RangeError naming the first row that cannot be rated (row-problems.ts has them all)
 */
export function rateRows(rows: readonly VerdictRow[], seed: number): RowRatings {
  checkRows(rows);
  const clustered = rows.some(({ cluster }) => cluster !== undefined);
  const grouped = groupedMatches(rows);
  const settings = { method: 'bt', rows: rows.length, clustered, seed, k: null, start: null } as const;
  if (grouped?.level === 'groups_within_items') {
    const { settings: of, ratings } = ratedGroups(grouped.matches, seed);
    const estimand = 'fresh_hypothesis';
    return {
      settings: { ...settings, estimand, isTooManyForIntervals: false, ...of },
      ratings,
      groups: null,
    };
  }
  const { ratings, ...of } = rateItems(rows);
  return {
    settings: { ...settings, estimand: 'item', ...of },
    ratings,
    groups: grouped === null ? null : ratedGroups(grouped.matches, seed).ratings,
  };
}

function ratedGroups(
  matches: Parameters<typeof rateCandidates>[0],
  seed: number,
): { settings: { isConnected: boolean; prior: VirtualTies | null }; ratings: RowRating[] } {
  const { settings, candidates } = rateCandidates(matches, { seed, draws: 1 });
  const ratings = candidates.map(({ candidate, rating, interval, rankLow, rankHigh }) => ({
    item: candidate,
    rating: rating!,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    rankLow: interval === null ? null : rankLow,
    rankHigh: interval === null ? null : rankHigh,
  }));
  return { settings: { isConnected: settings.isConnected, prior: settings.prior }, ratings };
}
