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
      /** Mean of the two verdicts' scores for side a: 0, ¼, ½, ¾ or 1. Ratings use this one. */
      scoreA: number;
      agreement: Agreement;
    }
  | { state: 'unplayed'; reason: string };

/**
 * What a match came to. The winner is whom both orders name, or whom one names while the other says tie;
 * opposite names are a tie by flip. With a verdict missing the match is unplayed, for that verdict's reason
 * (that of ab, if both are missing): never a win and never a zero.
 */
export function matchOutcome(verdicts: Record<Order, Verdict>): MatchOutcome {
  const { ab, ba } = verdicts;
  if (ab.state === 'invalid') return { state: 'unplayed', reason: ab.reason };
  if (ba.state === 'invalid') return { state: 'unplayed', reason: ba.reason };
  const named = [sideAt('ab', ab.winner), sideAt('ba', ba.winner)] as const;
  const scoreA = (scoreOfA(named[0]) + scoreOfA(named[1])) / 2;
  const winner = scoreA > 0.5 ? 'a' : scoreA < 0.5 ? 'b' : 'tie';
  return { state: 'played', winner, scoreA, agreement: agreementOf(...named) };
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
