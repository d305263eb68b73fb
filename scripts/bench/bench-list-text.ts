import truncate from 'cli-truncate';
import { costText, countText } from '../../core/report/figure-text';
import type { BenchListRow } from '../../db/bench-list';
import { type Column, plainTable, textWidth } from './plain-table';
import { printable } from './printable';
import { formatElapsed } from './progress-view';
import type { Colours } from './terminal';

interface ListColumn extends Column {
  value(bench: BenchListRow): string;
}

const MAX_ABOUT = 60;
/** Shorter than this it says nothing. */
const MIN_ABOUT = 24;

/** A line a bench; on a narrow terminal what it is about is cut, and then the last columns are left out. */
export function benchListText(
  benches: BenchListRow[],
  { width, colours, nowMs }: { width: number; colours: Colours; nowMs: number },
): string {
  if (benches.length === 0) return 'no benches yet; start one: npm run demo\n';
  const columns: ListColumn[] = [
    { name: 'bench', value: (b) => b.benchId },
    { name: 'state', value: (b) => b.state },
    { name: 'started', align: 'right', value: (b) => formatAge(nowMs - b.createdAt.getTime()) },
    { name: COST, align: 'right', value: (b) => `${b.simulated ? 'sim. ' : ''}${costText(b)}` },
    { name: 'first', value: (b) => truncate(b.leaders.join(', ') || '–', 32, { position: 'middle' }) },
    { name: ABOUT, value: (b) => describe(b, MAX_ABOUT) },
  ];
  const render = (shown: ListColumn[]) =>
    plainTable(
      shown,
      benches.map((bench) => shown.map((column) => column.value(bench))),
      colours.bold,
    );
  const over = Math.max(0, textWidth(render(columns)) - width);
  const widest = Math.max(...benches.map((bench) => describe(bench, MAX_ABOUT).length));
  const room = Math.max(MIN_ABOUT, widest - over);
  let shown = columns.map((column) =>
    column.name === ABOUT ? { ...column, value: (b: BenchListRow) => describe(b, room) } : column,
  );
  while (shown.length > 2 && textWidth(render(shown)) > width) shown = shown.slice(0, -1);
  const hasCosts = shown.some(({ name }) => name === COST);
  const footnote =
    hasCosts && benches.some((b) => b.simulated)
      ? `\n${colours.dim('sim.: some or all of its models are simulated')}`
      : '';
  return `${render(shown)}${footnote}\n`;
}

const COST = 'cost';
const ABOUT = 'about';

function describe({ preset, goal, nCandidates }: BenchListRow, longest: number): string {
  return truncate(`${countText(nCandidates, 'candidate')}, ${preset ?? printable(goal)}`, longest);
}

function formatAge(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  if (days >= 1) return `${days} d ago`;
  return ms < 60_000 ? 'just now' : `${formatElapsed(ms).replace(/ \d\d (s|min)$/, '')} ago`;
}
