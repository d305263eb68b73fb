import { LLMock } from '@copilotkit/aimock';
import { openProviders } from '../../../activities/providers';
import type { CompletionRequest, Provider } from '../../../activities/providers/provider';
import { providerEnv } from './provider-env';
import { FORCED_TOOL, sendOptions } from './sample-requests';

// The shapes that somebody else took down from the five APIs, as a check on our own doubles.
const MODELS: Record<string, string> = {
  anthropic: 'claude-haiku-4-5',
  openai: 'gpt-5',
  google: 'gemini-2.5-flash',
  openrouter: 'anthropic/claude-haiku-4.5',
  'openai-compatible': 'qwen3-4b',
};
const verdict = { name: 'record_verdict', arguments: '{"winner":"tie","rationale":"even"}' };

describe.each(Object.entries(MODELS))('%s against aimock', (name, model) => {
  const mock = new LLMock({ port: 0, logLevel: 'silent' });
  let provider: Provider;

  beforeAll(async () => {
    mock
      .onMessage('verdict', { toolCalls: [verdict] })
      .onMessage('words', { content: 'The first, I think.' })
      .onMessage('twice', { toolCalls: [verdict, verdict] })
      .onMessage('cut', { content: '{"winner":', finishReason: 'length' })
      .onMessage('later', {
        error: { message: 'slow down', type: 'rate_limit_error' },
        status: 429,
        retryAfter: 7,
      })
      .onMessage('poor', { error: { message: 'no money', type: 'billing_error' }, status: 402 });
    await mock.start();
    provider = openProviders(providerEnv(mock.url)).get(name)!;
  });
  afterAll(() => mock.stop());
  beforeEach(() => {
    mock.clearRequests();
    mock.clearChaos();
  });

  const complete = async (text: string) => {
    const request: CompletionRequest = {
      model,
      system: 'Judge.',
      turns: [{ role: 'user', text }],
      tools: [FORCED_TOOL],
      toolChoice: { kind: 'force', tool: FORCED_TOOL.name },
      maxOutputTokens: 256,
      thinking: 'off',
      draw: { seed: 1, key: 'k' },
    };
    return provider.read(await provider.send(provider.build(request), sendOptions(model)), request);
  };

  it('reads a forced call, words, two calls and a cut answer', async () => {
    expect(await complete('verdict')).toMatchObject({
      kind: 'recorded',
      arguments: { winner: 'tie', rationale: 'even' },
    });
    expect(await complete('words')).toMatchObject({ kind: 'invalid', reason: 'no_call' });
    expect(await complete('twice')).toMatchObject({ kind: 'invalid', reason: 'several_calls' });
    expect(await complete('cut')).toMatchObject({ kind: 'invalid', reason: 'truncated' });
  });

  it('tells 429 with Retry-After 7 from 402', async () => {
    await expect(complete('later')).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { retryAfterMs: 7_000 },
    });
    await expect(complete('poor')).rejects.toMatchObject({ kind: 'payment_required' });
  });

  it('tells a body that is no JSON from a connection that broke', async () => {
    mock.setChaos({ malformedRate: 1 });
    await expect(complete('verdict')).rejects.toMatchObject({ kind: 'unreadable' });
    mock.setChaos({ disconnectRate: 1 });
    await expect(complete('verdict')).rejects.toMatchObject({ kind: 'dropped' });
  });

  it('sends one request a call, with its call id, by the journal', async () => {
    await complete('verdict');
    await complete('later').catch(() => undefined);
    const seen = mock.getRequests().map(({ headers }) => headers['x-co-scientist-call']);
    expect(seen).toEqual(['bnc_X/haiku[pipe]/1/turn/1#1', 'bnc_X/haiku[pipe]/1/turn/1#1']);
  });
});

it('reads the cost that OpenRouter reports: 0.0125 USD', async () => {
  const mock = new LLMock({ port: 0, logLevel: 'silent' });
  mock.onMessage('cost', { content: 'x', usage: { cost: 0.0125, prompt_tokens: 10, completion_tokens: 3 } });
  await mock.start();
  const provider = openProviders(providerEnv(mock.url)).get('openrouter')!;
  const request: CompletionRequest = {
    model: 'a/b',
    system: '',
    turns: [{ role: 'user', text: 'cost' }],
    tools: [],
    toolChoice: { kind: 'auto' },
    maxOutputTokens: 64,
    thinking: 'off',
    draw: { seed: 1, key: 'k' },
  };
  const completion = provider.read(await provider.send(provider.build(request), sendOptions('a/b')), request);
  expect(completion.usage).toMatchObject({ reportedCostUsd: 0.0125, inputTokens: 10, outputTokens: 3 });
  await mock.stop();
});
