/** The key cases are ordered by, in words, for every output that depends on it. */
export const CASE_ORDER = 'by case id, runs of digits compared as numbers, the rest by UTF-16 code units';

/**
 * Compares two case ids so that `case-2` comes before `case-10`. A total order: 0 only for equal ids. The
 * bootstrap draws positions, so the order of cases must follow from the ids and not from the order of lines.
 */
export function compareCaseIds(a: string, b: string): number {
  const left = pieces(a);
  const right = pieces(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const compared = comparePieces(left[i]!, right[i]!);
    if (compared !== 0) return compared;
  }
  return left.length - right.length || compareText(a, b);
}

function pieces(id: string): string[] {
  return id.match(/[0-9]+|[^0-9]+/g) ?? [];
}

function comparePieces(a: string, b: string): number {
  if (!isNumber(a) || !isNumber(b)) return compareText(a, b);
  // Without leading zeros the longer number is the greater one, whatever its length.
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return x.length - y.length || compareText(x, y);
}

function isNumber(piece: string): boolean {
  return piece[0]! >= '0' && piece[0]! <= '9';
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
