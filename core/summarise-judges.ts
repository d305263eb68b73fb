import type { BenchSummary, JudgeSummary } from './bench-summary';
import { formatModelRef } from './model-ref';
import type { BenchFacts } from './summarise-bench';

/** The part of a summary that is about judging. */
export function summariseJudges(
  facts: BenchFacts,
): Pick<BenchSummary, 'judge' | 'judging' | 'judges' | 'agreements' | 'flags'> {
  const { plan, conduct } = facts;
  const judges = plan.judges.map((planned) => summariseJudge(facts, formatModelRef(planned)));
  return {
    judge: {
      costUsd: facts.judge.costs.costUsd,
      verdicts: facts.judge.verdicts,
      invalid: facts.judge.invalid,
      ...(plan.judges.length > 1 ? flipsOfPanel(facts) : flipsOfMatches(facts)),
    },
    judging: {
      orders: plan.orders,
      verdictMode: plan.verdictMode,
      debateTurns: plan.verdictMode === 'debate' ? plan.debateTurns : null,
      judgeView: plan.judgeView,
      repeatShare: plan.repeatShare,
      reviewer: plan.reviewer ? formatModelRef(plan.reviewer) : null,
    },
    judges,
    agreements: conduct.agreements,
    flags: conduct.flags,
  };
}

/** Who has made no call yet has cost nothing, and who has said nothing valid has flipped in 0 of 0 matches. */
function summariseJudge({ judges, conduct }: BenchFacts, judge: string): JudgeSummary {
  const own = judges.get(judge);
  const orders = conduct.orders.find((one) => one.judge === judge);
  return {
    judge,
    costUsd: own?.costs.costUsd ?? 0,
    nUnknownCost: own?.costs.nUnknownCost ?? 0,
    inDoubtUsd: own?.costs.inDoubtUsd ?? 0,
    verdicts: own?.verdicts ?? 0,
    invalid: own?.invalid ?? 0,
    matches: orders?.matches ?? 0,
    flips: orders?.flips.count ?? 0,
    halfFlips: orders?.halfFlips.count ?? 0,
    positionBias: orders?.positionBias ?? { firstFirst: 0, secondSecond: 0, pValue: null },
    oneOrder: orders?.oneOrder ?? null,
    repeats: {
      asked: orders?.repeatDisagreement.of ?? 0,
      otherwise: orders?.repeatDisagreement.count ?? 0,
    },
    isUninformative: orders?.isUninformative ?? false,
  };
}

type Flips = Pick<BenchSummary['judge'], 'flips' | 'halfFlips' | 'flipRate'>;

function flipsOfMatches({ matches }: BenchFacts): Flips {
  const inBothOrders = matches.filter(({ agreement }) => agreement !== null);
  const flips = inBothOrders.filter(({ agreement }) => agreement === 'flip').length;
  const halfFlips = inBothOrders.filter(({ agreement }) => agreement === 'half_flip').length;
  return { flips, halfFlips, flipRate: inBothOrders.length > 0 ? flips / inBothOrders.length : null };
}

function flipsOfPanel({ conduct: { orders } }: BenchFacts): Flips {
  const matches = orders.reduce((total, judge) => total + judge.matches, 0);
  const flips = orders.reduce((total, judge) => total + judge.flips.count, 0);
  const halfFlips = orders.reduce((total, judge) => total + judge.halfFlips.count, 0);
  return { flips, halfFlips, flipRate: matches > 0 ? flips / matches : null };
}
