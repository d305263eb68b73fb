import { randomFrom } from '../random';
import { type PlayedRecord, playedMatches } from './facts-of-record';
import type { RecordedBench } from './recorded-bench';

/**
 * How sure the judge was of a match: `clear`, it named one side in every order; `flipped`, opposite sides; `close`,
 * everything between, ties included.
 */
export type Closeness = 'clear' | 'close' | 'flipped';

export const CLOSENESS: readonly Closeness[] = ['clear', 'close', 'flipped'];

/** Matches for people to judge without knowing whose they are, and what the judge said of them. */
export interface BlindSample {
  benchId: string;
  seed: number;
  /** Played matches of the bench, by kind. */
  available: Record<Closeness, number>;
  items: BlindItem[];
}

export interface BlindItem {
  /** From 1, in the order they are shown. */
  item: number;
  /** The match's place in the schedule. */
  match: number;
  /** The side that is shown on the left. */
  left: 'a' | 'b';
  /** What the match came to, by the place shown. */
  judge: Shown;
  closeness: Closeness;
}

export type Shown = 'left' | 'right' | 'tie';

/**
 * As many of each kind as of the others while there are any, drawn without looking at who plays; their order and
 * sides are shuffled. The same bench and seed give the same sample.
 * @param count most matches to draw
 */
export function blindSample(record: RecordedBench, count: number, seed = record.run.seed): BlindSample {
  const { benchId } = record.run;
  const byKind = new Map<Closeness, PlayedRecord[]>(CLOSENESS.map((kind) => [kind, []]));
  const written = new Set(record.hypotheses.filter((slot) => slot.record !== null).map(({ id }) => id));
  // A night's matches are against texts of another bench, which are not here to be shown.
  const shown = ({ hypA, hypB }: PlayedRecord) => written.has(hypA) && written.has(hypB);
  for (const match of playedMatches(record.matches).filter(shown))
    byKind.get(closenessOf(match))!.push(match);
  const shuffled = CLOSENESS.map((kind) => randomFrom(seed, 'blind', kind).shuffle(byKind.get(kind)!));
  const rounds = Math.max(...shuffled.map(({ length }) => length));
  const drawn = Array.from({ length: rounds }, (_, i) => shuffled.flatMap((kind) => kind[i] ?? []))
    .flat()
    .slice(0, count);
  const sides = randomFrom(seed, 'blind', 'sides');
  return {
    benchId,
    seed,
    available: Object.fromEntries([...byKind].map(([kind, { length }]) => [kind, length])) as Record<
      Closeness,
      number
    >,
    items: randomFrom(seed, 'blind', 'order')
      .shuffle(drawn)
      .map((match, i) => itemOf(match, i + 1, sides.integers(0, 2) === 0 ? 'a' : 'b')),
  };
}

function closenessOf({ agreement, winner, scoreA }: PlayedRecord): Closeness {
  if (agreement === 'flip') return 'flipped';
  return winner !== 'tie' && (scoreA === 0 || scoreA === 1) ? 'clear' : 'close';
}

function itemOf(match: PlayedRecord, item: number, left: 'a' | 'b'): BlindItem {
  const judge = match.winner === 'tie' ? 'tie' : match.winner === left ? 'left' : 'right';
  return { item, match: match.index, left, judge, closeness: closenessOf(match) };
}
