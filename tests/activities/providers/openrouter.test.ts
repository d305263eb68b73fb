import { cannotDisableThinking, openrouterProvider } from '../../../activities/providers/openrouter';
import type { Turn } from '../../../activities/providers/provider';
import { startRawDouble } from '../../doubles/raw-llm-double';
import { wireAnswer } from '../../doubles/wire-answers';
import { describeContract } from './contract';
import { FORCED_TOOL, forcedRequest, sendOptions } from './sample-requests';

describeContract({
  provider: 'openrouter',
  wire: 'openrouter',
  model: 'anthropic/claude-haiku-4.5',
  path: '/api/v1/chat/completions',
  tooLong: {
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens.",
      },
    },
  },
  errorUnderOk: { kind: 'payment_required', body: { error: { code: 402, message: 'Insufficient credits' } } },
});

const provider = openrouterProvider('key', 'http://127.0.0.1:9');

it('builds a Chat body bound to one backend, with the cost asked for and max_tokens', () => {
  const request = forcedRequest('anthropic/claude-haiku-4.5', {
    tools: [FORCED_TOOL],
    turns: [{ role: 'user', text: 'Go.' }],
  });
  expect(provider.build(request)).toEqual({
    model: 'anthropic/claude-haiku-4.5',
    messages: [
      { role: 'system', content: 'SYSTEM-WORDS' },
      { role: 'user', content: 'Go.' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'record_verdict',
          description: FORCED_TOOL.description,
          parameters: FORCED_TOOL.inputSchema,
        },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'record_verdict' } },
    max_tokens: 512,
    // openrouter.ai/docs/features/provider-routing: "If you have sort or order set, load balancing will be disabled."
    provider: { require_parameters: true, allow_fallbacks: false, sort: 'price' },
    usage: { include: true },
    reasoning: { enabled: false },
  });
});

// OpenRouter's guide on reasoning tokens: `enabled: false` on a mandatory model answers 400; under
// `require_parameters` the field answers 404 on a model that has no reasoning.
it.each([
  ['anthropic/claude-haiku-4.5', { enabled: false }, false],
  ['google/gemini-2.0-flash-001', undefined, false],
  ['google/gemini-2.5-pro', { effort: 'low' }, true],
  ['openai/gpt-5', { effort: 'minimal' }, true],
  ['openai/o1', undefined, true],
  ['deepseek/deepseek-r1:free', { effort: 'low' }, true],
  ['someone/unknown', undefined, true],
])('%s is sent reasoning %j; reasons regardless: %s', (model, reasoning, regardless) => {
  expect(provider.build(forcedRequest(model)).reasoning).toEqual(reasoning);
  expect(cannotDisableThinking(model)).toBe(regardless);
});

describe('the cost that OpenRouter reports', () => {
  const costOf = (usage: unknown) => {
    const body = { ...wireAnswer('openrouter', { model: 'm', text: 'x' }), usage };
    return provider.read({ body, requestId: null }, forcedRequest('m')).usage.reportedCostUsd;
  };

  it('is usage.cost, whatever stands beside it without a key of our own', () => {
    expect(
      costOf({ cost: 0.00078, is_byok: false, cost_details: { upstream_inference_cost: 0.00078 } }),
    ).toBe(0.00078);
    expect(costOf({ cost: 0 })).toBe(0);
  });

  it('is the fee and the upstream’s price together with our own key: 0.05 + 1 USD', () => {
    expect(costOf({ cost: 0.05, is_byok: true, cost_details: { upstream_inference_cost: 1 } })).toBe(1.05);
  });

  it('is unknown where the upstream’s price is not said, or the cost is no number', () => {
    expect(costOf({ cost: 0.05, is_byok: true, cost_details: { upstream_inference_cost: null } })).toBeNull();
    for (const cost of ['0.05', -1, null, undefined]) expect(costOf({ cost })).toBeNull();
  });
});

describe('what OpenRouter tells under status 200', () => {
  it.each([
    ['an error body', { error: { code: 429, message: 'slow' } }, 'rate_limited', undefined],
    ['no choices', { id: 'gen-1', choices: [], usage: { cost: 0.02 } }, 'server_error', 0.02],
    [
      'an error in a choice',
      { choices: [{ error: { code: 502, message: 'x' } }] },
      'server_error',
      undefined,
    ],
    // openrouter.ai/docs/api-reference/overview: a choice's `error` is {code, message, metadata}
    [
      'no credit, told in a choice',
      { choices: [{ error: { code: 402, message: 'x' } }] },
      'payment_required',
      undefined,
    ],
    [
      'a limit, told in a choice with what it cost',
      { choices: [{ error: { code: 429, message: 'x' } }], usage: { cost: 0.01 } },
      'rate_limited',
      0.01,
    ],
    [
      'a flagged answer, told in a choice',
      { choices: [{ error: { code: 403, message: 'x', metadata: { reasons: ['violence'] } } }] },
      'bad_request',
      undefined,
    ],
    ['an error with words for a code', { error: { code: 'server_error' } }, 'server_error', undefined],
    ['an error in a word', { error: 'boom' }, 'server_error', undefined],
  ])('as %3$s: %s', async (_, body, kind, reportedCostUsd) => {
    const double = await startRawDouble(() => ({ kind: 'json', body }));
    const live = openrouterProvider('key', double.url);
    const sent = live.send(live.build(forcedRequest('m')), sendOptions('m'));
    await expect(sent).rejects.toMatchObject({ kind, details: { httpStatus: 200 } });
    await sent.catch(({ details }) => expect(details.reportedCostUsd).toBe(reportedCostUsd));
    await double.stop();
  });

  it.each([
    [402, { code: 402, metadata: { limit_source: 'openrouter_credits' } }, 'payment_required'],
    [402, { code: 402, metadata: { limit_source: 'openrouter_in_flight_budget' } }, 'rate_limited'],
    [403, { code: 403, metadata: { reasons: ['violence'], flagged_input: 'x' } }, 'bad_request'],
    [
      404,
      { code: 404, message: 'No endpoints found that can handle the requested parameters.' },
      'bad_request',
    ],
    [408, { code: 408 }, 'timeout'],
  ])('and under %i with %j as %s', async (status, error, kind) => {
    const double = await startRawDouble(() => ({ kind: 'json', status, body: { error } }));
    const live = openrouterProvider('key', double.url);
    const sent = live.send(live.build(forcedRequest('m')), sendOptions('m'));
    await expect(sent).rejects.toMatchObject({ kind });
    await double.stop();
  });
});

it('sends reasoning details back with the words and calls they belong to', () => {
  const message = {
    role: 'assistant',
    content: null,
    refusal: null,
    reasoning: 'hm',
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz' }],
    tool_calls: [{ id: 'c1', type: 'function', index: 0, function: { name: 'search_web', arguments: '{}' } }],
  };
  const body = { choices: [{ message }] };
  const turns: Turn[] = [
    { role: 'user', text: 'Go.' },
    { role: 'model', answer: { body, requestId: null } },
    { role: 'tools', results: [{ callId: 'c1', tool: 'search_web', text: 'found', isError: false }] },
  ];
  const { messages } = provider.build(forcedRequest('m', { turns, system: '' }));
  const { refusal: _, ...echoed } = message;
  expect(messages).toEqual([
    { role: 'user', content: 'Go.' },
    echoed,
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
  ]);
});
