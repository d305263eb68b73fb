import type { BenchInput } from '../../../core/bench-input';

/** USD a million tokens, input and output, by which the double bills too. */
export const PRICES: NonNullable<BenchInput['prices']> = {
  'anthropic:claude-haiku-4-5': { inputUsdPerMTok: 1, outputUsdPerMTok: 5 },
  'openai:gpt-5': { inputUsdPerMTok: 0.5, outputUsdPerMTok: 4 },
  'google:gemini-2.5-flash': { inputUsdPerMTok: 0.3, outputUsdPerMTok: 2.5 },
  'openai-compatible:qwen3-4b': { inputUsdPerMTok: 0.1, outputUsdPerMTok: 0.4 },
  'openrouter:some/judge': { inputUsdPerMTok: 2, outputUsdPerMTok: 8 },
};

/**
 * Four candidates on four wires, two of each mode, judged over a fifth. Two slots each: they ask in the same words, so
 * the second is told that its idea is taken, and that path is walked too.
 */
export function benchInput(size: { matches: number }, caps: Partial<BenchInput> = {}): BenchInput {
  return {
    goal: 'Find an approved drug that could be tried against leukaemic stem cells.',
    candidates: [
      'claude=anthropic:claude-haiku-4-5@pipeline',
      'gpt=openai:gpt-5@direct',
      'gemini=google:gemini-2.5-flash@pipeline',
      'qwen=openai-compatible:qwen3-4b@direct',
    ],
    judge: 'openrouter:some/judge',
    prices: PRICES,
    goldSet: 'aml-repurposing-paper-5',
    literature: 'bundled',
    n: 2,
    matches: size.matches,
    maxInFlight: 6,
    probe: true,
    generation: { maxTurns: 8, maxToolCalls: 8 },
    budgetPerCandidateUsd: 100,
    judgeBudgetUsd: 1_000,
    ...caps,
  };
}
