import type { Random } from '../../core/random';
import { readStrength } from './sim-hypothesis';

/** A sim judge, as far as its verdicts go. */
export interface SimJudge {
  /** How far it follows what it reads: 1 altogether, 0 not at all (a coin). */
  accuracy: number;
  /** What being shown first is worth, in logits. */
  bias: number;
  /** Always the first option, whatever it reads. */
  isFixed: boolean;
}

export interface SimVerdict {
  winner: 'first' | 'second' | 'tie';
  rationale: string;
  scores: { criterion: string; first: number; second: number }[];
}

const TIE_SHARE = 0.04;

/**
 * A verdict on the two hypotheses of a prompt, by the strengths their texts show and nothing else. Where one shows
 * none there is nothing to go by: a tie, said so.
 *
 * @param prompt holds `<first_hypothesis>` and `<second_hypothesis>` blocks
 * @param criteria what the tool asks to be scored
 */
export function simVerdict(random: Random, prompt: string, judge: SimJudge, criteria: string[]): SimVerdict {
  const first = readStrength(blockOf(prompt, 'first_hypothesis'));
  const second = readStrength(blockOf(prompt, 'second_hypothesis'));
  // Drawn whether used or not, so that one draw does not move another.
  const [tieDraw, winDraw] = [random.uniform(), random.uniform()];
  const scores = criteria.map((criterion) => ({ criterion, ...scorePair(random, first, second) }));
  if (judge.isFixed) return { winner: 'first', rationale: 'Always the first (simulated).', scores };
  if (first === null || second === null) {
    const missing = [first === null ? 'first' : null, second === null ? 'second' : null].filter(Boolean);
    return {
      winner: 'tie',
      rationale: `No strength is shown by the ${missing.join(' and the ')} (simulated).`,
      scores,
    };
  }
  const read = `Strengths read: ${first.toFixed(3)} and ${second.toFixed(3)} (simulated).`;
  if (tieDraw < TIE_SHARE) return { winner: 'tie', rationale: `${read} Too close to call.`, scores };
  const winner = winDraw < firstWinProbability(first, second, judge) ? 'first' : 'second';
  return { winner, rationale: `${read} The ${winner} convinces more.`, scores };
}

/**
 * Chance that the first is named, given that one is: with a share of `accuracy` by the logistic of the difference
 * and the bias, as Bradley and Terry have it; the rest is a coin.
 */
export function firstWinProbability(
  first: number,
  second: number,
  { accuracy, bias }: Pick<SimJudge, 'accuracy' | 'bias'>,
): number {
  return accuracy / (1 + Math.exp(second - first - bias)) + (1 - accuracy) / 2;
}

/** What stands between the tags, reviews left out. */
function blockOf(prompt: string, tag: string): string {
  const block = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(prompt)?.[1] ?? '';
  return block.replace(/<review>[\s\S]*?<\/review>/g, '');
}

/** 1 to 5: three, moved by half the difference and a little noise. */
function scorePair(random: Random, first: number | null, second: number | null) {
  const lean = first === null || second === null ? 0 : (first - second) / 2;
  const score = (offset: number) => Math.min(5, Math.max(1, Math.round(3 + offset + random.normal() / 2)));
  return { first: score(lean), second: score(-lean) };
}
