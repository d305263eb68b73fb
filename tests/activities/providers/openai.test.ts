import { cannotDisableThinking, openaiProvider } from '../../../activities/providers/openai';
import { startRawDouble } from '../../doubles/raw-llm-double';
import { wireAnswer } from '../../doubles/wire-answers';
import { describeContract } from './contract';
import { FORCED_TOOL, forcedRequest, sendOptions } from './sample-requests';

describeContract({
  provider: 'openai',
  wire: 'responses',
  model: 'gpt-5',
  path: '/v1/responses',
  tooLong: {
    status: 400,
    body: { error: { code: 'context_length_exceeded', message: 'too long', type: 'invalid_request_error' } },
  },
  errorUnderOk: {
    kind: 'rate_limited',
    body: {
      id: 'resp_1',
      status: 'failed',
      output: [],
      error: { code: 'rate_limit_exceeded', message: 'slow down' },
    },
  },
});

const provider = openaiProvider('key', 'http://127.0.0.1:9/v1');
const read = (body: unknown, request = forcedRequest('gpt-5')) =>
  provider.read({ body, requestId: null }, request);

it('builds a Responses body: one forced function, nothing stored, reasoning as low as it goes', () => {
  expect(
    provider.build(forcedRequest('gpt-5', { tools: [FORCED_TOOL], turns: [{ role: 'user', text: 'Go.' }] })),
  ).toEqual({
    model: 'gpt-5',
    instructions: 'SYSTEM-WORDS',
    input: [{ role: 'user', content: 'Go.' }],
    tools: [
      {
        type: 'function',
        name: 'record_verdict',
        description: FORCED_TOOL.description,
        parameters: FORCED_TOOL.inputSchema,
        strict: false,
      },
    ],
    tool_choice: { type: 'function', name: 'record_verdict' },
    max_output_tokens: 512,
    reasoning: { effort: 'minimal' },
    // The SDK's typings: left out it is 'auto', the tier that the key's project is set to.
    service_tier: 'default',
    store: false,
    include: ['reasoning.encrypted_content'],
  });
});

// developers.openai.com/api/docs/models, and the 400 "Encrypted content is not supported with this model"
it.each([
  ['gpt-5.1-2025-11-13', { effort: 'none' }, true, false],
  ['gpt-5.4-mini', { effort: 'none' }, true, false],
  ['gpt-5.5-2026-04-23', { effort: 'none' }, true, false],
  ['gpt-5.6-sol', { effort: 'none' }, true, false],
  ['gpt-6-astra', { effort: 'low' }, true, true],
  ['gpt-6.1-sol', { effort: 'low' }, true, true],
  ['o1', { effort: 'low' }, true, true],
  ['gpt-4o', undefined, false, false],
  ['gpt-4o-2024-11-20', undefined, false, false],
  ['gpt-9-nova', undefined, true, true],
])(
  '%s: reasoning %j, encrypted content %s, thinks regardless %s',
  (model, reasoning, hasInclude, regardless) => {
    const body = provider.build(forcedRequest(model));
    expect(body.reasoning).toEqual(reasoning);
    expect('include' in body).toBe(hasInclude);
    expect(cannotDisableThinking(model)).toBe(regardless);
  },
);

describe('a conversation over Responses', () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
    { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'search_web', arguments: '{"query":"a"}' },
    { type: 'function_call', id: 'fc_2', call_id: 'call_b', name: 'search_web', arguments: '{"query":"b"}' },
  ];
  const user = { role: 'user', text: 'Go.' } as const;
  const turn = (body: unknown) => ({ role: 'model', answer: { body, requestId: null } }) as const;

  it('sends every item of an answer back unchanged, reasoning too, with an output for each call', () => {
    const results = [
      { callId: 'call_b', tool: 'search_web', text: 'two', isError: true },
      { callId: 'call_a', tool: 'search_web', text: 'one', isError: false },
    ];
    const turns = [user, turn({ status: 'completed', output }), { role: 'tools', results } as const];
    expect(provider.build(forcedRequest('gpt-5', { turns })).input).toEqual([
      { role: 'user', content: 'Go.' },
      ...output,
      { type: 'function_call_output', call_id: 'call_a', output: 'one' },
      { type: 'function_call_output', call_id: 'call_b', output: 'Error: two' },
    ]);
  });

  it('sends a cut answer back as its words alone: neither half a call nor reasoning without its call', () => {
    const cut = output.map((item) => (item.id === 'fc_2' ? { ...item, arguments: '{"que' } : item));
    for (const status of ['incomplete', 'completed']) {
      const turns = [user, turn({ status, output: cut }), { role: 'user', text: 'Again.' } as const];
      expect(provider.build(forcedRequest('gpt-5', { turns })).input).toEqual([
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'Looking.' },
        { role: 'user', content: 'Again.' },
      ]);
    }
  });
});

it('reads incomplete by content_filter as refused, any other status as unreadable', () => {
  const body = wireAnswer('responses', { model: 'm', text: 'x', ending: 'truncated' });
  expect(read({ ...body, incomplete_details: { reason: 'content_filter' } })).toMatchObject({
    reason: 'refused',
  });
  for (const status of ['in_progress', 'queued', 'cancelled', 'failed', null]) {
    expect(read({ ...body, status })).toMatchObject({ kind: 'invalid', reason: 'unreadable' });
  }
});

it('takes cached and reasoning tokens for parts of what is counted: 100 in of them 64 cached, 50 out', () => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 64, cache_write_tokens: 12 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 40 },
  };
  expect(read({ ...wireAnswer('responses', { model: 'm', text: 'x' }), usage }).usage).toEqual({
    inputTokens: 100,
    cachedInputTokens: 64,
    cacheWriteTokens: 12,
    outputTokens: 50,
    reasoningTokens: 40,
    reportedCostUsd: null,
  });
});

// developers.openai.com/api/docs/guides/spend-limits
it.each(['insufficient_quota', 'credit_balance_exhausted', 'project_spend_limit_exceeded'])(
  'takes 429 %s for payment_required',
  async (code) => {
    const double = await startRawDouble(() => ({
      kind: 'json',
      status: 429,
      body: { error: { code, type: 'x' } },
    }));
    const live = openaiProvider('key', double.url);
    const sent = live.send(live.build(forcedRequest('gpt-5')), sendOptions('gpt-5'));
    await expect(sent).rejects.toMatchObject({ kind: 'payment_required', details: { code } });
    await double.stop();
  },
);
