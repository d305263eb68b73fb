import { type Random, randomFrom } from './random';

/** One pairing. Candidates are positions in the plan, from 0; slots are numbers of their hypotheses, from 1. */
export interface ScheduledMatch {
  /** Position in the schedule, from 0. */
  index: number;
  candA: number;
  candB: number;
  slotA: number;
  slotB: number;
}

export interface ScheduleSize {
  candidates: number;
  /** Planned hypotheses of each candidate. */
  slots: number;
  /** Matches of each pair of candidates. */
  matches: number;
  seed: number;
  /** From 1; runs of the same seed are shuffled apart. Left out: the first. */
  run?: number;
}

/**
 * Every pair of candidates × `matches`, over planned slots. A candidate's slots play equally often (±1) over
 * the schedule and against each opponent; two slots meet again only when all of their pair have met; each
 * candidate is `a` as often as `b` (±1), and so within each pair. It runs in rounds of one match a pair, so
 * that a schedule cut short leaves the pairs equally played (±1). Linear in the number of matches.
 */
export function buildSchedule({ candidates, slots, matches, seed, run = 1 }: ScheduleSize): ScheduledMatch[] {
  if (matches === 0) return [];
  const random = run === 1 ? randomFrom(seed, 'schedule') : randomFrom(seed, 'schedule', `run ${run}`);
  const order = random.shuffle(range(candidates));
  const decks = range(candidates).map(() => new Deck(slots, random));
  const pairs: PairPlan[] = [];
  for (const [i, one] of order.entries()) {
    for (const [j, other] of order.entries()) {
      if (i >= j) continue;
      const [x, y] = isFirst(j - i, candidates, i) ? [one, other] : [other, one];
      pairs.push(planPair(x, y, decks[x]!, decks[y]!, { slots, matches, random }));
    }
  }
  const schedule: ScheduledMatch[] = [];
  for (let round = 0; round < matches; round++) {
    for (const pair of random.shuffle(pairs)) schedule.push(matchOf(pair, round, schedule.length));
  }
  return schedule;
}

/** Two candidates and, match by match, the slots they play. `x` is `a` in the first match, `y` in the next. */
interface PairPlan {
  x: number;
  y: number;
  slotsX: number[];
  slotsY: number[];
}

/**
 * Who of two, `distance` apart in a circle of so many, is `a` one time more: the next half of the circle. All
 * then are so equally often, ±1.
 */
function isFirst(distance: number, circle: number, position: number): boolean {
  if (distance * 2 === circle) return position % 2 === 0;
  return distance * 2 < circle;
}

/**
 * Whole rounds over all slots first, then a hand from each side's deck for what is left. Round t pairs slot i
 * of one side's order with slot i + t + 1 of the other's, the hands pair i with i: no pairing comes twice
 * before all n² have been.
 */
function planPair(
  x: number,
  y: number,
  deckX: Deck,
  deckY: Deck,
  { slots, matches, random }: Pick<ScheduleSize, 'slots' | 'matches'> & { random: Random },
): PairPlan {
  const wholeRounds = Math.floor(matches / slots);
  const handX = deckX.deal(matches % slots);
  const handY = deckY.deal(matches % slots);
  if (wholeRounds === 0) return { x, y, slotsX: handX, slotsY: handY };
  const orderX = withRest(handX, slots, random);
  const orderY = withRest(handY, slots, random);
  const slotsX: number[] = [];
  const slotsY: number[] = [];
  for (let t = 0; t < wholeRounds; t++) {
    for (let i = 0; i < slots; i++) {
      slotsX.push(orderX[i]!);
      slotsY.push(orderY[(i + t + 1) % slots]!);
    }
  }
  return { x, y, slotsX: slotsX.concat(handX), slotsY: slotsY.concat(handY) };
}

function matchOf(pair: PairPlan, round: number, index: number): ScheduledMatch {
  const x = { cand: pair.x, slot: pair.slotsX[round]! };
  const y = { cand: pair.y, slot: pair.slotsY[round]! };
  const [a, b] = round % 2 === 0 ? [x, y] : [y, x];
  return { index, candA: a.cand, candB: b.cand, slotA: a.slot, slotB: b.slot };
}

/** One candidate's slots, shuffled and dealt in turn, again and again. */
class Deck {
  private cards: number[] = [];

  constructor(
    private readonly slots: number,
    private readonly random: Random,
  ) {}

  /** Up to `slots` different cards; one that is in the hand already is left for the next hand. */
  deal(count: number): number[] {
    const hand: number[] = this.cards.splice(0, count);
    if (hand.length === count) return hand;
    const held = new Set(hand);
    const kept: number[] = [];
    for (const card of this.random.shuffle(range(this.slots))) {
      if (hand.length < count && !held.has(card + 1)) hand.push(card + 1);
      else kept.push(card + 1);
    }
    this.cards = kept;
    return hand;
  }
}

/** The hand, and after it the other slots in random order. */
function withRest(hand: readonly number[], slots: number, random: Random): number[] {
  const held = new Set(hand);
  const rest = range(slots).filter((i) => !held.has(i + 1));
  return [...hand, ...random.shuffle(rest).map((i) => i + 1)];
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
