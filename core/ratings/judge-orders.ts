import { scoreOfA, sideAt } from '../outcome';
import { exactBinomialP } from './exact-binomial';
import type { JudgedMatch, RatedVerdict } from './rated-match';
import { type Proportion, proportion } from './wilson';

/** What two orders of the same match tell of a judge. */
export interface JudgeOrders {
  judge: string;
  /** Matches with a valid verdict of this judge in both orders. */
  matches: number;
  /** The same side, or a tie, in both. */
  agreed: Proportion;
  /** Opposite sides. */
  flips: Proportion;
  /** A side in one order, a tie in the other. */
  halfFlips: Proportion;
  positionBias: PositionBias;
  /** Where it was shown one order of each match: then there are no flips to count. null where it was shown both. */
  oneOrder: FirstNamed | null;
  /** Verdicts asked again in the same order that came out otherwise: noise, which flips hold too. */
  repeatDisagreement: Proportion;
  /** Flips over 80 %: it names places, not hypotheses. Nothing follows from it, least of all "no difference". */
  isUninformative: boolean;
}

/**
 * Among flipped matches only: an agreeing match always has one first and one second, so all verdicts together
 * would hide the bias.
 */
export interface PositionBias {
  /** Flipped matches with the first named in both orders. */
  firstFirst: number;
  secondSecond: number;
  /** Exact two-sided binomial test against ½; null without a flip. */
  pValue: number | null;
}

/**
 * How often the text shown first was named, among decisive verdicts on matches judged in one order. With the order
 * balanced it is half of them without a bias. The test sees little (the better text is named in either place, so
 * a true bias is hidden by large gaps) and says nothing of noise.
 */
export interface FirstNamed {
  verdicts: number;
  first: Proportion;
  /** Exact two-sided binomial test against ½; null without a decisive verdict. */
  pValue: number | null;
}

const UNINFORMATIVE_FLIP_RATE = 0.8;

/** One entry a judge, by name. Unplayed matches count where the judge's own two verdicts are there. */
export function judgeOrders(matches: readonly JudgedMatch[]): JudgeOrders[] {
  const judges = [...new Set(matches.flatMap(({ verdicts }) => verdicts.map(({ judge }) => judge)))].sort();
  return judges.map((judge) => {
    const own = matches.map((match) => ({
      verdicts: match.verdicts.filter((verdict) => verdict.judge === judge),
      isOneOrder: match.asked?.orders === 1,
    }));
    return ordersOf(judge, own);
  });
}

/** True when every judge of the bench is uninformative. */
export function areJudgesUninformative(orders: readonly JudgeOrders[]): boolean {
  return orders.length > 0 && orders.every(({ isUninformative }) => isUninformative);
}

interface OwnVerdicts {
  verdicts: readonly RatedVerdict[];
  isOneOrder: boolean;
}

function ordersOf(judge: string, own: readonly OwnVerdicts[]): JudgeOrders {
  let matches = 0;
  let agreed = 0;
  let halfFlips = 0;
  let firstFirst = 0;
  let secondSecond = 0;
  for (const { verdicts } of own) {
    const ab = verdicts.find(({ order, repeat }) => order === 'ab' && repeat === 0);
    const ba = verdicts.find(({ order, repeat }) => order === 'ba' && repeat === 0);
    if (ab === undefined || ba === undefined) continue;
    matches += 1;
    const apart = Math.abs(scoreOf(ab) - scoreOf(ba));
    if (apart === 0) agreed += 1;
    else if (apart === 0.5) halfFlips += 1;
    else if (ab.winner === 'first') firstFirst += 1;
    else secondSecond += 1;
  }
  const flips = firstFirst + secondSecond;
  return {
    judge,
    matches,
    agreed: proportion(agreed, matches),
    flips: proportion(flips, matches),
    halfFlips: proportion(halfFlips, matches),
    positionBias: {
      firstFirst,
      secondSecond,
      pValue: flips === 0 ? null : exactBinomialP(firstFirst, flips),
    },
    oneOrder: firstNamed(own),
    repeatDisagreement: repeatDisagreement(own),
    isUninformative: matches > 0 && flips / matches > UNINFORMATIVE_FLIP_RATE,
  };
}

function firstNamed(own: readonly OwnVerdicts[]): FirstNamed | null {
  const verdicts = own
    .filter(({ isOneOrder }) => isOneOrder)
    .flatMap((match) => match.verdicts.filter(({ repeat }) => repeat === 0));
  if (verdicts.length === 0) return null;
  const decisive = verdicts.filter(({ winner }) => winner !== 'tie').length;
  const first = verdicts.filter(({ winner }) => winner === 'first').length;
  return {
    verdicts: verdicts.length,
    first: proportion(first, decisive),
    pValue: decisive === 0 ? null : exactBinomialP(first, decisive),
  };
}

/** Each repeat against the verdict that counts, of the same match and order. */
function repeatDisagreement(own: readonly OwnVerdicts[]): Proportion {
  let repeats = 0;
  let other = 0;
  for (const { verdicts } of own) {
    for (const repeated of verdicts.filter(({ repeat }) => repeat > 0)) {
      const first = verdicts.find(({ order, repeat }) => order === repeated.order && repeat === 0);
      if (first === undefined) continue;
      repeats += 1;
      if (first.winner !== repeated.winner) other += 1;
    }
  }
  return proportion(other, repeats);
}

function scoreOf(verdict: RatedVerdict): number {
  return scoreOfA(sideAt(verdict.order, verdict.winner));
}
