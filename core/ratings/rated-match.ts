import type { Order } from '../ids';
import type { Position } from '../outcome';

/** One scheduled match as the ratings see it. Texts, costs and times stay outside. */
export interface RatedMatch {
  /** Its place in the stored schedule, from 0. */
  index: number;
  candA: string;
  candB: string;
  /** Ids of the two slots, also where a slot brought no hypothesis. */
  hypA: string;
  hypB: string;
  /** What side A got: the mean of the match's verdicts, 0 to 1; null while unplayed. */
  scoreA: number | null;
  /** Which sides' slots brought no hypothesis (failed, duplicate, over budget). */
  forfeit: Forfeit;
  /** Why it is unplayed, as its row says; null when played. */
  unplayedReason: string | null;
  /** The valid verdicts, those of an unplayed match too. Invalid ones are not verdicts. */
  verdicts: readonly RatedVerdict[];
  /** What its score is, or would be, made of; two orders of as many judges as have said something, when left out. */
  asked?: { judges: number; orders: 1 | 2 };
  /** The replicate it belongs to; one name for all when there are none. */
  run: string;
}

/** What of a match tells of its judges, whosever texts it is between. */
export type JudgedMatch = Pick<RatedMatch, 'index' | 'verdicts' | 'asked'>;

export type Forfeit = 'none' | 'a' | 'b' | 'both';

export interface RatedVerdict {
  /** `provider:model` */
  judge: string;
  /** `ab`: side A was shown first. */
  order: Order;
  /** By the place it was shown in. */
  winner: Position | 'tie';
  /** 0: the verdict that counts. From 1: asked again in the same order, to tell noise from bias; not in the score. */
  repeat: number;
}
