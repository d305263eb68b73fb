import { openProviders } from '../../activities/providers';
import type { CompletionRequest, ToolSpec } from '../../activities/providers/provider';
import {
  checkHypothesis,
  checkReview,
  checkVerdict,
  RECORD_HYPOTHESIS,
  RECORD_REVIEW,
  RECORD_VERDICT,
} from '../../activities/record-schemas';
import { sendOptions } from '../activities/providers/sample-requests';
import { type LlmDouble, startLlmDouble } from './llm-double';

const MODELS: [string, string][] = [
  ['anthropic', 'claude-haiku-4-5'],
  ['anthropic', 'claude-opus-5-5'],
  ['openai', 'gpt-5'],
  ['google', 'gemini-2.5-flash'],
  ['openrouter', 'anthropic/claude-haiku-4.5'],
  ['openai-compatible', 'qwen3-4b'],
];

describe('the LLM double', () => {
  let double: LlmDouble;
  beforeAll(async () => {
    double = await startLlmDouble();
  });
  afterAll(() => double.stop());
  beforeEach(() => {
    double.journal.length = 0;
  });

  const complete = async (provider: string, model: string, tool: ToolSpec, text = 'Go.') => {
    const request: CompletionRequest = {
      model,
      system: 'x',
      turns: [{ role: 'user', text }],
      tools: [tool],
      toolChoice: { kind: 'force', tool: tool.name },
      maxOutputTokens: 8_192,
      thinking: 'off',
      draw: { seed: 1, key: 'k' },
    };
    const live = openProviders(double.env).get(provider)!;
    return live.read(await live.send(live.build(request), sendOptions(model)), request);
  };

  it.each(MODELS)('answers %s:%s with records that their schemas accept', async (provider, model) => {
    const checks = [
      [RECORD_HYPOTHESIS, checkHypothesis],
      [RECORD_REVIEW, checkReview],
      [RECORD_VERDICT, checkVerdict],
    ] as const;
    for (const [tool, check] of checks) {
      const completion = await complete(provider, model, tool);
      expect(completion.kind).toBe('recorded');
      expect(completion.kind === 'recorded' && check(completion.arguments)).toHaveProperty('record');
    }
  });

  it('answers the same request the same way, and another differently', async () => {
    const [one, again, other] = await Promise.all([
      complete('openai', 'gpt-5', RECORD_HYPOTHESIS),
      complete('openai', 'gpt-5', RECORD_HYPOTHESIS),
      complete('openai', 'gpt-5', RECORD_HYPOTHESIS, 'Go on.'),
    ]);
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('keeps a journal: path, call id, status and the tokens that the provider then reads as billed', async () => {
    const completion = await complete('google', 'gemini-2.5-flash', RECORD_VERDICT);
    expect(double.journal).toHaveLength(1);
    const [entry] = double.journal;
    expect(entry).toMatchObject({
      path: '/v1beta/models/gemini-2.5-flash:generateContent',
      callId: 'bnc_X/haiku[pipe]/1/turn/1#1',
      status: 200,
      billedTokens: { input: completion.usage.inputTokens, output: completion.usage.outputTokens },
    });
    expect(completion.usage.inputTokens).toBe(Math.ceil(Buffer.byteLength(entry!.text) / 4));
  });

  it('plays the faults it is handed, one a request, then answers again', async () => {
    double.failNext({ kind: 'json', status: 429, body: {} }, { kind: 'reset' });
    const call = () => complete('anthropic', 'claude-haiku-4-5', RECORD_VERDICT);
    await expect(call()).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(call()).rejects.toMatchObject({ kind: 'dropped' });
    expect((await call()).kind).toBe('recorded');
    expect(double.journal.map(({ status, billedTokens }) => [status, billedTokens !== null])).toEqual([
      [429, false],
      [null, false],
      [200, true],
    ]);
  });
});
