import { costText, countText } from '../../core/report/figure-text';
import type { BenchListRow } from '../../db/bench-list';
import { plainTable } from './plain-table';
import { printable } from './printable';
import { formatElapsed } from './progress-view';
import { numberColumn, splitTable, type ValueColumn } from './split-table';
import type { Colours } from './terminal';
import { cutToWidth, textWidth } from './text-width';
import { hangingLines } from './wrapped-text';

type ListColumn = ValueColumn<BenchListRow>;

const MAX_ABOUT = 60;
/** Shorter than this it says nothing. */
const MIN_ABOUT = 24;

/** A line a bench; on a narrow terminal what it is about is cut, and then there are several tables of numbered benches. */
export function benchListText(
  benches: BenchListRow[],
  { width, colours, nowMs }: { width: number; colours: Colours; nowMs: number },
): string {
  if (benches.length === 0) return 'no benches yet; start one: npm run demo\n';
  const facts: ListColumn[] = [
    { name: 'bench', value: (b) => b.benchId },
    { name: 'state', value: (b) => b.state },
    { name: 'started', align: 'right', value: (b) => formatAge(nowMs - b.createdAt.getTime()) },
    { name: 'cost', align: 'right', value: (b) => `${b.simulated ? 'sim. ' : ''}${costText(b)}` },
    { name: 'first', value: (b) => cutToWidth(b.leaders.join(', ') || '–', 32, 'middle') },
  ];
  const about = (longest: number): ListColumn => ({
    name: 'about',
    value: (bench) => describe(bench, longest),
    tightWidth: Math.max(MIN_ABOUT, width - 3),
  });
  const whole = (longest: number) => {
    const columns = [...facts, about(longest)];
    const cells = benches.map((bench) => columns.map(({ value }) => value(bench)));
    return plainTable(columns, cells, colours.bold);
  };
  const over = Math.max(0, textWidth(whole(MAX_ABOUT)) - width);
  const room = Math.max(...benches.map((bench) => textWidth(describe(bench, MAX_ABOUT)))) - over;
  const label = numberColumn(benches); // an id is there to be copied: it is neither cut nor told twice
  const place = { label, width, bold: colours.bold };
  const table =
    over === 0 || room >= MIN_ABOUT
      ? whole(room)
      : splitTable([label, ...facts, about(MAX_ABOUT)], benches, place);
  const footnote = benches.some((b) => b.simulated)
    ? `\n${hangingLines(colours.dim('sim.: some or all of its models are simulated'), width).join('\n')}`
    : '';
  return `${table}${footnote}\n`;
}

function describe({ preset, goal, nCandidates }: BenchListRow, longest: number): string {
  return cutToWidth(`${countText(nCandidates, 'candidate')}, ${preset ?? printable(goal)}`, longest);
}

function formatAge(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  if (days >= 1) return `${days} d ago`;
  return ms < 60_000 ? 'just now' : `${formatElapsed(ms).replace(/ \d\d (s|min)$/, '')} ago`;
}
