import type { VerdictRow } from './rate-rows';

/** Why a row cannot be rated together with the others. */
export interface RowProblem {
  /** Its place, from 0. */
  row: number;
  problem: string;
}

/** How groups and items lie in each other. The finer of the two is the hypothesis, the coarser its candidate. */
export type GroupLevel = 'items_within_groups' | 'groups_within_items';

/** Everything that keeps rows from being rated, in their order. */
export function rowProblems(rows: readonly VerdictRow[]): RowProblem[] {
  const problems = selfComparisons(rows, ({ left, right }) => [left, right]);
  if (!hasGroups(rows)) return problems;
  const bare = rows.flatMap(({ leftGroup, rightGroup }, row) =>
    leftGroup === undefined || rightGroup === undefined
      ? [{ row, problem: 'no group, though other rows have one' }]
      : [],
  );
  if (bare.length > 0) return inOrder([...problems, ...bare]);
  const level = levelOfGroups(rows);
  if ('row' in level) return inOrder([...problems, level]);
  const known = new Set(problems.map(({ row }) => row));
  const withinGroups =
    level.kind === 'items_within_groups'
      ? selfComparisons(rows, ({ leftGroup, rightGroup }) => [leftGroup!, rightGroup!])
      : [];
  return inOrder([
    ...problems,
    ...withinGroups.filter(({ row }) => !known.has(row)),
    ...clustersOfSeveralPairs(rows),
  ]);
}

/** @throws RangeError naming the first row that cannot be rated */
export function checkRows(rows: readonly VerdictRow[]): void {
  const [first] = rowProblems(rows);
  if (first) throw new RangeError(`row ${first.row}: ${first.problem}`);
}

export function hasGroups(rows: readonly VerdictRow[]): boolean {
  return rows.some(({ leftGroup, rightGroup }) => leftGroup !== undefined || rightGroup !== undefined);
}

/** @returns a problem where neither lies within the other */
export function levelOfGroups(rows: readonly VerdictRow[]): { kind: GroupLevel } | RowProblem {
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
  if (crossesItem < 0) return { kind: 'items_within_groups' };
  if (crossesGroup < 0) return { kind: 'groups_within_items' };
  return {
    row: Math.max(crossesItem, crossesGroup),
    problem: 'items and groups cross; one must lie within the other',
  };
}

/** Names a cluster that rows without one cannot have. */
export function clusterOfRow({ cluster }: VerdictRow, row: number): string {
  return cluster === undefined ? `row ${row}` : `cluster ${cluster}`;
}

function selfComparisons(
  rows: readonly VerdictRow[],
  sidesOf: (row: VerdictRow) => [string, string],
): RowProblem[] {
  return rows.flatMap((verdict, row) => {
    const [one, other] = sidesOf(verdict);
    return one === other ? [{ row, problem: `"${one}" is compared with itself` }] : [];
  });
}

/** A cluster is a match of two hypotheses, in either order. */
function clustersOfSeveralPairs(rows: readonly VerdictRow[]): RowProblem[] {
  const pairs = new Map<string, string>();
  return rows.flatMap((verdict, row) => {
    const { left, right, leftGroup, rightGroup, cluster } = verdict;
    if (cluster === undefined) return [];
    const pair = JSON.stringify([[left, leftGroup].join('\n'), [right, rightGroup].join('\n')].sort());
    const known = pairs.get(cluster);
    pairs.set(cluster, known ?? pair);
    return known === undefined || known === pair
      ? []
      : [{ row, problem: `cluster "${cluster}" holds more than one pair` }];
  });
}

function inOrder(problems: RowProblem[]): RowProblem[] {
  return problems.sort((one, other) => one.row - other.row);
}
