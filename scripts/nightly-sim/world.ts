import { replayElo } from '../../core/elo';
import type { NightScores } from '../../core/nightly/judge-nights';
import { nightSchedule } from '../../core/nightly/night-schedule';
import { anchorScores } from '../../core/nightly/night-scores';
import { choosePanel, type Panel, type PanelCandidate } from '../../core/nightly/panel';
import { type Random, randomFrom } from '../../core/random';
import { sigmoid } from '../../core/ratings/elo-scale';
import { buildSchedule } from '../../core/schedule';

/** How a nightly's nights come about. Strengths in logits. */
export interface NightlyWorld {
  candidates: number;
  /** Fresh hypotheses of each candidate a night. */
  n: number;
  /** How often each candidate meets each opponent of the panel a night. */
  matches: number;
  /** Standard deviation between candidates, and between the hypotheses of one. */
  skill: number;
  spread: number;
  judge: SimJudge;
  /** Opponents are the best rated of a pinned bench three times as large, rather than taken in turn. */
  hasLuckyPanel: boolean;
  /** Standard deviation of what a night does to all of its matches alike: see `drawMood`. 0: nights differ by chance alone. */
  nightEffect: number;
  /** Of the first candidate, from a night on. */
  drop: { night: number; logits: number } | null;
  /** Another judge, from a night on. */
  swap: { night: number; judge: SimJudge } | null;
}

export interface SimJudge {
  /** How steeply its verdicts follow the strengths. */
  slope: number;
  /** What being shown first is worth. */
  bias: number;
  /** Half the width of the band around equality in which it says tie. */
  tie: number;
  /** Standard deviation of what it sees in a text that the first judge does not, and of what it sees in a candidate's style. */
  textTaste: number;
  styleTaste: number;
}

export const FIRST_JUDGE: SimJudge = { slope: 1, bias: 0.4, tie: 0.2, textTaste: 0, styleTaste: 0 };

/** Spreads and bias as docs/calibration.md's base world has them. */
export const BASE_NIGHTLY: NightlyWorld = {
  candidates: 8,
  n: 4,
  matches: 2,
  skill: 0.5,
  spread: 0.6,
  judge: FIRST_JUDGE,
  hasLuckyPanel: false,
  nightEffect: 0,
  drop: null,
  swap: null,
};

interface Text {
  candidate: number;
  strength: number;
}

/** One world's nights, each as scores; they do not know of each other. */
export function* playNights(world: NightlyWorld, nights: number, seed: number): Generator<NightScores> {
  const random = randomFrom(seed, 'nightly-sim');
  const skills = Array.from({ length: world.candidates }, () => world.skill * random.normal());
  const { panel, texts } = pinPanel(world, skills, random);
  const schedule = nightSchedule({ ...world, slots: world.n, opponents: panel.opponents.length });
  let bench = seat(world.judge, world, texts, random);
  for (let night = 0; night < nights; night++) {
    if (night === world.swap?.night) bench = seat(world.swap.judge, world, texts, random);
    const mood = drawMood(bench.judge, world.nightEffect, random);
    const fresh = skills.map((skill, candidate) => {
      const fall = candidate === 0 && world.drop && night >= world.drop.night ? world.drop.logits : 0;
      return Array.from({ length: world.n }, () =>
        bench.see({ candidate, strength: skill - fall + world.spread * random.normal() }),
      );
    });
    const sums = skills.map(() => 0);
    for (const { candidate, slot, opponent } of schedule) {
      const gap = mood.fresh + fresh[candidate]![slot - 1]! - bench.known.get(panel.opponents[opponent]!)!;
      sums[candidate]! += matchScore(gap, mood.judge, random);
    }
    const anchors = panel.anchors.map(([a, b]) => ({
      a: texts.get(a)!.candidate,
      b: texts.get(b)!.candidate,
      scoreA: matchScore(bench.known.get(a)! - bench.known.get(b)!, mood.judge, random),
    }));
    yield {
      candidates: sums.map((sum) => sum / (panel.opponents.length * world.matches)),
      anchors: anchorScores(anchors, skills.length),
    };
  }
}

/** The pinned bench: a round robin of the same candidates, and the panel chosen from it as the product does. */
function pinPanel(
  world: NightlyWorld,
  skills: readonly number[],
  random: Random,
): { panel: Panel; texts: Map<string, Text> } {
  const slots = world.hasLuckyPanel ? 12 : 4;
  const id = (candidate: number, slot: number) => `${candidate}/${slot}`;
  const texts = new Map<string, Text>();
  skills.forEach((skill, candidate) => {
    for (let slot = 1; slot <= slots; slot++) {
      texts.set(id(candidate, slot), { candidate, strength: skill + world.spread * random.normal() });
    }
  });
  const size = { candidates: skills.length, slots, matches: world.hasLuckyPanel ? 6 : 2 };
  const elo = replayElo(
    buildSchedule({ ...size, seed: random.integers(0, 2 ** 32) }).map((match) => {
      const a = id(match.candA, match.slotA);
      const b = id(match.candB, match.slotB);
      const gap = texts.get(a)!.strength - texts.get(b)!.strength;
      return { a, b, scoreA: matchScore(gap, world.judge, random) };
    }),
  );
  const all = [...texts].map(
    ([hypothesisId, { candidate }]): PanelCandidate => ({
      hypothesisId,
      candidateId: String(candidate),
      elo: elo.get(hypothesisId) ?? 1200,
    }),
  );
  const lucky = all.toSorted((one, other) => other.elo - one.elo).slice(0, 14);
  return { panel: choosePanel(world.hasLuckyPanel ? lucky : all), texts };
}

interface SeatedJudge {
  judge: SimJudge;
  /** What a text is worth to it. */
  see(text: Text): number;
  /** What the texts of the pinned bench are worth to it, the same each night. */
  known: Map<string, number>;
}

function seat(judge: SimJudge, world: NightlyWorld, texts: Map<string, Text>, random: Random): SeatedJudge {
  const styles = Array.from({ length: world.candidates }, () => judge.styleTaste * random.normal());
  const see = ({ candidate, strength }: Text): number =>
    judge.slope * strength +
    styles[candidate]! +
    (judge.textTaste > 0 ? judge.textTaste * random.normal() : 0);
  return { judge, see, known: new Map([...texts].map(([id, text]) => [id, see(text)])) };
}

/** What a night does to all its matches: the judge favours first places more or less, and fresh texts over known ones. */
function drawMood(judge: SimJudge, effect: number, random: Random): { judge: SimJudge; fresh: number } {
  if (effect === 0) return { judge, fresh: 0 };
  const bias = judge.bias + effect * random.normal();
  return { judge: { ...judge, bias }, fresh: effect * random.normal() };
}

/** Both orders of one match, for its first side. */
function matchScore(gap: number, judge: SimJudge, random: Random): number {
  return (
    (verdictScore(gap + judge.bias, judge.tie, random) + verdictScore(gap - judge.bias, judge.tie, random)) /
    2
  );
}

function verdictScore(edge: number, tie: number, random: Random): number {
  const draw = random.uniform();
  return draw < sigmoid(edge - tie) ? 1 : draw < sigmoid(edge + tie) ? 0.5 : 0;
}
