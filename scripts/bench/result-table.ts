import truncate from 'cli-truncate';
import type { BenchSummary, CandidateSummary } from '../../core/bench-summary';
import { formatCost, formatTokens } from './money';
import { type Column, plainTable, textWidth } from './plain-table';
import { formatCounts } from './progress-view';

interface ResultColumn extends Column {
  value(candidate: CandidateSummary): string;
}

const LABEL: ResultColumn = { name: 'label', value: (c) => c.label };
const NONE = '–';
const SHORTEST_LABEL = 12;

/**
 * The leaderboard. Where it is wider than the terminal it becomes two tables, ratings and the rest, with long labels
 * cut in their middle; nothing else is left out.
 * @param goldSetSize entities of the gold set; null without one
 */
export function resultTable(
  summary: BenchSummary,
  options: { width: number; goldSetSize: number | null; bold: (text: string) => string },
): string {
  const { width, bold } = options;
  const ratings = ratingColumns();
  const others = otherColumns(summary, options.goldSetSize);
  const whole = render([...ratings, ...others], summary, bold);
  if (textWidth(whole) <= width) return whole;
  return [ratings, [LABEL, ...others]].map((part) => renderWithin(part, summary, width, bold)).join('\n\n');
}

function ratingColumns(): ResultColumn[] {
  return [
    { name: '#', align: 'right', value: (c) => String(c.rank ?? NONE) },
    LABEL,
    { name: 'mode', value: (c) => c.mode },
    { name: 'W-L-T', align: 'right', value: (c) => `${c.wins}-${c.losses}-${c.ties}` },
    { name: 'rating', align: 'right', value: (c) => formatElo(c.rating) },
    { name: '95 %', align: 'right', value: formatInterval },
    { name: 'ranks', align: 'right', value: formatRanks },
    { name: 'same', value: (c) => c.letters ?? NONE },
  ];
}

function otherColumns({ simulated }: BenchSummary, goldSetSize: number | null): ResultColumn[] {
  const hits = ({ goldHits }: CandidateSummary) => (goldHits === null ? NONE : `${goldHits}/${goldSetSize}`);
  return [
    { name: 'Elo', align: 'right', value: (c) => formatElo(c.meanElo) },
    { name: 'top', align: 'right', value: (c) => formatElo(c.topElo) },
    ...(goldSetSize === null ? [] : [{ name: 'gold', align: 'right' as const, value: hits }]),
    { name: simulated ? 'simulated $' : 'cost', align: 'right', value: formatCost },
    {
      name: 'tokens in/out',
      align: 'right',
      value: (c) => `${formatTokens(c.inputTokens)}/${formatTokens(c.outputTokens)}`,
    },
    { name: 'failures', value: (c) => formatCounts(c.failures) || NONE },
  ];
}

function render(
  columns: ResultColumn[],
  { candidates }: BenchSummary,
  bold: (text: string) => string,
): string {
  const rows = candidates.map((candidate) => columns.map((column) => column.value(candidate)));
  return plainTable(columns, rows, bold);
}

/** Labels give way first, then the failures wrap. */
function renderWithin(
  columns: ResultColumn[],
  summary: BenchSummary,
  width: number,
  bold: (text: string) => string,
): string {
  const labels = summary.candidates.map((c) => c.label);
  const longest = Math.max(LABEL.name.length, ...labels.map((label) => label.length));
  const last = columns.length - 1;
  const wrapped = columns.map((column, i) => (i === last ? { ...column, maxWidth: 24 } : column));
  const excess = textWidth(render(wrapped, summary, bold)) - width;
  const room = Math.max(SHORTEST_LABEL, longest - Math.max(0, excess));
  const fitting = wrapped.map((column) =>
    column === LABEL
      ? { ...column, value: (c: CandidateSummary) => truncate(c.label, room, { position: 'middle' }) }
      : column,
  );
  return render(fitting, summary, bold);
}

/** Those that cannot be ruled out. */
function formatRanks({ rankLow, rankHigh }: CandidateSummary): string {
  if (rankLow === null || rankHigh === null) return NONE;
  return rankLow === rankHigh ? String(rankLow) : `${rankLow}–${rankHigh}`;
}

function formatInterval({ rating, ratingLow, ratingHigh }: CandidateSummary): string {
  if (rating === null) return NONE;
  if (ratingLow === null || ratingHigh === null) return 'too few';
  return `${Math.round(ratingLow)} to ${Math.round(ratingHigh)}`;
}

function formatElo(elo: number | null): string {
  return elo === null ? NONE : String(Math.round(elo));
}
