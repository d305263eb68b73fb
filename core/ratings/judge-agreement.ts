import { type Side, scoreOfA, sideAt } from '../outcome';
import { cohenKappa } from './cohen-kappa';
import type { JudgedMatch } from './rated-match';
import { type Proportion, proportion } from './wilson';

/**
 * How far two judges of a panel say the same of a match (side A, side B or a tie, over their orders). Where each
 * was shown one order, neighbours on the panel saw different ones: position bias then lowers their agreement.
 */
export interface JudgeAgreement {
  judges: [string, string];
  /** Matches that both have judged in all their orders. */
  matches: number;
  agreed: Proportion;
  /** Cohen's κ (1960): agreement beyond what their shares of A, B and tie give by chance; null when undefined. */
  kappa: number | null;
}

/** Each pair of judges, by name. */
export function judgeAgreements(matches: readonly JudgedMatch[]): JudgeAgreement[] {
  const outcomes = new Map<string, Map<number, Side | 'tie'>>();
  for (const match of matches) {
    for (const judge of new Set(match.verdicts.map((verdict) => verdict.judge))) {
      if (!hasAllOrders(match, judge)) continue;
      const ofJudge = outcomes.get(judge) ?? new Map<number, Side | 'tie'>();
      outcomes.set(judge, ofJudge.set(match.index, outcomeBy(match, judge)));
    }
  }
  const judges = [...outcomes.keys()].sort();
  return judges.flatMap((one, i) =>
    judges.slice(i + 1).map((other) => agreementOf([one, other], outcomes.get(one)!, outcomes.get(other)!)),
  );
}

function hasAllOrders({ verdicts, asked }: JudgedMatch, judge: string): boolean {
  const counted = verdicts.filter((verdict) => verdict.judge === judge && verdict.repeat === 0);
  return counted.length >= (asked?.orders ?? 1);
}

function outcomeBy(match: JudgedMatch, judge: string): Side | 'tie' {
  const counted = match.verdicts.filter((verdict) => verdict.judge === judge && verdict.repeat === 0);
  const points = counted.reduce((sum, { order, winner }) => sum + scoreOfA(sideAt(order, winner)), 0);
  const middle = counted.length / 2;
  return points > middle ? 'a' : points < middle ? 'b' : 'tie';
}

function agreementOf(
  judges: [string, string],
  one: ReadonlyMap<number, Side | 'tie'>,
  other: ReadonlyMap<number, Side | 'tie'>,
): JudgeAgreement {
  const both = [...one.keys()].filter((index) => other.has(index));
  const agreed = both.filter((index) => one.get(index) === other.get(index)).length;
  const pairs = both.map((index) => [one.get(index)!, other.get(index)!] as const);
  return {
    judges,
    matches: both.length,
    agreed: proportion(agreed, both.length),
    kappa: cohenKappa(pairs).value,
  };
}
