import type { VerdictRow } from './rate-rows';
import type { RatedMatch } from './rated-match';
import { clusterOfRow, type GroupLevel, hasGroups, levelOfGroups } from './row-problems';

/** Rows joined to matches between hypotheses (the finer names) of candidates (the coarser ones). */
export interface GroupedMatches {
  level: GroupLevel;
  matches: RatedMatch[];
}

/**
 * null where no row has groups.
 * @param rows that `rowProblems` finds nothing wrong with
 */
export function groupedMatches(rows: readonly VerdictRow[]): GroupedMatches | null {
  if (!hasGroups(rows)) return null;
  const found = levelOfGroups(rows);
  if ('row' in found) throw new RangeError(`row ${found.row}: ${found.problem}`);
  const level = found.kind;
  const names = (item: string, group: string) =>
    level === 'items_within_groups' ? { cand: group, hyp: item } : { cand: item, hyp: `${item}/${group}` };
  const matches = new Map<string, { match: RatedMatch; points: number; rows: number }>();
  rows.forEach((verdict, row) => {
    const { left, right, winner, leftGroup, rightGroup } = verdict;
    const one = names(left, leftGroup!);
    const other = names(right, rightGroup!);
    const points = winner === 'tie' ? 0.5 : winner === 'left' ? 1 : 0;
    const key = clusterOfRow(verdict, row);
    const known = matches.get(key);
    if (known === undefined) {
      matches.set(key, { match: matchOf(matches.size, one, other), points, rows: 1 });
      return;
    }
    known.points += known.match.hypA === one.hyp ? points : 1 - points;
    known.rows += 1;
  });
  return {
    level,
    matches: [...matches.values()].map(({ match, points, rows: count }) => ({
      ...match,
      scoreA: points / count,
      verdicts: Array.from({ length: count }, (_, repeat) => ({
        judge: '',
        order: repeat % 2 === 0 ? 'ab' : 'ba',
        winner: 'tie',
        repeat: 0,
      })),
    })),
  };
}

function matchOf(
  index: number,
  one: { cand: string; hyp: string },
  other: { cand: string; hyp: string },
): RatedMatch {
  return {
    index,
    candA: one.cand,
    candB: other.cand,
    hypA: one.hyp,
    hypB: other.hyp,
    scoreA: null,
    forfeit: 'none',
    unplayedReason: null,
    verdicts: [],
    run: '',
  };
}
