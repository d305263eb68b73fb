import type { ScoredPair } from './scored-pair';

/**
 * Comparisons summed by pair: all that Bradley–Terry needs, and the reason why it is linear in matches. Items
 * are numbered in the order of `items`; each pair stands once, `low[k] < high[k]`, sorted by (low, high).
 */
export interface PairCounts {
  /** Sorted by UTF-16 code unit, so that the order of the rows leaves no trace. */
  items: readonly string[];
  low: Int32Array;
  high: Int32Array;
  /** Comparisons of the pair. */
  games: Float64Array;
  /** What the lower-numbered item got of them. */
  scoreLow: Float64Array;
}

/**
 * @throws RangeError for a score outside 0 to 1 or an item compared with itself, naming the row
 */
export function countPairs(rows: readonly ScoredPair[]): PairCounts {
  const numbers = new Map<string, number>();
  const left = new Int32Array(rows.length);
  const right = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    const { left: a, right: b, scoreLeft } = rows[row]!;
    if (a === b) throw new RangeError(`row ${row}: "${a}" is compared with itself`);
    if (!(scoreLeft >= 0 && scoreLeft <= 1))
      throw new RangeError(`row ${row}: score ${scoreLeft} is not 0 to 1`);
    left[row] = numberOf(numbers, a);
    right[row] = numberOf(numbers, b);
  }
  const { items, place } = sortedItems(numbers);
  const sums = items.length <= DENSE_ITEMS ? new DenseSums(items.length) : new SparseSums(items.length);
  for (let row = 0; row < rows.length; row++) {
    const a = place[left[row]!]!;
    const b = place[right[row]!]!;
    const score = rows[row]!.scoreLeft;
    if (a < b) sums.add(a, b, score);
    else sums.add(b, a, 1 - score);
  }
  return { items, ...sums.pairs() };
}

/** Above this many items a full table of pairs would cost more memory (16 bytes a cell) than a map. */
const DENSE_ITEMS = 1500;

function numberOf(numbers: Map<string, number>, item: string): number {
  let number = numbers.get(item);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(item, number);
  }
  return number;
}

/** The items in order, and for each number of first appearance its place in that order. */
function sortedItems(numbers: Map<string, number>): { items: string[]; place: Int32Array } {
  const items = [...numbers.keys()].sort();
  const place = new Int32Array(items.length);
  items.forEach((item, index) => {
    place[numbers.get(item)!] = index;
  });
  return { items, place };
}

type SummedPairs = Omit<PairCounts, 'items'>;

class DenseSums {
  private readonly games: Float64Array;
  private readonly scores: Float64Array;

  constructor(private readonly size: number) {
    this.games = new Float64Array(size * size);
    this.scores = new Float64Array(size * size);
  }

  add(low: number, high: number, scoreLow: number): void {
    const cell = low * this.size + high;
    this.games[cell]! += 1;
    this.scores[cell]! += scoreLow;
  }

  pairs(): SummedPairs {
    const cells: number[] = [];
    for (let cell = 0; cell < this.games.length; cell++) if (this.games[cell]! > 0) cells.push(cell);
    return summedPairs(cells, this.size, (cell) => [this.games[cell]!, this.scores[cell]!]);
  }
}

class SparseSums {
  private readonly sums = new Map<number, [games: number, scoreLow: number]>();

  constructor(private readonly size: number) {}

  add(low: number, high: number, scoreLow: number): void {
    const cell = low * this.size + high;
    const sum = this.sums.get(cell);
    if (sum === undefined) this.sums.set(cell, [1, scoreLow]);
    else {
      sum[0] += 1;
      sum[1] += scoreLow;
    }
  }

  pairs(): SummedPairs {
    const cells = [...this.sums.keys()].sort((a, b) => a - b);
    return summedPairs(cells, this.size, (cell) => this.sums.get(cell)!);
  }
}

function summedPairs(
  cells: readonly number[],
  size: number,
  sumOf: (cell: number) => [games: number, scoreLow: number],
): SummedPairs {
  const low = new Int32Array(cells.length);
  const high = new Int32Array(cells.length);
  const games = new Float64Array(cells.length);
  const scoreLow = new Float64Array(cells.length);
  cells.forEach((cell, k) => {
    low[k] = Math.floor(cell / size);
    high[k] = cell % size;
    [games[k], scoreLow[k]] = sumOf(cell);
  });
  return { low, high, games, scoreLow };
}
