import fc from 'fast-check';
import { callIds, outcomeOf, parseArguments } from '../../../activities/providers/answer-outcome';
import { forcedRequest } from './sample-requests';

const call = (tool: string, args: Record<string, unknown> | null = {}) => ({
  id: 'x',
  tool,
  arguments: args,
});
const FORCED = 'record_verdict';

describe('outcomeOf', () => {
  const request = forcedRequest('m');
  const outcome = (parts: Partial<Parameters<typeof outcomeOf>[0]>) => {
    const result = outcomeOf({ ending: { kind: 'complete' }, calls: [], text: '', ...parts }, request);
    return result.kind === 'invalid' ? result.reason : result.kind;
  };

  it('names the first of its list where several things are wrong', () => {
    const worst = [call(FORCED, null), call('other', null), call(FORCED)];
    expect(outcome({ ending: { kind: 'refused', by: '' }, calls: worst })).toBe('refused');
    expect(outcome({ ending: { kind: 'truncated', by: '' }, calls: worst })).toBe('truncated');
    expect(outcome({ calls: worst })).toBe('wrong_tool');
    expect(outcome({ calls: [call(FORCED, null), call(FORCED)] })).toBe('several_calls');
    expect(outcome({ calls: [call(FORCED, null)], text: '{"winner":"first"}' })).toBe('malformed_arguments');
    expect(outcome({ text: '{"winner":"first"}' })).toBe('no_call');
    expect(outcome({ text: ' \n' })).toBe('empty');
    expect(outcome({ calls: [call(FORCED)], text: 'words' })).toBe('recorded');
  });

  it('records only what ended well, with exactly one call, to the forced tool, with an object', () => {
    const ending = fc.constantFrom('complete', 'refused', 'truncated', 'wrong_tool', 'malformed_arguments');
    const calls = fc.array(fc.record({ tool: fc.constantFrom(FORCED, 'other'), good: fc.boolean() }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(ending, calls, fc.string(), (kind, made, text) => {
        const parts = {
          ending: kind === 'complete' ? { kind } : { kind, by: '' },
          calls: made.map(({ tool, good }) => call(tool, good ? {} : null)),
          text,
        } as Parameters<typeof outcomeOf>[0];
        const isGood = kind === 'complete' && made.length === 1 && made[0]!.tool === FORCED && made[0]!.good;
        expect(outcomeOf(parts, request).kind === 'recorded').toBe(isGood);
      }),
    );
  });

  it('never repeats words of the model in a detail', () => {
    const detail = (parts: Parameters<typeof outcomeOf>[0]) => JSON.stringify(outcomeOf(parts, request));
    const complete = { kind: 'complete' } as const;
    expect(detail({ ending: complete, calls: [], text: 'SECRET' })).not.toContain('SECRET');
    expect(detail({ ending: complete, calls: [call('SECRET')], text: '' })).not.toContain('SECRET');
  });
});

describe('parseArguments', () => {
  it('gives back any JSON object, as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (object) => {
        const text = JSON.stringify(object);
        expect(JSON.stringify(parseArguments(text))).toBe(text);
      }),
    );
  });

  it('gives null for every JSON text that is no object, and for one wrapped in anything', () => {
    const noObject = fc
      .jsonValue()
      .filter((value) => typeof value !== 'object' || value === null || Array.isArray(value));
    fc.assert(fc.property(noObject, (value) => expect(parseArguments(JSON.stringify(value))).toBeNull()));
    const wrapper = fc
      .string({ minLength: 1 })
      .filter((text) => text.trim() !== '' && !/^[{}[\]",:]/.test(text.trim()));
    fc.assert(fc.property(wrapper, (text) => expect(parseArguments(`${text}{"a":1}`)).toBeNull()));
  });

  it('takes 100 levels and refuses 101', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    expect(parseArguments(nested(100))).not.toBeNull();
    expect(parseArguments(nested(102))).toBeNull();
  });
});

describe('callIds', () => {
  const rawId = fc.oneof(
    fc.constantFrom('', ' ', 'a', 'b', 'call_3_1', 'call_3_2', null, undefined, 7),
    fc.string(),
  );

  it('differ within a turn, keep an id that was fine, and come out the same again', () => {
    fc.assert(
      fc.property(fc.array(rawId, { maxLength: 8 }), (raw) => {
        const ids = callIds(raw, 3);
        expect(new Set(ids).size).toBe(raw.length);
        expect(callIds(raw, 3)).toEqual(ids);
        const [first] = raw;
        if (typeof first === 'string' && first.trim() !== '') expect(ids[0]).toBe(first);
      }),
    );
  });

  it('are numbered by turn and place where there are none: call_4_1, call_4_2', () => {
    expect(callIds([null, undefined], 4)).toEqual(['call_4_1', 'call_4_2']);
  });
});
