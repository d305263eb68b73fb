import { cannotDisableThinking, googleProvider } from '../../../activities/providers/google';
import { startRawDouble } from '../../doubles/raw-llm-double';
import { wireAnswer } from '../../doubles/wire-answers';
import { describeContract } from './contract';
import { FORCED_TOOL, forcedRequest, sendOptions } from './sample-requests';

describeContract({
  provider: 'google',
  wire: 'gemini',
  model: 'gemini-2.5-flash',
  path: '/v1beta/models/gemini-2.5-flash:generateContent',
  tooLong: {
    status: 400,
    body: {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  },
  errorUnderOk: {
    kind: 'overloaded',
    body: { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } },
  },
});

const provider = googleProvider('key', 'http://127.0.0.1:9');
const read = (body: unknown, request = forcedRequest('gemini-2.5-flash')) =>
  provider.read({ body, requestId: null }, request);

it('builds a body whose call is forced by ANY and one allowed name, in a schema of Gemini’s words', () => {
  const request = forcedRequest('gemini-2.5-flash', {
    tools: [FORCED_TOOL],
    turns: [{ role: 'user', text: 'Go.' }],
  });
  expect(provider.build(request)).toEqual({
    generationConfig: { maxOutputTokens: 512, thinkingConfig: { thinkingBudget: 0 } },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'record_verdict',
            description: FORCED_TOOL.description,
            parameters: {
              type: 'object',
              properties: {
                winner: { type: 'string', enum: ['first', 'second', 'tie'] },
                rationale: { type: 'string' },
              },
              required: ['winner', 'rationale'],
            },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['record_verdict'] } },
    systemInstruction: { role: 'system', parts: [{ text: 'SYSTEM-WORDS' }] },
    contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
  });
});

// ai.google.dev/gemini-api/docs/thinking; docs.cloud.google.com's tables of thinking levels
it.each([
  ['gemini-2.0-flash-001', undefined, false],
  ['gemini-2.5-flash', { thinkingBudget: 0 }, false],
  ['gemini-2.5-flash-lite', { thinkingBudget: 0 }, false],
  ['gemini-2.5-pro', { thinkingBudget: 128 }, true],
  ['gemini-3-flash-preview', { thinkingLevel: 'minimal' }, true],
  ['gemini-3.1-pro-preview', { thinkingLevel: 'low' }, true],
  ['models/gemini-3.8-flash', { thinkingLevel: 'low' }, true],
  ['gemini-9-unknown', undefined, true],
])('%s is sent %j for thinking; thinks regardless: %s', (model, thinkingConfig, regardless) => {
  const config = provider.build(forcedRequest(model)).generationConfig as Record<string, unknown>;
  expect(config.thinkingConfig).toEqual(thinkingConfig);
  expect(cannotDisableThinking(model)).toBe(regardless);
});

describe('a conversation with Gemini', () => {
  const content = {
    role: 'model',
    parts: [
      { text: 'Thinking.', thought: true },
      { functionCall: { name: 'search_web', args: { query: 'a' } }, thoughtSignature: 'sig==' },
      { functionCall: { id: 'g1', name: 'search_web', args: { query: 'b' } } },
      { functionCall: { id: 'g1', name: 'search_web' } },
    ],
  };
  const user = { role: 'user', text: 'Go.' } as const;
  const body = { candidates: [{ content, finishReason: 'STOP' }], usageMetadata: {} };

  it('numbers calls whose ids are missing or twice the same, and takes missing args for none', () => {
    expect(read(body, forcedRequest('m', { toolChoice: { kind: 'auto' } }))).toMatchObject({
      kind: 'tool_calls',
      text: '',
      calls: [
        { id: 'call_1_1', arguments: { query: 'a' } },
        { id: 'g1', arguments: { query: 'b' } },
        { id: 'call_1_3', arguments: {} },
      ],
    });
  });

  it('echoes the raw content, thought signature and all, and answers by position with Gemini’s own ids', () => {
    const results = ['call_1_3', 'g1', 'call_1_1'].map((callId) => {
      return { callId, tool: 'search_web', text: `of ${callId}`, isError: callId === 'g1' };
    });
    const model = { role: 'model', answer: { body, requestId: null } } as const;
    const turns = [user, model, { role: 'tools', results } as const];
    expect(provider.build(forcedRequest('m', { turns })).contents).toEqual([
      { role: 'user', parts: [{ text: 'Go.' }] },
      content,
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'search_web', response: { result: 'of call_1_1' } } },
          { functionResponse: { id: 'g1', name: 'search_web', response: { error: 'of g1' } } },
          { functionResponse: { id: 'g1', name: 'search_web', response: { result: 'of call_1_3' } } },
        ],
      },
    ]);
  });

  it('leaves out a turn whose content is {}', () => {
    const empty = {
      role: 'model',
      answer: { body: { candidates: [{ content: {} }] }, requestId: null },
    } as const;
    expect(provider.build(forcedRequest('m', { turns: [user, empty, user] })).contents).toHaveLength(2);
  });
});

it.each([
  ['MALFORMED_FUNCTION_CALL', 'malformed_arguments'],
  ['UNEXPECTED_TOOL_CALL', 'wrong_tool'],
  ['MAX_TOKENS', 'truncated'],
  ['SAFETY', 'refused'],
  ['RECITATION', 'refused'],
  ['PROHIBITED_CONTENT', 'refused'],
  ['STOP', 'empty'],
])('reads an answer without content that ended by %s as %s', (finishReason, reason) => {
  expect(read({ candidates: [{ content: {}, finishReason }] })).toMatchObject({ kind: 'invalid', reason });
});

// Half an answer may stand there, and even a whole call is not the model's last word.
it.each(['OTHER', 'MALFORMED_RESPONSE', 'MISSING_THOUGHT_SIGNATURE', 'TOO_MANY_TOOL_CALLS'])(
  'vouches for nothing in an answer that ended by %s: unreadable',
  (finishReason) => {
    const answer = wireAnswer('gemini', { model: 'm', text: 'x', calls: [] });
    const [candidate] = answer.candidates as object[];
    expect(read({ ...answer, candidates: [{ ...candidate, finishReason }] })).toMatchObject({
      kind: 'invalid',
      reason: 'unreadable',
    });
  },
);

it('reads a blocked prompt as refused, and an answer of nothing but usage as empty', () => {
  expect(read({ promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({ reason: 'refused' });
  expect(read({ usageMetadata: { promptTokenCount: 5 } })).toMatchObject({ reason: 'empty' });
});

it('counts thoughts into the output and tool-use prompts into the input: 100 + 7 in, 20 + 300 out', () => {
  const usageMetadata = {
    promptTokenCount: 100,
    toolUsePromptTokenCount: 7,
    cachedContentTokenCount: 64,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 300,
    totalTokenCount: 427,
  };
  const body = { ...wireAnswer('gemini', { model: 'm', text: 'x' }), usageMetadata };
  expect(read(body).usage).toEqual({
    inputTokens: 107,
    cachedInputTokens: 64,
    cacheWriteTokens: null,
    outputTokens: 320,
    reasoningTokens: 300,
    reportedCostUsd: null,
  });
});

it('takes a missing candidates’ count from the total: thoughts alone, cut by the cap, are 500 out', () => {
  const usageMetadata = { promptTokenCount: 100, thoughtsTokenCount: 500, totalTokenCount: 600 };
  expect(read({ candidates: [{ finishReason: 'MAX_TOKENS' }], usageMetadata })).toMatchObject({
    kind: 'invalid',
    reason: 'truncated',
    usage: { inputTokens: 100, outputTokens: 500, reasoningTokens: 500 },
  });
});

it('knows no output where the total is more than its parts: 100 + 20 of 150, and 100 + 20 of a total of 110 said', () => {
  const usage = (totalTokenCount: number) => ({
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount },
  });
  expect(read(usage(150)).usage).toMatchObject({ inputTokens: 100, outputTokens: null });
  expect(read(usage(120)).usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  expect(read(usage(110)).usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
});

it('waits as long as RetryInfo says where there is no Retry-After: 34.07 s', async () => {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' },
  ];
  const error = {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota',
    details,
  };
  const double = await startRawDouble(() => ({ kind: 'json', status: 429, body: { error } }));
  const live = googleProvider('key', double.url);
  const sent = live.send(live.build(forcedRequest('gemini-2.5-pro')), sendOptions('gemini-2.5-pro'));
  await expect(sent).rejects.toMatchObject({ kind: 'rate_limited', details: { retryAfterMs: 34_070 } });
  await double.stop();
});

it('takes a wrong key, which Google tells under 400, for unauthorized', async () => {
  const error = {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'no',
    details: [{ reason: 'API_KEY_INVALID' }],
  };
  const double = await startRawDouble(() => ({ kind: 'json', status: 400, body: { error } }));
  const live = googleProvider('key', double.url);
  const sent = live.send(live.build(forcedRequest('gemini-2.5-pro')), sendOptions('gemini-2.5-pro'));
  await expect(sent).rejects.toMatchObject({ kind: 'unauthorized', details: { code: 'API_KEY_INVALID' } });
  await double.stop();
});

it('leaves the global fetch as it was, during a request and after it', async () => {
  const before = globalThis.fetch;
  const double = await startRawDouble(() => ({
    kind: 'json',
    body: wireAnswer('gemini', { model: 'm', text: 'x' }),
  }));
  const live = googleProvider('key', double.url);
  const sent = live.send(live.build(forcedRequest('gemini-2.5-pro')), sendOptions('gemini-2.5-pro'));
  expect(globalThis.fetch).toBe(before);
  await sent;
  expect(globalThis.fetch).toBe(before);
  await double.stop();
});

it('keeps 30 requests at once apart: each answer goes to its own caller', async () => {
  const double = await startRawDouble((request) => {
    return { kind: 'json', body: wireAnswer('gemini', { model: request.callId!, text: 'x' }) };
  });
  const live = googleProvider('key', double.url);
  const ids = Array.from({ length: 30 }, (_, i) => `call-${i}`);
  const answers = await Promise.all(
    ids.map((callId) => live.send(live.build(forcedRequest('m')), sendOptions('m', { callId }))),
  );
  expect(answers.map(({ body }) => (body as { modelVersion: string }).modelVersion)).toEqual(ids);
  await double.stop();
});
