import { compatibleProvider } from '../../../activities/providers/openai-compatible';
import type { Turn } from '../../../activities/providers/provider';
import { startRawDouble } from '../../doubles/raw-llm-double';
import { wireAnswer } from '../../doubles/wire-answers';
import { describeContract } from './contract';
import { forcedRequest, sendOptions } from './sample-requests';

// llama.cpp's own words, as measured: reference "Compatible servers".
const tooLong = {
  status: 400,
  body: {
    error: {
      code: 400,
      type: 'exceed_context_size_error',
      message: 'the request exceeds the available context size',
      n_prompt_tokens: 9000,
      n_ctx: 8192,
    },
  },
};
const errorUnderOk = {
  kind: 'overloaded',
  body: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
};

describeContract({
  provider: 'openai-compatible',
  wire: 'chat',
  model: 'qwen3-4b',
  path: '/v1/chat/completions',
  tooLong,
  errorUnderOk,
});
describeContract({
  provider: 'compat-my-lab',
  wire: 'chat',
  model: 'org/model:free',
  path: '/lab/v1/chat/completions',
  tooLong,
  errorUnderOk,
});

const provider = compatibleProvider('openai-compatible', null, 'http://127.0.0.1:9');
const read = (body: unknown, request = forcedRequest('m')) =>
  provider.read({ body, requestId: null }, request);

it('sends only what every server knows: model, messages, tools, tool_choice and max_tokens', () => {
  expect(Object.keys(provider.build(forcedRequest('m')))).toEqual([
    'model',
    'messages',
    'tools',
    'tool_choice',
    'max_tokens',
  ]);
});

it('sends no Authorization to a server that asks for no key', async () => {
  const double = await startRawDouble(() => ({
    kind: 'json',
    body: wireAnswer('chat', { model: 'm', text: 'x' }),
  }));
  const live = compatibleProvider('compat-x', null, double.url);
  await live.send(live.build(forcedRequest('m')), sendOptions('m'));
  expect(double.requests[0]!.headers.authorization).toBeUndefined();
  await double.stop();
});

// As measured on llama.cpp: content "", ids without `call_`, no tool_calls key when there is none.
it('reads llama.cpp’s forced call, and its cut one, which has no call at all', () => {
  const call = {
    type: 'function',
    id: 'Qx1',
    function: { name: 'record_verdict', arguments: '{"winner":"tie"}' },
  };
  const usage = { completion_tokens: 9, prompt_tokens: 80, total_tokens: 89 };
  const answer = (message: unknown, finish_reason: string) => ({
    model: 'qwen3-4b-q8',
    choices: [{ index: 0, finish_reason, message }],
    usage,
  });
  expect(read(answer({ role: 'assistant', content: '', tool_calls: [call] }, 'tool_calls'))).toMatchObject({
    kind: 'recorded',
    callId: 'Qx1',
    reportedModel: 'qwen3-4b-q8',
    usage: { inputTokens: 80, outputTokens: 9, reasoningTokens: null, reportedCostUsd: null },
  });
  expect(read(answer({ role: 'assistant', content: '{"name":' }, 'length'))).toMatchObject({
    reason: 'truncated',
  });
});

it('reads arguments that came as an object, and words that came in parts', () => {
  const call = { function: { name: 'record_verdict', arguments: { winner: 'tie' } } };
  expect(read({ choices: [{ message: { tool_calls: [call] } }] })).toMatchObject({
    kind: 'recorded',
    callId: 'call_1_1',
    arguments: { winner: 'tie' },
  });
  const content = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ];
  const free = forcedRequest('m', { toolChoice: { kind: 'auto' } });
  expect(read({ choices: [{ message: { content } }] }, free)).toMatchObject({ kind: 'text', text: 'ab' });
});

it('takes finish_reason content_filter for refused, and error for unreadable', () => {
  const answer = (finish_reason: string) => ({ choices: [{ finish_reason, message: { content: 'x' } }] });
  expect(read(answer('content_filter'))).toMatchObject({ reason: 'refused' });
  expect(read(answer('error'))).toMatchObject({ reason: 'unreadable' });
});

// Mistral's, DeepSeek's (api-docs.deepseek.com) and vLLM's own words
it.each(['length', 'model_length', 'insufficient_system_resource', 'abort'])(
  'takes finish_reason %s for truncated, whole as the call may look',
  (finish_reason) => {
    const call = { function: { name: 'record_verdict', arguments: '{"winner":"tie"}' } };
    expect(read({ choices: [{ finish_reason, message: { tool_calls: [call] } }] })).toMatchObject({
      kind: 'invalid',
      reason: 'truncated',
      detail: `finish_reason ${finish_reason}`,
    });
  },
);

// [prompt, completion, reasoning, total] → output. OpenAI's way; xAI's, as docs.x.ai shows it; Google's compatible endpoint,
// which names no reasoning; a quarantined row of a Grok at another host, whose total leaves it out too.
it.each([
  [[100, 50, 40, 150], 50],
  [[37, 530, 233, 800], 763],
  [[7477, 2060, null, 11_476], 3_999],
  [[6140, 1133, 3180, 7273], 4_313],
  [[80, 9, null, null], 9],
  [[null, 9, null, 89], 9],
  [[80, null, null, 89], null],
] as const)(
  'counts all that is billed as output of %j: %s',
  ([prompt, completion, reasoning, total], output) => {
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: total,
      completion_tokens_details: { reasoning_tokens: reasoning },
    };
    expect(read({ choices: [{ message: { content: 'x' } }], usage }).usage.outputTokens).toBe(output);
  },
);

describe('a conversation on the Chat wire', () => {
  const user = { role: 'user', text: 'Go.' } as const;
  const turn = (message: unknown) => {
    return { role: 'model', answer: { body: { choices: [{ message }] }, requestId: null } } as const;
  };
  const call = (id: string | undefined, args: string) => ({
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name: 'search_web', arguments: args },
  });
  const build = (...turns: Turn[]) =>
    (provider.build(forcedRequest('m', { turns, system: '' })).messages as unknown[]).slice(1);

  // Moonshot's 400: "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"
  it('sends calls back with their reasoning_content, under the ids that read() gave them, each with its result', () => {
    const message = {
      role: 'assistant',
      content: '',
      reasoning_content: 'hm',
      reasoning: 'hm',
      tool_calls: [call('a', '{}'), call('a', '{}'), call(undefined, '{}')],
    };
    const ids = ['a', 'call_1_2', 'call_1_3'];
    const results = ids.map((callId) => ({
      callId,
      tool: 'search_web',
      text: `of ${callId}`,
      isError: false,
    }));
    expect(build(user, turn(message), { role: 'tools', results })).toEqual([
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'hm',
        tool_calls: ids.map((id) => call(id, '{}')),
      },
      ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `of ${id}` })),
    ]);
  });

  it('leaves out a cut call, which llama.cpp answers with 500, and a turn that has nothing else', () => {
    const cut = { role: 'assistant', content: null, tool_calls: [call('a', '{"query":"x')] };
    expect(build(user, turn(cut), user)).toEqual([{ role: 'user', content: 'Go.' }]);
    expect(build(user, turn({ ...cut, content: 'Words.' }), user)).toEqual([
      { role: 'assistant', content: 'Words.' },
      { role: 'user', content: 'Go.' },
    ]);
  });
});
