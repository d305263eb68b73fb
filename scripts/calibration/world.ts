import type { Random } from '../../core/random';
import { sigmoid } from '../../core/ratings/elo-scale';
import type { RatedMatch, RatedVerdict } from '../../core/ratings/rated-match';
import { buildSchedule } from '../../core/schedule';

/** A kind of world: how strengths, verdicts and losses come about. Everything in logits. */
export interface WorldKind {
  /** Standard deviation between candidates. 0: a bench of equals. */
  skill: number;
  /** Standard deviation between a candidate's hypotheses; several are given to candidates in turn. */
  spread: readonly number[];
  /** How much being shown first helps. */
  bias: number;
  /** Half the width of the band around equality in which the judge says tie. */
  tie: number;
  /** Chance that a verdict cannot be had. */
  missing: number;
  /** The same where the better text has lost. */
  missingWhereBetterLost: number;
}

export interface BenchSize {
  candidates: number;
  n: number;
  /** A pair. */
  matches: number;
}

export interface World {
  /** Strength of a typical hypothesis, a candidate. */
  skills: number[];
  spreads: number[];
  matches: RatedMatch[];
}

/** The world most cells are drawn from: statistics as published for pairwise judges of text. */
export const BASE_WORLD: WorldKind = {
  skill: 0.5,
  spread: [0.6],
  bias: 0.4,
  tie: 0.2,
  missing: 0.05,
  missingWhereBetterLost: 0.05,
};

/** What is changed in the base world to strain the method. */
export const STRESS_WORLDS: Record<string, Partial<WorldKind>> = {
  base: {},
  'spread 0': { spread: [0] },
  'spread 1.2': { spread: [1.2] },
  'spread .2 and 1.2': { spread: [0.2, 1.2] },
  'bias 1.5': { bias: 1.5 },
  'skill 1.5': { skill: 1.5 },
  'losses missing': { missing: 0.03, missingWhereBetterLost: 0.15 },
};

/** One bench: candidates, their hypotheses, and a judge that sees both orders of each match. */
export function drawWorld(kind: WorldKind, size: BenchSize, random: Random): World {
  const skills = Array.from({ length: size.candidates }, () => kind.skill * random.normal());
  const spreads = skills.map((_, c) => kind.spread[c % kind.spread.length]!);
  const strengths = skills.map((skill, c) =>
    Array.from({ length: size.n }, () => skill + spreads[c]! * random.normal()),
  );
  const schedule = buildSchedule({
    candidates: size.candidates,
    slots: size.n,
    matches: size.matches,
    seed: random.integers(0, 2 ** 32),
  });
  const matches = schedule.map(({ index, candA, candB, slotA, slotB }): RatedMatch => {
    const gap = strengths[candA]![slotA - 1]! - strengths[candB]![slotB - 1]!;
    return {
      index,
      candA: `c${candA}`,
      candB: `c${candB}`,
      hypA: `c${candA}/${slotA}`,
      hypB: `c${candB}/${slotB}`,
      forfeit: 'none',
      run: 'only',
      ...judged(gap, kind, random),
    };
  });
  return { skills, spreads, matches };
}

/** Both orders of one match; unplayed when either verdict is missing. */
function judged(
  gap: number,
  kind: WorldKind,
  random: Random,
): Pick<RatedMatch, 'scoreA' | 'unplayedReason' | 'verdicts'> {
  const verdicts: RatedVerdict[] = [];
  let scoreA = 0;
  for (const order of ['ab', 'ba'] as const) {
    const edge = (order === 'ab' ? gap : -gap) + kind.bias;
    const draw = random.uniform();
    const winner =
      draw < sigmoid(edge - kind.tie) ? 'first' : draw < sigmoid(edge + kind.tie) ? 'tie' : 'second';
    const points = winner === 'tie' ? 0.5 : (winner === 'first') === (order === 'ab') ? 1 : 0;
    scoreA += points / 2;
    const betterLost = gap > 0 ? points === 0 : points === 1;
    const isMissing = random.uniform() < (betterLost ? kind.missingWhereBetterLost : kind.missing);
    if (!isMissing) verdicts.push({ judge: 'sim', order, winner, repeat: 0 });
  }
  if (verdicts.length < 2) return { scoreA: null, unplayedReason: 'truncated', verdicts };
  return { scoreA, unplayedReason: null, verdicts };
}
