import { askedVerdicts } from '../../../core/asked-verdicts';
import { scheduleBench } from '../../../core/bench-schedule';
import { type CountedVerdict, outcomeOf, type Verdict } from '../../../core/outcome';
import { Random } from '../../../core/random';
import { rateCandidates } from '../../../core/ratings/candidate-ratings';
import { logitFromElo, sigmoid } from '../../../core/ratings/elo-scale';
import type { RatedMatch } from '../../../core/ratings/rated-match';
import { runOfSlot } from '../../../core/replicates';
import { truthOf } from '../../../scripts/calibration/truth';
import { BASE_WORLD, type WorldKind } from '../../../scripts/calibration/world';

interface Judging {
  orders: 'both' | 'balanced';
  judges: number;
  replicates: number;
  n: number;
  bias: number;
  /** Standard deviation of a candidate's strength between runs, in logits. */
  drift: number;
}

const CANDIDATES = 4;
const MATCHES = 4;

/** One bench of the calibration's base world, judged in another way; strengths drift between runs. */
function drawBench(judging: Judging, kind: WorldKind, random: Random) {
  const { n, replicates, judges, orders, drift } = judging;
  const skills = Array.from({ length: CANDIDATES }, () => kind.skill * random.normal());
  const strengths = skills.map((skill) =>
    Array.from({ length: replicates }, () => {
      const ofRun = skill + drift * random.normal();
      return Array.from({ length: n }, () => ofRun + kind.spread[0]! * random.normal());
    }).flat(),
  );
  const plan = { n, replicates, orders, matches: MATCHES, repeatShare: 0, seed: random.integers(0, 2 ** 32) };
  const matches = scheduleBench(plan, CANDIDATES).map(
    ({ index, candA, candB, slotA, slotB, oneOrder }): RatedMatch => {
      const gap = strengths[candA]![slotA - 1]! - strengths[candB]![slotB - 1]!;
      const counted = askedVerdicts(judges, oneOrder).map(
        ({ judge, order }): CountedVerdict => ({
          judge,
          order,
          verdict: say((order === 'ab' ? gap : -gap) + kind.bias, kind, random),
        }),
      );
      const outcome = outcomeOf(counted);
      return {
        index,
        ...{ candA: `c${candA}`, candB: `c${candB}`, hypA: `c${candA}/${slotA}`, hypB: `c${candB}/${slotB}` },
        ...{ forfeit: 'none', unplayedReason: null, run: String(runOfSlot(slotA, plan)) },
        scoreA: outcome.state === 'played' ? outcome.scoreA : null,
        verdicts: counted.flatMap(({ judge, order, verdict }) =>
          verdict.state === 'valid' ? [{ judge: `j${judge}`, order, winner: verdict.winner, repeat: 0 }] : [],
        ),
      };
    },
  );
  // To a fresh hypothesis of a fresh run, drift is spread.
  const spreads = skills.map(() => Math.hypot(kind.spread[0]!, drift));
  return { skills, spreads, matches };
}

function say(edge: number, { tie, missing }: WorldKind, random: Random): Verdict {
  const draw = random.uniform();
  if (random.uniform() < missing) return { state: 'invalid', reason: 'truncated' };
  const winner = draw < sigmoid(edge - tie) ? 'first' : draw < sigmoid(edge + tie) ? 'tie' : 'second';
  return { state: 'valid', winner };
}

/** Share of the 95 % intervals of differences that hold the truth. */
function coverage(judging: Judging, worlds: number): number {
  const kind = { ...BASE_WORLD, bias: judging.bias };
  const random = new Random([20261004, judging.judges, judging.replicates]);
  let [inside, all] = [0, 0];
  for (let world = 0; world < worlds; world++) {
    const bench = drawBench(judging, kind, random);
    const truth = truthOf(bench, kind);
    for (const { a, b, interval } of rateCandidates(bench.matches, { seed: 1, draws: 10 }).differences) {
      if (interval === null) continue;
      const difference = truth.difference[Number(a.slice(1))]![Number(b.slice(1))]!;
      all += 1;
      if (logitFromElo(interval.low) <= difference && difference <= logitFromElo(interval.high)) inside += 1;
    }
  }
  expect(all).toBeGreaterThan(worlds); // it prints intervals, and so says something
  return inside / all;
}

const USUAL: Judging = { orders: 'both', judges: 1, replicates: 1, n: 5, bias: 0.4, drift: 0 };

// Known truth, as in docs/calibration.md: at least 93 % of 95 % intervals must hold it.
test.each<[string, Partial<Judging>]>([
  ['balanced orders', { orders: 'balanced' }],
  ['balanced orders and a bias of 1.5 logits', { orders: 'balanced', bias: 1.5 }],
  ['a panel of three in both orders', { judges: 3 }],
  ['a panel of three in one order each', { orders: 'balanced', judges: 3 }],
  ['five runs between which strengths drift by 0.4 logits', { replicates: 5, n: 2, drift: 0.4 }],
])('%s: intervals of differences hold the truth in at least 93 % of 100 worlds', (_, change) => {
  expect(coverage({ ...USUAL, ...change }, 100)).toBeGreaterThanOrEqual(0.93);
});
