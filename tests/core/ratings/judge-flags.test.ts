import { judgeFlags, makerOf } from '../../../core/ratings/judge-flags';

describe('flags of a judge', () => {
  it.each([
    ['anthropic:claude-opus-4-1', 'anthropic'],
    ['openai:gpt-5', 'openai'],
    ['openrouter:anthropic/claude-sonnet-4', 'anthropic'],
    ['openrouter:openai/gpt-oss-120b:free', 'openai'],
    ['openrouter:google/gemini-2.5-pro', 'google'],
    ['openrouter:moonshotai/kimi-k2', 'moonshotai'],
    ['compat-my-lab:qwen3-32b', 'qwen'],
    ['compat-my-lab:llama3.1', 'meta'],
    ['openai-compatible:o3-mini', 'openai'],
    ['sim:steady', null],
  ])('%s is made by %s', (model, maker) => {
    expect(makerOf(model)).toBe(maker);
  });

  it('names kin, itself as candidate and itself as reviewer, each once', () => {
    const flags = judgeFlags({
      judges: ['openai:gpt-5'],
      reviewer: 'openrouter:openai/gpt-5',
      candidates: [
        { label: 'kin', model: 'openrouter:openai/gpt-4o' },
        { label: 'self', model: 'openai:gpt-5' },
        { label: 'stranger', model: 'google:gemini-2.5-pro' },
      ],
    });
    expect(flags).toEqual([
      { kind: 'judge_is_reviewer', judge: 'openai:gpt-5' },
      { kind: 'judge_of_candidates_maker', judge: 'openai:gpt-5', candidate: 'kin', maker: 'openai' },
      { kind: 'judge_is_candidate', judge: 'openai:gpt-5', candidate: 'self' },
    ]);
  });

  it('has none for strangers without a reviewer', () => {
    const candidates = [{ label: 'x', model: 'google:gemini-2.5-pro' }];
    expect(judgeFlags({ judges: ['openai:gpt-5'], reviewer: null, candidates })).toEqual([]);
  });
});
