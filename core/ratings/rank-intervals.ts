/** Ranks from 1, the best. All of a bench's hold at once (Al Mohamad, Goeman and van Zwet 2022, from Tukey's differences). */
export interface RankInterval {
  /** 1 + how many are surely better. */
  rankLow: number;
  /** All, less how many are surely worse. */
  rankHigh: number;
}

/** @param isBetter whether the first (by number) is surely better than the second, by simultaneous intervals */
export function rankIntervals(
  size: number,
  isBetter: (first: number, second: number) => boolean,
): RankInterval[] {
  const intervals: RankInterval[] = [];
  for (let i = 0; i < size; i++) {
    let better = 0;
    let worse = 0;
    for (let j = 0; j < size; j++) {
      if (i === j) continue;
      if (isBetter(j, i)) better += 1;
      else if (isBetter(i, j)) worse += 1;
    }
    intervals.push({ rankLow: 1 + better, rankHigh: size - worse });
  }
  return intervals;
}
