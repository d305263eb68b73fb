import { anthropicProvider, cannotDisableThinking } from '../../../activities/providers/anthropic';
import type { CompletionRequest } from '../../../activities/providers/provider';
import { startRawDouble } from '../../doubles/raw-llm-double';
import { wireAnswer } from '../../doubles/wire-answers';
import { describeContract } from './contract';
import { FORCED_TOOL, forcedRequest, sendOptions } from './sample-requests';

describeContract({
  provider: 'anthropic',
  wire: 'messages',
  model: 'claude-haiku-4-5',
  path: '/v1/messages',
  // platform.claude.com/docs/en/api/errors: 400, told apart by its words only
  tooLong: {
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
    },
  },
  errorUnderOk: {
    kind: 'overloaded',
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
});

const provider = anthropicProvider('key', 'http://127.0.0.1:9');

function body(model: string, changes: Partial<CompletionRequest> = {}) {
  return provider.build(forcedRequest(model, changes));
}

function read(answer: unknown, request: CompletionRequest) {
  return provider.read({ body: answer, requestId: null }, request);
}

// platform.claude.com/docs, read in November 2026: build-with-claude/thinking, models/opus-5-5/whats-new-opus-5-5,
// models/sonnet-5-5/whats-new-sonnet-5-5, models/fable-5/migration-guide
describe('a forced call to Claude with thinking off', () => {
  const forced = { type: 'tool', name: 'record_verdict', disable_parallel_tool_use: true };

  it.each(['claude-haiku-4-5', 'claude-haiku-4-5-20251001', 'claude-opus-4-7', 'claude-sonnet-4-6'])(
    'to %s says nothing of thinking, which is off by default',
    (model) => {
      const made = body(model);
      expect([made.tool_choice, made.thinking, made.output_config]).toEqual([forced, undefined, undefined]);
    },
  );

  it.each(['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5-5'])(
    'to %s turns it off, which is on',
    (model) => {
      const made = body(model);
      expect([made.tool_choice, made.thinking]).toEqual([forced, { type: 'disabled' }]);
    },
  );

  it('to claude-sonnet-5-5 asks by schema and turns up-front thinking off with between_tools', () => {
    const made = body('claude-sonnet-5-5');
    expect(made.thinking).toEqual({ type: 'between_tools' });
    expect(made.tool_choice).toEqual({ type: 'none' });
    // The SDK leaves the type out beside an enum.
    const winner = { enum: ['first', 'second', 'tie'] };
    const schema = { ...FORCED_TOOL.inputSchema, properties: { winner, rationale: { type: 'string' } } };
    expect(made.output_config).toEqual({ format: { type: 'json_schema', schema } });
  });

  it.each(['claude-opus-5-5', 'claude-fable-5-1', 'claude-mythos-preview', 'claude-opus-9-1'])(
    'to %s, which always thinks, asks by schema and for the least effort',
    (model) => {
      const made = body(model);
      expect([made.tool_choice, made.thinking]).toEqual([{ type: 'none' }, undefined]);
      expect(made.output_config).toMatchObject({ effort: 'low', format: { type: 'json_schema' } });
      expect(cannotDisableThinking(model)).toBe(true);
    },
  );

  it('is not sent to a model by the beginning of its name: claude-sonnet-5-5 is no claude-sonnet-5', () => {
    expect(cannotDisableThinking('claude-sonnet-5')).toBe(false);
    expect(cannotDisableThinking('claude-sonnet-5-7')).toBe(true);
    expect(cannotDisableThinking('toString')).toBe(true);
  });
});

describe('a thinking budget for Claude', () => {
  it('goes to Claude 4.5 as budget_tokens, from 1,024 to below max_tokens', () => {
    const budgets = [2_048, 100, 8_000, 4_096].map((thinking) => {
      return body('claude-sonnet-4-5', { thinking, maxOutputTokens: 4_096, toolChoice: { kind: 'auto' } })
        .thinking;
    });
    expect(budgets).toEqual([
      { type: 'enabled', budget_tokens: 2_048 },
      { type: 'enabled', budget_tokens: 1_024 },
      { type: 'enabled', budget_tokens: 4_095 },
      { type: 'enabled', budget_tokens: 4_095 },
    ]);
    expect(body('claude-sonnet-4-5', { thinking: 2_048, maxOutputTokens: 1_024 }).thinking).toBeUndefined();
  });

  it('goes to later models as adaptive thinking with an effort: low, medium, high', () => {
    const made = [2_000, 8_000, 32_000].map((thinking) =>
      body('claude-opus-4-7', { thinking, toolChoice: { kind: 'auto' } }),
    );
    expect(made.map(({ thinking }) => thinking)).toEqual(Array(3).fill({ type: 'adaptive' }));
    expect(made.map(({ output_config }) => output_config)).toEqual([
      { effort: 'low' },
      { effort: 'medium' },
      { effort: 'high' },
    ]);
  });

  it('makes a forced call an answer by schema, since a forced tool_choice with thinking answers 400', () => {
    const made = body('claude-sonnet-4-5', { thinking: 2_048, maxOutputTokens: 4_096 });
    expect(made.tool_choice).toEqual({ type: 'none' });
    expect(made.thinking).toEqual({ type: 'enabled', budget_tokens: 2_048 });
    expect(made.output_config).toMatchObject({ format: { type: 'json_schema' } });
  });
});

describe('an answer by schema', () => {
  const request = forcedRequest('claude-opus-5-5');
  const answer = (text: string, ending: 'complete' | 'truncated' | 'refused' = 'complete') =>
    read(wireAnswer('messages', { model: 'claude-opus-5-5', text, ending }), request);

  it('is recorded as the arguments of the forced tool, under an id of our own', () => {
    expect(answer(' {"winner":"tie","rationale":"even"}\n')).toMatchObject({
      kind: 'recorded',
      callId: 'call_1_1',
      tool: 'record_verdict',
      arguments: { winner: 'tie', rationale: 'even' },
    });
  });

  it.each([
    ['prose', 'I think the first wins.', 'complete', 'no_call'],
    ['fenced JSON', '```json\n{"winner":"tie"}\n```', 'complete', 'no_call'],
    ['cut JSON', '{"winner":"ti', 'complete', 'malformed_arguments'],
    ['two objects', '{"winner":"tie"} {"winner":"first"}', 'complete', 'malformed_arguments'],
    ['nothing', ' ', 'complete', 'empty'],
    ['cut by the cap', '{"winner":"tie"}', 'truncated', 'truncated'],
    ['refused', '{"winner":"tie"}', 'refused', 'refused'],
  ] as const)('that is %s is %s', (_, text, ending, reason) => {
    expect(answer(text, ending)).toMatchObject({ kind: 'invalid', reason });
  });

  it('has its tool result told in words, since there is no call to answer', () => {
    const [, , last] = body('claude-opus-5-5', {
      turns: [
        ...request.turns,
        {
          role: 'model',
          answer: { body: wireAnswer('messages', { model: 'm', text: '{}' }), requestId: null },
        },
        {
          role: 'tools',
          results: [{ callId: 'call_1_1', tool: 'record_verdict', text: 'winner: missing', isError: true }],
        },
      ],
    }).messages as unknown[];
    expect(last).toEqual({ role: 'user', content: 'Error from record_verdict:\nwinner: missing' });
  });
});

describe('a conversation with Claude', () => {
  const content = [
    { type: 'thinking', thinking: '', signature: 'sig==' },
    { type: 'text', text: 'Looking.' },
    {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'search_web',
      input: { query: 'a' },
      caller: { type: 'direct' },
    },
    { type: 'tool_use', id: 'toolu_2', name: 'search_web', input: { query: 'b' } },
  ];
  const model = { role: 'model', answer: { body: { type: 'message', content }, requestId: null } } as const;
  const user = { role: 'user', text: 'Go.' } as const;

  it('echoes the model turn unchanged and answers each call in order', () => {
    const results = [
      { callId: 'toolu_2', tool: 'search_web', text: 'two', isError: true },
      { callId: 'toolu_1', tool: 'search_web', text: 'one', isError: false },
    ];
    expect(body('claude-haiku-4-5', { turns: [user, model, { role: 'tools', results }] }).messages).toEqual([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'one' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'two', is_error: true },
        ],
      },
    ]);
  });

  // github.com/anthropics/anthropic-sdk-python/issues/461: 400 "text content blocks must be non-empty"
  it('leaves out blank text beside a call or a thought, and a turn of nothing else', () => {
    const [thinking, , call] = content;
    const turnOf = (blocks: unknown[]) => {
      return { role: 'model', answer: { body: { content: blocks }, requestId: null } } as const;
    };
    const blank = { type: 'text', text: ' \n' };
    const turns = [user, turnOf([thinking, { type: 'text', text: '' }, call]), user, turnOf([blank]), user];
    const messages = body('claude-haiku-4-5', { turns }).messages as { role: string; content: unknown }[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user', 'user']);
    expect(messages[1]!.content).toEqual([thinking, call]);
  });

  it('answers calls that nobody carried out, and leaves out a turn without content', () => {
    const empty = {
      role: 'model',
      answer: { body: { type: 'message', content: [] }, requestId: null },
    } as const;
    const again = { role: 'user', text: 'Again.' } as const;
    const messages = body('claude-haiku-4-5', { turns: [user, model, again, empty, again] }).messages as {
      content: unknown;
    }[];
    expect(messages).toHaveLength(5);
    expect(messages[2]!.content).toEqual(
      ['toolu_1', 'toolu_2'].map((id) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: 'This call was not carried out.',
        is_error: true,
      })),
    );
  });
});

it('counts cached input into the whole, and thinking inside the output: 10 + 200 + 3,000 in, 50 out', () => {
  const answer = {
    ...wireAnswer('messages', { model: 'm', text: 'x' }),
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 3_000,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
    },
  };
  expect(read(answer, forcedRequest('m')).usage).toEqual({
    inputTokens: 3_210,
    cachedInputTokens: 3_000,
    cacheWriteTokens: 200,
    outputTokens: 50,
    reasoningTokens: 20,
    reportedCostUsd: null,
  });
});

it('reads model_context_window_exceeded as truncated', () => {
  const answer = {
    ...wireAnswer('messages', { model: 'm', text: 'x' }),
    stop_reason: 'model_context_window_exceeded',
  };
  expect(read(answer, forcedRequest('m'))).toMatchObject({ kind: 'invalid', reason: 'truncated' });
});

it.each([
  [429, { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } }],
  [429, { type: 'rate_limit_error', details: { error_code: 'contract_spend_limit_reached' } }],
  [
    400,
    { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
  ],
  [400, { type: 'invalid_request_error', message: 'You have reached your specified API usage limits.' }],
])('takes a spend limit told under %i for payment_required, which no retry helps', async (status, error) => {
  const double = await startRawDouble(() => ({ kind: 'json', status, body: { type: 'error', error } }));
  const live = anthropicProvider('key', double.url);
  const sent = live.send(live.build(forcedRequest('claude-haiku-4-5')), sendOptions('claude-haiku-4-5'));
  await expect(sent).rejects.toMatchObject({ kind: 'payment_required' });
  expect(double.requests[0]!.headers['anthropic-version']).toBe('2026-10-21');
  await double.stop();
});
