import type { VerdictRow } from './rate-rows';
import type { RatedMatch } from './rated-match';

/** Rows joined to matches between hypotheses (the finer names) of candidates (the coarser ones). */
export interface GroupedMatches {
  level: 'items_within_groups' | 'groups_within_items';
  matches: RatedMatch[];
}

/**
 * null where no row has groups.
 * @throws RangeError where only some rows have them, where neither lies within the other, where a cluster holds
 *   several pairs, or where a row compares a candidate with itself
 */
export function groupedMatches(rows: readonly VerdictRow[]): GroupedMatches | null {
  if (rows.every(({ leftGroup, rightGroup }) => leftGroup === undefined && rightGroup === undefined))
    return null;
  const bare = rows.findIndex(
    ({ leftGroup, rightGroup }) => leftGroup === undefined || rightGroup === undefined,
  );
  if (bare >= 0) throw new RangeError(`row ${bare}: no group, though other rows have one`);
  const level = levelOf(rows);
  const names = (item: string, group: string) =>
    level === 'items_within_groups' ? { cand: group, hyp: item } : { cand: item, hyp: `${item}/${group}` };
  const matches = new Map<string, { match: RatedMatch; points: number; rows: number }>();
  rows.forEach(({ left, right, winner, cluster, leftGroup, rightGroup }, row) => {
    const one = names(left, leftGroup!);
    const other = names(right, rightGroup!);
    if (one.cand === other.cand) throw new RangeError(`row ${row}: "${one.cand}" is compared with itself`);
    const points = winner === 'tie' ? 0.5 : winner === 'left' ? 1 : 0;
    const key = cluster === undefined ? `row ${row}` : `cluster ${cluster}`;
    const known = matches.get(key);
    if (known === undefined) {
      matches.set(key, { match: matchOf(matches.size, one, other), points, rows: 1 });
      return;
    }
    const isSame = known.match.hypA === one.hyp && known.match.hypB === other.hyp;
    if (!isSame && !(known.match.hypA === other.hyp && known.match.hypB === one.hyp)) {
      throw new RangeError(`row ${row}: cluster "${cluster}" holds more than one pair`);
    }
    known.points += isSame ? points : 1 - points;
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

function levelOf(rows: readonly VerdictRow[]): GroupedMatches['level'] {
  const groupsOf = new Map<string, string>();
  const itemsOf = new Map<string, string>();
  let crossesItem = -1;
  let crossesGroup = -1;
  rows.forEach(({ left, right, leftGroup, rightGroup }, row) => {
    for (const [item, group] of [
      [left, leftGroup!],
      [right, rightGroup!],
    ] as const) {
      if ((groupsOf.get(item) ?? group) !== group) crossesItem = row;
      if ((itemsOf.get(group) ?? item) !== item) crossesGroup = row;
      groupsOf.set(item, group);
      itemsOf.set(group, item);
    }
  });
  if (crossesItem < 0) return 'items_within_groups';
  if (crossesGroup < 0) return 'groups_within_items';
  throw new RangeError(
    `row ${Math.max(crossesItem, crossesGroup)}: items and groups cross; one must lie within the other`,
  );
}
