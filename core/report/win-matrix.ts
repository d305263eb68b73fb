import type { PlayedRecord } from './facts-of-record';

/** How one candidate did against another. */
export interface WinCell {
  wins: number;
  losses: number;
  ties: number;
  matches: number;
  /** Mean match score, 0 to 1: what ratings are made from; null when they have not met. */
  score: number | null;
}

/** Rows against columns, both in the order of `candidates`; null on the diagonal. */
export function winMatrix(
  candidates: readonly string[],
  matches: readonly PlayedRecord[],
): (WinCell | null)[][] {
  const place = new Map(candidates.map((id, i) => [id, i]));
  const cells = candidates.map((_, i) => candidates.map((__, j) => (i === j ? null : emptyCell())));
  const points = candidates.map(() => candidates.map(() => 0));
  for (const { candA, candB, winner, scoreA } of matches) {
    const [a, b] = [place.get(candA), place.get(candB)];
    if (a === undefined || b === undefined || a === b) continue;
    count(cells[a]![b]!, winner === 'a', winner === 'b');
    count(cells[b]![a]!, winner === 'b', winner === 'a');
    points[a]![b]! += scoreA;
    points[b]![a]! += 1 - scoreA;
  }
  return cells.map((row, i) =>
    row.map((cell, j) => cell && { ...cell, score: cell.matches > 0 ? points[i]![j]! / cell.matches : null }),
  );
}

function emptyCell(): WinCell {
  return { wins: 0, losses: 0, ties: 0, matches: 0, score: null };
}

function count(cell: WinCell, isWin: boolean, isLoss: boolean): void {
  cell.matches += 1;
  if (isWin) cell.wins += 1;
  else if (isLoss) cell.losses += 1;
  else cell.ties += 1;
}
