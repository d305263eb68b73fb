import type { RecordedBench } from '../../../core/report/recorded-bench';

/** What a bench came to, part by part, as text without its id: equal texts are equal results. */
export interface Outcome {
  hypotheses: string;
  reviews: string;
  verdicts: string;
  matches: string;
  ratings: string;
  goldHits: string;
}

/**
 * Everything that is a result, and nothing of what it took to get there: ids, clocks and money (an answer that was
 * paid for twice costs twice) are left out.
 */
export function outcomeOf(bench: RecordedBench): Outcome {
  const text = (value: unknown): string =>
    JSON.stringify(value, withoutMoney, 1).replaceAll(bench.run.benchId, 'BENCH');
  return {
    hypotheses: text(
      bench.hypotheses.map(({ publicId: _, review: __, toolCalls, ...kept }) => ({
        ...kept,
        toolCalls: toolCalls.map(({ latencyMs: _, cache: __, ...call }) => call),
      })),
    ),
    reviews: text(bench.hypotheses.map(({ review }) => review)),
    verdicts: text(bench.matches.map(({ verdicts }) => verdicts)),
    matches: text(bench.matches.map(({ verdicts: _, judgeCostUsd: __, ...match }) => match)),
    ratings: text([
      bench.candidates.map((c) => [c.id, c.state, c.nHypotheses, c.wins, c.losses, c.ties]),
      bench.candidates.map((c) => [c.meanElo, c.topElo, c.btElo, c.btLow, c.btHigh, c.goldHits]),
      bench.run.ratings,
    ]),
    goldHits: text(bench.goldHits),
  };
}

/** What the ratings say of dollars, and what they advise to buy with the next. */
function withoutMoney(field: string, value: unknown): unknown {
  return field === 'usd' || field === 'nextDollar' ? undefined : value;
}
