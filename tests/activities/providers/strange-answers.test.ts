import fc from 'fast-check';
import { openProviders } from '../../../activities/providers';
import type { CompletionRequest } from '../../../activities/providers/provider';
import { brokenJson } from '../../doubles/broken-json';
import { type WireName, wireAnswer } from '../../doubles/wire-answers';
import { providerEnv } from './provider-env';
import { forcedRequest } from './sample-requests';

/* Good answers of each wire, broken at random: each is read as something, and goes back in the next turn's request. */

const CALLS = [
  { tool: 'search_web', arguments: { query: 'a' }, id: 'call_a' },
  { tool: 'record_verdict', arguments: { winner: 'tie' }, id: 'call_b' },
];

describe.each<[string, string, WireName]>([
  ['anthropic', 'claude-haiku-4-5', 'messages'],
  ['anthropic', 'claude-opus-5-5', 'messages'],
  ['openai', 'gpt-5', 'responses'],
  ['google', 'gemini-2.5-flash', 'gemini'],
  ['openrouter', 'openai/gpt-5-mini', 'openrouter'],
  ['openai-compatible', 'qwen3', 'chat'],
])('%s:%s', (name, model, wire) => {
  const provider = openProviders(providerEnv('http://127.0.0.1:9')).get(name)!;
  const good = wireAnswer(wire, { model, text: 'Words.', calls: CALLS });
  const one = wireAnswer(wire, { model, calls: CALLS.slice(1) });
  const broken = fc.oneof(brokenJson(good), brokenJson(one)).map((text) => (text ? JSON.parse(text) : null));
  const choice = fc.constantFrom<CompletionRequest['toolChoice']>(
    { kind: 'auto' },
    { kind: 'force', tool: 'record_verdict' },
  );

  it('reads whatever comes, with counts that are counts or null, and the same from the same', () => {
    fc.assert(
      fc.property(broken, choice, (body, toolChoice) => {
        const request = forcedRequest(model, { toolChoice });
        const completion = provider.read({ body, requestId: null }, request);
        expect(provider.read({ body: structuredClone(body), requestId: null }, request)).toEqual(completion);
        expect(['recorded', 'tool_calls', 'text', 'invalid']).toContain(completion.kind);
        const { reportedCostUsd, ...counts } = completion.usage;
        for (const count of [...Object.values(counts), reportedCostUsd]) {
          expect(count === null || (Number.isFinite(count) && count >= 0)).toBe(true);
        }
        if (completion.kind === 'recorded') expect(typeof completion.arguments).toBe('object');
      }),
      { numRuns: 300, seed: 20261130 },
    );
  });

  it('builds the next turn on it, each call that it sends back with a result', () => {
    fc.assert(
      fc.property(broken, (body) => {
        const answer = { body, requestId: null };
        const first = forcedRequest(model, { toolChoice: { kind: 'auto' } });
        const completion = provider.read(answer, first);
        const calls = completion.kind === 'tool_calls' ? completion.calls : [];
        const results = calls.map(({ id, tool }) => ({ callId: id, tool, text: 'so', isError: false }));
        const turns = [...first.turns, { role: 'model', answer }, { role: 'tools', results }] as const;
        const text = JSON.stringify(provider.build(forcedRequest(model, { turns: [...turns] })));
        // Ids of the Chat, Responses and Messages wires: what is called is answered, and nothing else is.
        const asked = [
          ...text.matchAll(
            /"type":"tool_use"|"type":"function_call"|"functionCall":\{|"type":"function","id"/g,
          ),
        ];
        const told = [
          ...text.matchAll(
            /"type":"tool_result"|"type":"function_call_output"|"functionResponse":|"role":"tool"/g,
          ),
        ];
        expect(told.length).toBeGreaterThanOrEqual(asked.length);
      }),
      { numRuns: 300, seed: 20261130 },
    );
  });
});
