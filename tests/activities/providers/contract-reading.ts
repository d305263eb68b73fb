import { wireAnswer } from '../../doubles/wire-answers';
import type { ContractBench, ContractSubject } from './contract-bench';
import { ARGUMENTS, FORCED_TOOL, forcedRequest, OTHER_TOOL, sendOptions } from './sample-requests';

/** What an answer comes to: each kind, exactly one. */
export function describeReading(subject: ContractSubject, bench: () => ContractBench): void {
  const { wire, model } = subject;

  describe('reads', () => {
    it('a forced call as recorded, with usage and the model that really answered', async () => {
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }], input: 101, output: 7 });
      const completion = await bench().complete();
      expect(completion).toMatchObject({ kind: 'recorded', tool: FORCED_TOOL.name, arguments: ARGUMENTS });
      expect(completion.reportedModel).toBe(`${model}-real`);
      expect(completion.usage).toMatchObject({ inputTokens: 101, outputTokens: 7 });
    });

    it('the same from a stored answer whose keys came back in another order', async () => {
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      const request = forcedRequest(model);
      const answer = await bench().provider.send(bench().provider.build(request), sendOptions(model));
      const stored = { ...answer, body: JSON.parse(reversedKeys(answer.body)) as unknown };
      expect(bench().provider.read(stored, request)).toEqual(bench().provider.read(answer, request));
    });

    it('words where a call was forced as no_call', async () => {
      bench().answered({ text: 'The winner is {"winner":"first"}, 5 to 1.' });
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'no_call' });
    });

    it('neither words nor calls as empty', async () => {
      bench().answered({});
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'empty' });
    });

    it('a refusal as refused, even beside a call', async () => {
      bench().answered({ ending: 'refused', calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'refused' });
    });

    it('a cut answer as truncated, even where its arguments parse', async () => {
      bench().answered({ ending: 'truncated', calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'truncated' });
      bench().answered({ ending: 'truncated', text: '{"name":' });
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'truncated' });
    });

    it.each([
      ['cut JSON', '{"winner":"fir'],
      ['fenced JSON', '```json\n{"winner":"first","rationale":"because"}\n```'],
      ['a list', '[{"winner":"first"}]'],
      ['JSON in prose', 'Sure: {"winner":"first"}'],
      ['two objects', '{"winner":"first"}{"winner":"second"}'],
      ['nothing', ''],
    ])('%s as arguments as malformed_arguments', async (_, text) => {
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: text }] });
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'malformed_arguments' });
    });

    it('another tool than the forced one as wrong_tool, even beside the right one', async () => {
      const other = { tool: OTHER_TOOL.name, arguments: { query: 'x' } };
      bench().answered({ calls: [other] });
      expect(await bench().complete()).toMatchObject({
        kind: 'invalid',
        reason: 'wrong_tool',
        detail: 'called search_web',
      });
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }, other] });
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'wrong_tool' });
    });

    it('a tool that was not offered without repeating its name', async () => {
      bench().answered({ calls: [{ tool: 'ANSWER-WORDS', arguments: {} }] });
      const completion = await bench().complete();
      expect(completion).toMatchObject({
        reason: 'wrong_tool',
        detail: 'called a tool that was not offered',
      });
    });

    it('the forced tool called twice as several_calls', async () => {
      const call = { tool: FORCED_TOOL.name, arguments: ARGUMENTS };
      bench().answered({ calls: [call, call] });
      expect(await bench().complete()).toMatchObject({ kind: 'invalid', reason: 'several_calls' });
    });

    it('arguments against the schema as recorded, unchanged: that is not its matter', async () => {
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: { winner: 'A', extra: [1] } }] });
      expect(await bench().complete()).toMatchObject({
        kind: 'recorded',
        arguments: { winner: 'A', extra: [1] },
      });
    });

    it('words beside a forced call as recorded', async () => {
      bench().answered({ text: 'Let me think.', calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      expect(await bench().complete()).toMatchObject({ kind: 'recorded', arguments: ARGUMENTS });
    });

    it('calls of its own choice in order, with ids that differ, and null for arguments that are none', async () => {
      bench().answered({
        text: 'Searching.',
        calls: [
          { tool: 'search_web', arguments: { query: 'a' }, id: 'same' },
          { tool: 'search_web', arguments: '{"query":', id: 'same' },
          { tool: 'record_verdict', arguments: ARGUMENTS, id: null },
        ],
      });
      const completion = await bench().complete(forcedRequest(model, { toolChoice: { kind: 'auto' } }));
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
      bench().answered({ text: 'Just words.' });
      const completion = await bench().complete(
        forcedRequest(model, { tools: [], toolChoice: { kind: 'auto' } }),
      );
      expect(completion).toMatchObject({ kind: 'text', text: 'Just words.' });
    });

    it('__proto__ in arguments as an own key, and no prototype is touched', async () => {
      const text = '{"__proto__":{"polluted":true},"winner":"tie"}';
      const marked = JSON.stringify(
        wireAnswer(wire, { model, calls: [{ tool: FORCED_TOOL.name, arguments: { MARK: 1 } }] }),
      );
      const escaped = JSON.stringify(text).slice(1, -1);
      bench().reply({
        kind: 'text',
        headers: { 'content-type': 'application/json' },
        text: marked.replace('{\\"MARK\\":1}', () => escaped).replace('{"MARK":1}', () => text),
      });
      const completion = await bench().complete();
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
        const completion = bench().provider.read({ body, requestId: null }, forcedRequest(model));
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
      const completion = bench().provider.read({ body, requestId: null }, forcedRequest(model));
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
        expect(bench().provider.read({ body: changed, requestId: null }, forcedRequest(model)).usage).toEqual(
          {
            inputTokens: null,
            cachedInputTokens: null,
            cacheWriteTokens: null,
            outputTokens: null,
            reasoningTokens: null,
            reportedCostUsd: null,
          },
        );
      }
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
