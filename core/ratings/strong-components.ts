import type { PairCounts } from './pair-counts';

/**
 * Number of strongly connected components of the win graph, which has an edge to each item from every item it
 * took a point or a part of one from. One component: every item can be reached from every other by wins, which
 * is Ford's condition (1957) for a finite Bradley–Terry maximum.
 */
export function countStrongComponents(pairs: PairCounts): number {
  return new Set(strongComponents(pairs)).size;
}

/** Number of sets of items that no comparison connects: 1 where each can be set against each. */
export function countIslands(pairs: PairCounts): number {
  // As if every comparison had been a tie, so that any one joins its two.
  return countStrongComponents({ ...pairs, scoreLow: pairs.games.map((games) => games / 2) });
}

/** The component of each item, numbered from 0. Tarjan (1972), without recursion. */
export function strongComponents(pairs: PairCounts): Int32Array {
  const graph = lossGraph(pairs);
  const size = pairs.items.length;
  const component = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1);
  const lowest = new Int32Array(size);
  const nextEdge = new Int32Array(size);
  const open: number[] = [];
  let visited = 0;
  let components = 0;
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    const path = [root];
    while (path.length > 0) {
      const item = path[path.length - 1]!;
      if (order[item] === -1) {
        order[item] = lowest[item] = visited++;
        nextEdge[item] = graph.start[item]!;
        open.push(item);
      }
      const edge = nextEdge[item]!;
      if (edge < graph.start[item + 1]!) {
        nextEdge[item] = edge + 1;
        const target = graph.target[edge]!;
        if (order[target] === -1) path.push(target);
        else if (component[target] === -1) lowest[item] = Math.min(lowest[item]!, order[target]!);
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[item]!);
      if (lowest[item] === order[item]) {
        closeComponent(open, item, component, components);
        components += 1;
      }
    }
  }
  return component;
}

function closeComponent(open: number[], root: number, component: Int32Array, number: number): void {
  for (;;) {
    const member = open.pop()!;
    component[member] = number;
    if (member === root) return;
  }
}

/** Edges grouped by their source: those of item i are `target[start[i]] … target[start[i + 1] − 1]`. */
function lossGraph(pairs: PairCounts): { start: Int32Array; target: Int32Array } {
  const { low, high, games, scoreLow } = pairs;
  const start = new Int32Array(pairs.items.length + 1);
  for (let k = 0; k < games.length; k++) {
    if (scoreLow[k]! > 0) start[high[k]! + 1]! += 1;
    if (scoreLow[k]! < games[k]!) start[low[k]! + 1]! += 1;
  }
  for (let i = 1; i < start.length; i++) start[i]! += start[i - 1]!;
  const target = new Int32Array(start[start.length - 1]!);
  const next = start.slice();
  for (let k = 0; k < games.length; k++) {
    if (scoreLow[k]! > 0) target[next[high[k]!]!++] = low[k]!;
    if (scoreLow[k]! < games[k]!) target[next[low[k]!]!++] = high[k]!;
  }
  return { start, target };
}
