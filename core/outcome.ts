import type { Order } from './ids';

/** What a judge said of one order of a match, by the place in which a hypothesis was shown. */
export type Verdict =
  | { state: 'valid'; winner: Position | 'tie' }
  /** It could not be had; the reason is a kind, such as `truncated`. */
  | { state: 'invalid'; reason: string };

export type Position = 'first' | 'second';
export type Side = 'a' | 'b';

/** Whether the two orders named the same; `half_flip`: one named a side, the other said tie. */
export type Agreement = 'agreed' | 'flip' | 'half_flip';

export type MatchOutcome =
  | {
      state: 'played';
      winner: Side | 'tie';
      /** Mean of the verdicts' scores for side a: 0, ¼, ½, ¾ or 1 of two verdicts. Ratings use this one. */
      scoreA: number;
      /** Of one judge's two orders; null where there is no such thing: one order, or a panel (by judge in the ratings). */
      agreement: Agreement | null;
    }
  | { state: 'unplayed'; reason: string };

/** One of the verdicts that a match's outcome is made of. */
export interface CountedVerdict {
  /** Position in the plan's judges. */
  judge: number;
  order: Order;
  verdict: Verdict;
}

/**
 * What a match came to. The winner is who has more than half of the points: whom both orders name, or whom one
 * names while the other says tie; opposite names are a tie by flip. With a verdict missing the match is unplayed,
 * for the reason of the first that is missing: never a win and never a zero. The judges of a panel weigh alike.
 * @param verdicts all that were asked for, in the order they are asked in; at least one
 */
export function outcomeOf(verdicts: readonly CountedVerdict[]): MatchOutcome {
  const named: (Side | 'tie')[] = [];
  for (const { order, verdict } of verdicts) {
    if (verdict.state === 'invalid') return { state: 'unplayed', reason: verdict.reason };
    named.push(sideAt(order, verdict.winner));
  }
  const points = named.reduce((sum, side) => sum + scoreOfA(side), 0);
  const half = named.length / 2;
  const winner = points > half ? 'a' : points < half ? 'b' : 'tie';
  const [one, other] = named;
  const isOneJudge = verdicts.length === 2 && verdicts[0]?.judge === verdicts[1]?.judge;
  const agreement = isOneJudge && one && other ? agreementOf(one, other) : null;
  return { state: 'played', winner, scoreA: points / named.length, agreement };
}

/** The same of one judge in both orders. */
export function matchOutcome({ ab, ba }: Record<Order, Verdict>): MatchOutcome {
  return outcomeOf([
    { judge: 0, order: 'ab', verdict: ab },
    { judge: 0, order: 'ba', verdict: ba },
  ]);
}

/** The side that stood at a position: in order ba, side b is shown first. The one place that knows. */
export function sideAt(order: Order, position: Position | 'tie'): Side | 'tie' {
  if (position === 'tie') return 'tie';
  return (position === 'first') === (order === 'ab') ? 'a' : 'b';
}

/** What one verdict is worth to side a: 1, ½ or 0. */
export function scoreOfA(named: Side | 'tie'): number {
  return named === 'tie' ? 0.5 : named === 'a' ? 1 : 0;
}

function agreementOf(one: Side | 'tie', other: Side | 'tie'): Agreement {
  if (one === other) return 'agreed';
  return one === 'tie' || other === 'tie' ? 'half_flip' : 'flip';
}
