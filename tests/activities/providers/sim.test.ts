import fc from 'fast-check';
import { ProviderFailure, type ToolSpec, type Turn } from '../../../activities/providers/provider';
import { readStrength, strengthMark } from '../../../activities/providers/sim-hypothesis';
import {
  checkHypothesis,
  checkReview,
  RECORD_HYPOTHESIS,
  RECORD_REVIEW,
  RECORD_VERDICT,
} from '../../../activities/record-schemas';
import { CALL_FAILURES } from '../../../core/completion';
import { sendOptions } from './sample-requests';
import { argumentsOf, complete, keyed, many, provider, requestOf } from './sim-calls';

describe('a sim hypothesis', () => {
  it('passes the schema of record_hypothesis and says what it is', async () => {
    const checked = checkHypothesis(await argumentsOf(requestOf('oak', RECORD_HYPOTHESIS)));
    expect('record' in checked && checked.record.summary).toMatch(/\(simulated, strength -?\d+\.\d{3}\)$/);
    expect('record' in checked && checked.record.citations).toEqual([]);
  });

  it('is the same for the same seed and key, to the byte, and another for another', async () => {
    const [one, again, otherKey, otherSeed] = await Promise.all([
      argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, keyed('a'))),
      argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, keyed('a'))),
      argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, keyed('b'))),
      argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, { draw: { seed: 2, key: 'a' } })),
    ]);
    expect(JSON.stringify(again)).toBe(JSON.stringify(one));
    expect(otherKey).not.toEqual(one);
    expect(otherSeed).not.toEqual(one);
  });

  it('is never the same text twice in 2,000 slots, nor the same argument without its strength', async () => {
    const records = await many(2_000, (i) => argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, keyed(`${i}`))));
    expect(new Set(records.map((record) => JSON.stringify(record))).size).toBe(2_000);
    expect(new Set(records.map(({ full_text }) => full_text)).size).toBe(2_000);
  });

  // Skill 1.2, spread 0.6: of 2,000 draws the mean has a standard error of 0.6/√2000 = 0.0134 and the standard
  // deviation one of 0.6/√4000 = 0.0095; four of each.
  it('has strengths with mean 1.2 ± 0.054 and standard deviation 0.6 ± 0.038 over 2,000 slots', async () => {
    const strengths = await many(2_000, async (i) =>
      readStrength(String((await argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, keyed(`s${i}`)))).summary)),
    );
    const mean = strengths.reduce<number>((sum, value) => sum + value!, 0) / 2_000;
    const variance = strengths.reduce<number>((sum, value) => sum + (value! - mean) ** 2, 0) / 1_999;
    expect(Math.abs(mean - 1.2)).toBeLessThan(0.054);
    expect(Math.abs(Math.sqrt(variance) - 0.6)).toBeLessThan(0.038);
  });

  // A share of 0.12 × 3/5 names one of the three of the paper's top list: 72 of 1,000, standard error 8.2; four.
  it('names a compound of the top-3 gold set in 72 ± 33 of 1,000', async () => {
    const records = await many(1_000, (i) =>
      argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, keyed(`g${i}`))),
    );
    const hits = records.filter(({ entities }) => /Leflunomide|Nanvuranlat|KIRA6/.test(String(entities)));
    expect(Math.abs(hits.length - 72)).toBeLessThan(33);
  });

  it('cites addresses that its tools returned, and no other', async () => {
    const text = '1 document\n\n[1] https://example.org/a(1)\n> https://example.org/b.\n';
    const turns: Turn[] = [
      { role: 'user', text: 'Write. Not this: https://example.org/prompt' },
      { role: 'model', answer: { body: {}, requestId: null } },
      { role: 'tools', results: [{ callId: 'x', tool: 'search_web', text, isError: false }] },
      { role: 'model', answer: { body: {}, requestId: null } },
      {
        role: 'tools',
        results: [{ callId: 'y', tool: 'fetch_page', text: 'no https://example.org/c', isError: true }],
      },
    ];
    const { citations } = await argumentsOf(requestOf('oak', RECORD_HYPOTHESIS, { turns }));
    const urls = (citations as { url: string }[]).map(({ url }) => url);
    expect(urls.sort()).toEqual(['https://example.org/a', 'https://example.org/b']);
  });

  it('shows a strength that reads back, to three decimals, for any', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (strength) => {
        const read = readStrength(`Words. ${strengthMark(strength)} More.`);
        expect(Math.abs(read! - strength)).toBeLessThanOrEqual(0.000501);
        expect(Object.is(read, -0)).toBe(false);
      }),
    );
    expect(strengthMark(-0.0001)).toBe('(simulated, strength 0.000)');
    expect(readStrength('(simulated, strength .5)')).toBeNull();
  });
});

describe('a sim record of any other tool', () => {
  it('passes the schema of record_review, and its texts say that they are simulated', async () => {
    const review = await argumentsOf(requestOf('oak', RECORD_REVIEW));
    expect(checkReview(review)).toHaveProperty('record');
    for (const text of [review.assessment, ...(review.strengths as string[])])
      expect(text).toMatch(/\(simulated\)$/);
  });

  it('keeps bounds, lengths, enums and variants', async () => {
    const tool: ToolSpec = {
      name: 'record_anything',
      description: 'x',
      inputSchema: {
        type: 'object',
        properties: {
          ready: { type: 'string', enum: ['yes'] },
          score: { type: 'integer', minimum: 3, maximum: 4 },
          list: { type: 'array', minItems: 4, maxItems: 5, items: { type: 'boolean' } },
          none: { type: 'null' },
          either: { anyOf: [{ const: 'x' }, { type: 'number' }] },
          short: { type: 'string', maxLength: 10 },
          nested: { type: 'object', properties: { deep: { type: ['integer', 'null'] } } },
        },
      },
    };
    for (let i = 0; i < 20; i++) {
      const made = await argumentsOf(requestOf('oak', tool, keyed(`${i}`)));
      expect(made).toMatchObject({ ready: 'yes', none: null, either: 'x' });
      expect([3, 4]).toContain(made.score);
      expect((made.list as boolean[]).length).toBeGreaterThanOrEqual(4);
      expect((made.list as boolean[]).length).toBeLessThanOrEqual(5);
      expect(String(made.short).length).toBeLessThanOrEqual(10);
      expect(Number.isInteger((made.nested as { deep: number }).deep)).toBe(true);
    }
  });
});

describe('a sim model with tools of its choice', () => {
  const tool = (name: string, ...fields: string[]): ToolSpec => ({
    name,
    description: 'x',
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      required: fields,
    },
  });
  const tools = [
    tool('search_pubmed', 'query'),
    tool('search_web', 'query'),
    tool('fetch_page', 'url'),
    RECORD_HYPOTHESIS,
  ];
  const free = (turns: Turn[], key = 'k') =>
    requestOf('oak', null, { tools, toolChoice: { kind: 'auto' }, turns, ...keyed(key) });
  const user: Turn = { role: 'user', text: 'Write.' };
  const model: Turn = { role: 'model', answer: { body: {}, requestId: null } };
  const found: Turn = {
    role: 'tools',
    results: [{ callId: 'x', tool: 'search_web', text: 'https://example.org/a', isError: false }],
  };

  it('searches first, never fetches an address that it has not seen, and records by the third turn', async () => {
    const seen = { first: new Set<string>(), second: new Set<string>(), third: new Set<string>() };
    for (let i = 0; i < 60; i++) {
      const [first, second, third] = await Promise.all([
        complete(free([user], `${i}a`)),
        complete(free([user, model, found], `${i}b`)),
        complete(free([user, model, found, model, found], `${i}c`)),
      ]);
      for (const [name, completion] of Object.entries({ first, second, third })) {
        if (completion.kind !== 'tool_calls') throw new Error(completion.kind);
        for (const call of completion.calls) seen[name as 'first'].add(call.tool);
        for (const { tool: called, arguments: args } of completion.calls) {
          if (called === 'fetch_page') expect(args).toEqual({ url: 'https://example.org/a' });
        }
      }
    }
    expect([...seen.first].sort()).toEqual(['search_pubmed', 'search_web']);
    expect([...seen.second].sort()).toEqual([
      'fetch_page',
      'record_hypothesis',
      'search_pubmed',
      'search_web',
    ]);
    expect([...seen.third]).toEqual(['record_hypothesis']);
  });

  it('answers a question between A and B with the bare letter, any other in words', async () => {
    const asked = (text: string, name = 'oak') =>
      many(20, (i) => complete(requestOf(name, null, { turns: [{ role: 'user', text }], ...keyed(`${i}`) })));
    const letters = (await asked('Answer with A or B only.')).map(
      (each) => each.kind === 'text' && each.text,
    );
    expect(new Set(letters)).toEqual(new Set(['A', 'B']));
    const fixed = await asked('Answer "A" or "B".', 'oak,answer=always-a');
    expect(new Set(fixed.map((each) => each.kind === 'text' && each.text))).toEqual(new Set(['A']));
    const [words] = await asked('A debate on B cells.');
    expect(words!.kind === 'text' && words!.text).toMatch(/\(simulated\)$/);
  });
});

describe('fail=<kind>:<p>', () => {
  it.each([
    'no_call',
    'empty',
    'refused',
    'truncated',
    'malformed_arguments',
    'wrong_tool',
    'several_calls',
    'unreadable',
  ])('%s:1 gives invalid answers of that kind', async (kind) => {
    const completion = await complete(requestOf(`oak,fail=${kind}:1`, RECORD_VERDICT));
    expect(completion).toMatchObject({ kind: 'invalid', reason: kind });
  });

  it.each(Object.keys(CALL_FAILURES).filter((kind) => kind !== 'unreadable'))(
    '%s:1 gives that failure',
    async (kind) => {
      const sent = complete(requestOf(`oak,fail=${kind}:1`, RECORD_VERDICT));
      await expect(sent).rejects.toMatchObject({ kind, details: { provider: 'sim' } });
      await expect(sent).rejects.toBeInstanceOf(ProviderFailure);
    },
  );

  // Of 2,000 keys: 0.3 and 0.2 with standard errors of 0.0102 and 0.0089; four of each.
  it('fails a share of the keys, each always or never: refused 0.3 ± 0.041, empty 0.2 ± 0.036', async () => {
    const outcomes = () =>
      many(2_000, async (i) => {
        const completion = await complete(
          requestOf('oak,fail=refused:0.3,fail=empty:0.2', RECORD_VERDICT, keyed(`f${i}`)),
        );
        return completion.kind === 'invalid' ? completion.reason : completion.kind;
      });
    const seen = await outcomes();
    const share = (kind: string) => seen.filter((each) => each === kind).length / 2_000;
    expect(Math.abs(share('refused') - 0.3)).toBeLessThan(0.041);
    expect(Math.abs(share('empty') - 0.2)).toBeLessThan(0.036);
    expect(share('refused') + share('empty') + share('recorded')).toBeCloseTo(1, 12);
    expect(await outcomes()).toEqual(seen);
  });
});

describe('the sim provider', () => {
  it('bills a quarter of the bytes, rounded up, and reports no cost', async () => {
    const request = requestOf('oak', RECORD_VERDICT);
    const body = provider.build(request);
    const answer = await provider.send(body, sendOptions('oak'));
    const { usage, reportedModel } = provider.read(answer, request);
    const said = (answer.body as { calls: { arguments: string }[] }).calls[0]!.arguments;
    expect(usage.inputTokens).toBe(Math.ceil(Buffer.byteLength(JSON.stringify(body)) / 4));
    expect(usage.outputTokens).toBe(Math.ceil(Buffer.byteLength(said) / 4));
    expect([usage.reportedCostUsd, usage.reasoningTokens, reportedModel]).toEqual([null, 0, 'oak']);
  });

  it('is cut by the output cap and never bills beyond it', async () => {
    const completion = await complete(requestOf('oak', RECORD_HYPOTHESIS, { maxOutputTokens: 50 }));
    expect(completion).toMatchObject({ kind: 'invalid', reason: 'truncated', usage: { outputTokens: 50 } });
  });

  it('refuses a model that it does not know as bad_request', async () => {
    await expect(complete(requestOf('pine', RECORD_VERDICT))).rejects.toMatchObject({ kind: 'bad_request' });
    await expect(complete(requestOf('oak,skil=1', RECORD_VERDICT))).rejects.toMatchObject({
      kind: 'bad_request',
    });
  });

  it('ends with the signal’s reason when aborted, before or during its latency', async () => {
    const reason = new Error('the reason itself');
    const body = provider.build(requestOf('oak,latency=60000', RECORD_VERDICT));
    const send = (signal: AbortSignal) =>
      provider.send(body, sendOptions('oak', { signal, timeoutMs: 90_000 }));
    await expect(send(AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sent = send(controller.signal);
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });

  it('times out when its latency exceeds the time it has', async () => {
    const body = provider.build(requestOf('oak,latency=5000', RECORD_VERDICT));
    await expect(provider.send(body, sendOptions('oak', { timeoutMs: 20 }))).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  it.each([null, [], {}, 'x', { calls: [{}], ending: 'complete' }])(
    'reads %j as unreadable, without throwing',
    (body) => {
      const completion = provider.read({ body, requestId: null }, requestOf('oak', RECORD_VERDICT));
      expect(completion).toMatchObject({ kind: 'invalid', reason: 'unreadable' });
    },
  );
});
