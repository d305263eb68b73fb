import { openProviders } from '../../../activities/providers';
import {
  type CompletionRequest,
  type Provider,
  ProviderFailure,
  type SendOptions,
} from '../../../activities/providers/provider';
import { closedPortUrl, type RawDouble, type RawReply, startRawDouble } from '../../doubles/raw-llm-double';
import { type PlainAnswer, type WireName, wireAnswer } from '../../doubles/wire-answers';
import { HOSTILE_ENV, HOSTILE_WORDS, keyOf, keysBut, providerEnv } from './provider-env';

/** What differs between the providers, as far as the contract goes. */
export interface ContractSubject {
  provider: string;
  wire: WireName;
  model: string;
  path: string;
  /** How its API says that a prompt is too long: status and body. */
  tooLong: { status: number; body: unknown };
  /** An error of its own that it tells under status 200, and the kind it is. */
  errorUnderOk: { body: unknown; kind: string };
}

export const FORCED_TOOL = {
  name: 'record_verdict',
  description: 'Hand in your verdict.',
  inputSchema: {
    type: 'object',
    properties: {
      winner: { type: 'string', enum: ['first', 'second', 'tie'] },
      rationale: { type: 'string' },
    },
    required: ['winner', 'rationale'],
    additionalProperties: false,
  },
};
export const OTHER_TOOL = {
  name: 'search_web',
  description: 'Search.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

export function forcedRequest(model: string, changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    model,
    system: 'SYSTEM-WORDS',
    turns: [{ role: 'user', text: 'PROMPT-WORDS with “marks”, a \u0000 and a lone \ud800.' }],
    tools: [FORCED_TOOL, OTHER_TOOL],
    toolChoice: { kind: 'force', tool: FORCED_TOOL.name },
    maxOutputTokens: 512,
    thinking: 'off',
    draw: { seed: 1, key: 'key' },
    ...changes,
  };
}

export function sendOptions(model: string, changes: Partial<SendOptions> = {}): SendOptions {
  return {
    model,
    callId: 'bnc_X/haiku[pipe]/1/turn/1#1',
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    ...changes,
  };
}

const ARGUMENTS = { winner: 'first', rationale: 'because' };

/** The one contract that every provider keeps, against an HTTP double of its wire. */
export function describeContract(subject: ContractSubject): void {
  const { provider: name, wire, model } = subject;

  describe(`the contract of ${name}`, () => {
    let double: RawDouble;
    let reply: RawReply;
    let provider: Provider;
    const environment = { ...process.env };

    beforeAll(async () => {
      Object.assign(process.env, HOSTILE_ENV);
      double = await startRawDouble(() => reply);
      provider = openProviders(providerEnv(double.url)).get(name)!;
    });
    afterAll(async () => {
      process.env = environment;
      await double.stop();
    });
    beforeEach(() => {
      double.requests.length = 0;
    });

    const answered = (answer: Omit<PlainAnswer, 'model'>) => {
      reply = { kind: 'json', body: wireAnswer(wire, { model: `${model}-real`, ...answer }) };
    };
    const complete = async (request = forcedRequest(model)) => {
      const body = provider.build(request);
      return provider.read(await provider.send(body, sendOptions(model)), request);
    };
    const failure = async (changes: Partial<SendOptions> = {}, from = provider) => {
      const body = from.build(forcedRequest(model));
      const error: unknown = await from.send(body, sendOptions(model, changes)).catch((caught) => caught);
      if (!(error instanceof ProviderFailure)) throw new Error(`no ProviderFailure: ${String(error)}`);
      return error;
    };

    describe('sends', () => {
      it('exactly the body that build() made, byte for byte', async () => {
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        const body = provider.build(forcedRequest(model));
        await provider.send(body, sendOptions(model));
        expect(double.requests).toHaveLength(1);
        expect(double.requests[0]!.text).toBe(JSON.stringify(body));
        expect(double.requests[0]!.path).toBe(subject.path);
      });

      it('the same bytes for the same request, and neither NUL nor a lone surrogate', () => {
        const [one, two] = [1, 2].map(() => JSON.stringify(provider.build(forcedRequest(model))));
        expect(one).toBe(two);
        expect(one).toContain('“marks”');
        expect(one).not.toMatch(/\\u0000|\\ud800/);
      });

      it('the call id in x-co-scientist-call, whatever characters it has', async () => {
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        const body = provider.build(forcedRequest(model));
        await provider.send(body, sendOptions(model));
        await provider.send(body, sendOptions(model, { callId: 'a/ü\n/1' }));
        expect(double.requests.map(({ callId }) => callId)).toEqual([
          'bnc_X/haiku[pipe]/1/turn/1#1',
          'a/\\u{fc}\\u{a}/1',
        ]);
      });

      it('its own key and no other, and nothing that the SDKs read from the environment', async () => {
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        await complete();
        const [seen] = double.requests;
        const sent = JSON.stringify([seen!.path, seen!.headers, seen!.text]);
        expect(sent).toContain(keyOf(name));
        for (const foreign of [...keysBut(name), ...HOSTILE_WORDS]) expect(sent).not.toContain(foreign);
      });

      it('nothing to the console, whatever the SDKs are told to log', async () => {
        const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
        const spies = methods.map((method) =>
          jest.spyOn(console, method).mockImplementation(() => undefined),
        );
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        await complete();
        const calls = spies.flatMap((spy) => spy.mock.calls);
        for (const spy of spies) spy.mockRestore();
        expect(calls).toEqual([]);
      });

      it('no temperature, top_p or top_k', () => {
        const body = JSON.stringify(provider.build(forcedRequest(model)));
        expect(body).not.toMatch(/temperature|top_?[pk]\b/i);
      });

      it('once: a refusal that invites retries is not asked again', async () => {
        reply = {
          kind: 'json',
          status: 503,
          headers: { 'x-should-retry': 'true', 'retry-after': '0' },
          body: {},
        };
        await failure();
        expect(double.requests).toHaveLength(1);
      });
    });

    describe('reads', () => {
      it('a forced call as recorded, with usage and the model that really answered', async () => {
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }], input: 101, output: 7 });
        const completion = await complete();
        expect(completion).toMatchObject({ kind: 'recorded', tool: FORCED_TOOL.name, arguments: ARGUMENTS });
        expect(completion.reportedModel).toBe(`${model}-real`);
        expect(completion.usage).toMatchObject({ inputTokens: 101, outputTokens: 7 });
      });

      it('the same from a stored answer whose keys came back in another order', async () => {
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        const request = forcedRequest(model);
        const answer = await provider.send(provider.build(request), sendOptions(model));
        const stored = { ...answer, body: JSON.parse(reversedKeys(answer.body)) as unknown };
        expect(provider.read(stored, request)).toEqual(provider.read(answer, request));
      });

      it('words where a call was forced as no_call', async () => {
        answered({ text: 'The winner is {"winner":"first"}, 5 to 1.' });
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'no_call' });
      });

      it('neither words nor calls as empty', async () => {
        answered({});
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'empty' });
      });

      it('a refusal as refused, even beside a call', async () => {
        answered({ ending: 'refused', calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'refused' });
      });

      it('a cut answer as truncated, even where its arguments parse', async () => {
        answered({ ending: 'truncated', calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'truncated' });
        answered({ ending: 'truncated', text: '{"name":' });
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'truncated' });
      });

      it.each([
        ['cut JSON', '{"winner":"fir'],
        ['fenced JSON', '```json\n{"winner":"first","rationale":"because"}\n```'],
        ['a list', '[{"winner":"first"}]'],
        ['JSON in prose', 'Sure: {"winner":"first"}'],
        ['two objects', '{"winner":"first"}{"winner":"second"}'],
        ['nothing', ''],
      ])('%s as arguments as malformed_arguments', async (_, text) => {
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: text }] });
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'malformed_arguments' });
      });

      it('another tool than the forced one as wrong_tool, even beside the right one', async () => {
        const other = { tool: OTHER_TOOL.name, arguments: { query: 'x' } };
        answered({ calls: [other] });
        expect(await complete()).toMatchObject({
          kind: 'invalid',
          reason: 'wrong_tool',
          detail: 'called search_web',
        });
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }, other] });
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'wrong_tool' });
      });

      it('a tool that was not offered without repeating its name', async () => {
        answered({ calls: [{ tool: 'ANSWER-WORDS', arguments: {} }] });
        const completion = await complete();
        expect(completion).toMatchObject({
          reason: 'wrong_tool',
          detail: 'called a tool that was not offered',
        });
      });

      it('the forced tool called twice as several_calls', async () => {
        const call = { tool: FORCED_TOOL.name, arguments: ARGUMENTS };
        answered({ calls: [call, call] });
        expect(await complete()).toMatchObject({ kind: 'invalid', reason: 'several_calls' });
      });

      it('arguments against the schema as recorded, unchanged: that is not its matter', async () => {
        answered({ calls: [{ tool: FORCED_TOOL.name, arguments: { winner: 'A', extra: [1] } }] });
        expect(await complete()).toMatchObject({ kind: 'recorded', arguments: { winner: 'A', extra: [1] } });
      });

      it('words beside a forced call as recorded', async () => {
        answered({ text: 'Let me think.', calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
        expect(await complete()).toMatchObject({ kind: 'recorded', arguments: ARGUMENTS });
      });

      it('calls of its own choice in order, with ids that differ, and null for arguments that are none', async () => {
        answered({
          text: 'Searching.',
          calls: [
            { tool: 'search_web', arguments: { query: 'a' }, id: 'same' },
            { tool: 'search_web', arguments: '{"query":', id: 'same' },
            { tool: 'record_verdict', arguments: ARGUMENTS, id: null },
          ],
        });
        const completion = await complete(forcedRequest(model, { toolChoice: { kind: 'auto' } }));
        expect(completion).toMatchObject({
          kind: 'tool_calls',
          text: 'Searching.',
          calls: [
            { id: 'same', tool: 'search_web', arguments: { query: 'a' } },
            { id: 'call_1_2', tool: 'search_web', arguments: null },
            { id: 'call_1_3', tool: 'record_verdict', arguments: ARGUMENTS },
          ],
        });
      });

      it('words where nothing was forced as text', async () => {
        answered({ text: 'Just words.' });
        const completion = await complete(forcedRequest(model, { tools: [], toolChoice: { kind: 'auto' } }));
        expect(completion).toMatchObject({ kind: 'text', text: 'Just words.' });
      });

      it('__proto__ in arguments as an own key, and no prototype is touched', async () => {
        const text = '{"__proto__":{"polluted":true},"winner":"tie"}';
        const marked = JSON.stringify(
          wireAnswer(wire, { model, calls: [{ tool: FORCED_TOOL.name, arguments: { MARK: 1 } }] }),
        );
        const escaped = JSON.stringify(text).slice(1, -1);
        reply = {
          kind: 'text',
          headers: { 'content-type': 'application/json' },
          text: marked.replace('{\\"MARK\\":1}', () => escaped).replace('{"MARK":1}', () => text),
        };
        const completion = await complete();
        expect(completion.kind).toBe('recorded');
        if (completion.kind !== 'recorded') return;
        expect(Object.keys(completion.arguments)).toEqual(['__proto__', 'winner']);
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      });

      it('arguments 10,000 levels deep as malformed_arguments, and does not crash', () => {
        const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
        const args = [deep, JSON.parse(deep) as Record<string, unknown>];
        for (const each of args) {
          if (typeof each !== 'string' && (wire === 'responses' || wire === 'chat' || wire === 'openrouter'))
            continue;
          const body = wireAnswer(wire, { model, calls: [{ tool: FORCED_TOOL.name, arguments: each }] });
          const completion = provider.read({ body, requestId: null }, forcedRequest(model));
          expect(completion).toMatchObject({ kind: 'invalid', reason: 'malformed_arguments' });
        }
      });

      it.each([
        ['null', null],
        ['a text', 'hello'],
        ['a list', []],
        ['an empty object', {}],
        ['an error', { error: { message: 'ANSWER-WORDS' } }],
        ['a deep list', JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as unknown],
      ])('%s for a body as unreadable, without throwing', (_, body) => {
        const completion = provider.read({ body, requestId: null }, forcedRequest(model));
        expect(completion).toMatchObject({ kind: 'invalid', reason: 'unreadable' });
        expect(completion.usage).toMatchObject({
          inputTokens: null,
          outputTokens: null,
          reportedCostUsd: null,
        });
        expect(completion.reportedModel).toBeNull();
      });

      it('counts that are missing or no counts as null, never as 0', () => {
        const body = wireAnswer(wire, { model, text: 'x' }) as Record<string, unknown>;
        for (const usage of [
          undefined,
          null,
          {},
          { input_tokens: '7', prompt_tokens: -1, promptTokenCount: 0.5 },
        ]) {
          const changed = { ...body, usage, usageMetadata: usage };
          expect(provider.read({ body: changed, requestId: null }, forcedRequest(model)).usage).toEqual({
            inputTokens: null,
            cachedInputTokens: null,
            cacheWriteTokens: null,
            outputTokens: null,
            reasoningTokens: null,
            reportedCostUsd: null,
          });
        }
      });
    });

    describe('fails', () => {
      it.each([
        [400, 'bad_request'],
        [401, 'unauthorized'],
        [402, 'payment_required'],
        [403, 'unauthorized'],
        [404, 'bad_request'],
        [422, 'bad_request'],
        [429, 'rate_limited'],
        [500, 'server_error'],
        [502, 'server_error'],
        [503, 'overloaded'],
        [529, 'overloaded'],
        [307, 'bad_request'],
      ])('HTTP %i as %s', async (status, kind) => {
        reply = {
          kind: 'json',
          status,
          headers: { location: 'http://127.0.0.1:9/' },
          body: { error: { message: 'no' } },
        };
        const { kind: told, details } = await failure();
        expect({ told, status: details.httpStatus, provider: details.provider }).toEqual({
          told: kind,
          status,
          provider: name,
        });
      });

      it('a refusal whose body is HTML by its status', async () => {
        reply = { kind: 'text', status: 502, text: '<html>bad gateway</html>' };
        expect((await failure()).kind).toBe('server_error');
      });

      it('Retry-After in seconds, in milliseconds and as a date, uncapped', async () => {
        const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
        const waits: (number | undefined)[] = [];
        for (const headers of [
          { 'retry-after': '7200' },
          { 'retry-after-ms': '1500' },
          { 'retry-after': inAnHour },
          {},
        ]) {
          reply = { kind: 'json', status: 429, headers: headers as Record<string, string>, body: {} };
          waits.push((await failure()).details.retryAfterMs);
        }
        expect(waits[0]).toBe(7_200_000);
        expect(waits[1]).toBe(1500);
        expect(waits[2]).toBeGreaterThan(3_500_000);
        expect(waits[2]).toBeLessThanOrEqual(3_600_000);
        expect(waits[3]).toBeUndefined();
      });

      it('too long a prompt as context_too_long', async () => {
        reply = { kind: 'json', ...subject.tooLong };
        expect((await failure()).kind).toBe('context_too_long');
      });

      it('an error body under status 200 by the code inside', async () => {
        reply = { kind: 'json', body: subject.errorUnderOk.body };
        const { kind, details } = await failure();
        expect([kind, details.httpStatus]).toEqual([subject.errorUnderOk.kind, 200]);
      });

      it('HTML under status 200 as unreadable', async () => {
        reply = { kind: 'text', text: '<html>hello</html>' };
        expect((await failure()).kind).toBe('unreadable');
      });

      it('an answer cut off mid-body, and a connection reset after sending, as dropped', async () => {
        reply = { kind: 'cut', text: '{"id":"x",' };
        expect((await failure()).kind).toBe('dropped');
        reply = { kind: 'reset' };
        expect((await failure()).kind).toBe('dropped');
      });

      it('a refused connection as not_sent', async () => {
        const nowhere = openProviders(providerEnv(await closedPortUrl())).get(name)!;
        expect((await failure({}, nowhere)).kind).toBe('not_sent');
      });

      it('a key that no header can hold as bad_request, with nothing sent and the key not told', async () => {
        const env = Object.entries(providerEnv(double.url)).map(([variable, value]) => {
          return [variable, variable.endsWith('_API_KEY') ? `${value}-Ⅷ` : value] as const;
        });
        const { kind, details, stack } = await failure({}, openProviders(Object.fromEntries(env)).get(name)!);
        expect([kind, details.code]).toEqual(['bad_request', 'refused_by_sdk']);
        expect(stack).not.toContain(keyOf(name));
        expect(double.requests).toHaveLength(0);
      });

      it('silence as timeout, before and after the headers', async () => {
        reply = { kind: 'silence' };
        expect((await failure({ timeoutMs: 100 })).kind).toBe('timeout');
        reply = { kind: 'stall', text: '{"id":"x",' };
        expect((await failure({ timeoutMs: 100 })).kind).toBe('timeout');
      });

      it('with the reason of the signal when the caller aborts, before or in flight', async () => {
        reply = { kind: 'silence' };
        const body = provider.build(forcedRequest(model));
        const reason = new Error('the reason itself');
        const aborted = AbortSignal.abort(reason);
        await expect(provider.send(body, sendOptions(model, { signal: aborted }))).rejects.toBe(reason);
        expect(double.requests).toHaveLength(0);
        const controller = new AbortController();
        const sent = provider.send(body, sendOptions(model, { signal: controller.signal }));
        while (double.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        controller.abort(reason);
        await expect(sent).rejects.toBe(reason);
      });

      it('without a word of prompt, answer or key in its error', async () => {
        const words = `PROMPT-WORDS ANSWER-WORDS ${keyOf(name)}`;
        const error = { message: words, code: words, type: words, status: words, metadata: { raw: words } };
        for (const status of [200, 400, 500]) {
          reply = { kind: 'json', status, body: { type: 'error', error } };
          const caught = await failure();
          const told = `${caught.message} ${caught.stack} ${JSON.stringify(caught)} ${String(caught.cause)}`;
          expect(told).not.toMatch(/PROMPT-WORDS|ANSWER-WORDS/);
          expect(told).not.toContain(keyOf(name));
        }
      });
    });

    it('reads an answer of 5 MB', async () => {
      answered({ text: 'x'.repeat(5 * 2 ** 20) });
      const completion = await complete(forcedRequest(model, { toolChoice: { kind: 'auto' } }));
      expect(completion.kind === 'text' && completion.text.length).toBe(5_242_880);
    });

    it('gives up on an answer over 20 MB as unreadable, though it is good JSON', async () => {
      answered({ text: 'x'.repeat(20 * 2 ** 20) });
      expect((await failure()).kind).toBe('unreadable');
    });
  });
}

/** JSON text with every object's keys in reverse, as a jsonb column might give them back. */
function reversedKeys(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).reverse())
      : item,
  );
}
