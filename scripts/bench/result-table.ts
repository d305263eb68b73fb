import type { BenchSummary, CandidateSummary } from '../../core/bench-summary';
import type { BenchRatings } from '../../core/ratings/rate-bench';
import { costText, eloText, intervalText, NONE, rankText, tokensText } from '../../core/report/figure-text';
import { formatCounts } from './progress-view';
import { completionText, hasFailedSlots } from './rating-facts';
import { splitTable, type ValueColumn } from './split-table';

type ResultColumn = ValueColumn<CandidateSummary>;

const LABEL: ResultColumn = { name: 'label', value: (c) => c.label };
const FAILURES_WIDTH = 24;

/**
 * The leaderboard. Where it is wider than the terminal it becomes several tables of the same candidates, with long
 * labels cut in their middle; nothing else is left out.
 * @param goldSetSize entities of the gold set; null without one
 */
export function resultTable(
  summary: BenchSummary,
  options: {
    ratings: BenchRatings | null;
    width: number;
    goldSetSize: number | null;
    bold: (text: string) => string;
  },
): string {
  const { ratings, width, bold } = options;
  const columns = [
    ...ratingColumns(),
    ...(ratings !== null && hasFailedSlots(summary) ? asRunColumns(ratings) : []),
    ...otherColumns(summary, options.goldSetSize),
  ];
  return splitTable(columns, summary.candidates, { label: LABEL, width, bold });
}

function ratingColumns(): ResultColumn[] {
  return [
    { name: '#', align: 'right', value: (c) => String(c.rank ?? NONE) },
    LABEL,
    { name: 'mode', value: (c) => c.mode },
    { name: 'W-L-T', align: 'right', value: (c) => `${c.wins}-${c.losses}-${c.ties}` },
    { name: 'rating', align: 'right', value: (c) => eloText(c.rating) },
    { name: '95 %', align: 'right', value: formatInterval },
    { name: 'ranks', align: 'right', value: (c) => rankText(c.rankLow, c.rankHigh) },
    { name: 'same', value: (c) => c.letters ?? NONE },
  ];
}

/** Only where a slot brought no hypothesis: else they would say again what stands there. */
function asRunColumns({ asRun, completion }: BenchRatings): ResultColumn[] {
  const rated = new Map(asRun.candidates.map(({ candidate, rating }) => [candidate, rating]));
  const kept = new Map(completion.map(({ candidate, kept: own }) => [candidate, own]));
  return [
    { name: 'as run', align: 'right', value: ({ label }) => eloText(rated.get(label) ?? null) },
    {
      name: 'kept (95 %)',
      align: 'right',
      value: ({ label }) => {
        const own = kept.get(label);
        return own ? completionText(own) : NONE;
      },
    },
  ];
}

function otherColumns({ simulated }: BenchSummary, goldSetSize: number | null): ResultColumn[] {
  const hits = ({ goldHits }: CandidateSummary) => (goldHits === null ? NONE : `${goldHits}/${goldSetSize}`);
  return [
    { name: 'Elo', align: 'right', value: (c) => eloText(c.meanElo) },
    { name: 'top', align: 'right', value: (c) => eloText(c.topElo) },
    ...(goldSetSize === null ? [] : [{ name: 'gold', align: 'right' as const, value: hits }]),
    { name: simulated ? 'simulated $' : 'cost', align: 'right', value: costText },
    {
      name: 'tokens in/out',
      align: 'right',
      value: (c) => `${tokensText(c.inputTokens)}/${tokensText(c.outputTokens)}`,
    },
    { name: 'failures', tightWidth: FAILURES_WIDTH, value: (c) => formatCounts(c.failures) || NONE },
  ];
}

function formatInterval({ rating, ratingLow, ratingHigh }: CandidateSummary): string {
  if (rating === null) return NONE;
  if (ratingLow === null || ratingHigh === null) return 'too few';
  return intervalText({ low: ratingLow, high: ratingHigh });
}
