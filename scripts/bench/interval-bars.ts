import type { BenchSummary, CandidateSummary } from '../../core/bench-summary';
import { eloText } from '../../core/report/figure-text';
import { cutToWidth, padToWidth, textWidth } from './text-width';

const MAX_LABEL = 24;
const MIN_SCALE = 20;
const MAX_SCALE = 60;

/**
 * Ratings and their 95 % intervals drawn to one scale, best first; a hollow dot has no interval. Nothing where
 * nothing is rated, or where the terminal has no room to draw.
 * @param width of the terminal
 */
export function intervalBars({ candidates }: Pick<BenchSummary, 'candidates'>, width: number): string[] {
  const rated = candidates.filter((candidate) => candidate.rating !== null);
  if (rated.length === 0) return [];
  const labelWidth = Math.min(MAX_LABEL, Math.max(...rated.map(({ label }) => textWidth(label))));
  const scale = Math.min(MAX_SCALE, width - labelWidth - 8);
  if (scale < MIN_SCALE) return [];
  const ends = rated.flatMap(({ rating, ratingLow, ratingHigh }) => [
    rating!,
    ratingLow ?? rating!,
    ratingHigh ?? rating!,
  ]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const place = (elo: number) =>
    high === low ? Math.floor(scale / 2) : Math.round(((elo - low) / (high - low)) * (scale - 1));
  const rows = rated.map((candidate) => {
    const label = padToWidth(cutToWidth(candidate.label, labelWidth, 'middle'), labelWidth);
    return `  ${label}  ${barOf(candidate, place, scale)}`.trimEnd();
  });
  const axis = `${eloText(low)}${eloText(high).padStart(scale - eloText(low).length)}`;
  return [
    'ratings, each with its 95 % interval looked at alone:',
    ...rows,
    `  ${' '.repeat(labelWidth)}  ${axis}`,
  ];
}

function barOf(
  { rating, ratingLow, ratingHigh }: CandidateSummary,
  place: (elo: number) => number,
  scale: number,
): string {
  const cells = Array.from({ length: scale }, () => ' ');
  const hasInterval = ratingLow !== null && ratingHigh !== null;
  if (hasInterval) {
    const [from, to] = [place(ratingLow), place(ratingHigh)];
    cells.fill('─', from, to + 1);
    cells[from] = '├';
    cells[to] = '┤';
  }
  cells[place(rating ?? 0)] = hasInterval ? '●' : '○';
  return cells.join('');
}
