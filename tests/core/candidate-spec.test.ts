import fc from 'fast-check';
import { type Candidate, formatCandidateSpec, parseCandidateSpec } from '../../core/candidate-spec';
import { candidateId, candidateScope, judgeScope } from '../../core/ids';

const candidate = (label: string, provider: string, model: string, mode: Candidate['mode'] = 'pipeline') => ({
  label,
  provider,
  model,
  mode,
});

// The examples of the bench's reference text and the grammar of DESIGN.md, "Input".
test.each<[string, Candidate]>([
  [
    'flash3=openrouter:google/gemini-3-flash-preview',
    candidate('flash3', 'openrouter', 'google/gemini-3-flash-preview'),
  ],
  [
    'flash3-raw=openrouter:google/gemini-3-flash-preview@direct',
    candidate('flash3-raw', 'openrouter', 'google/gemini-3-flash-preview', 'direct'),
  ],
  ['gpt5=openai:gpt-5@pipeline', candidate('gpt5', 'openai', 'gpt-5')],
  ['a[pipe]=openrouter:x/y:free@direct', candidate('a[pipe]', 'openrouter', 'x/y:free', 'direct')],
  ['a=anthropic:claude@20250514', candidate('a', 'anthropic', 'claude@20250514')],
  ['a=anthropic:claude@20250514@direct', candidate('a', 'anthropic', 'claude@20250514', 'direct')],
  ['a=sim:alder,skill=1.2', candidate('a', 'sim', 'alder,skill=1.2')],
  ['a=compat-lab:@cf/meta/llama@direct', candidate('a', 'compat-lab', '@cf/meta/llama', 'direct')],
])('%s', (text, expected) => {
  expect(parseCandidateSpec(text)).toEqual({ value: expected });
});

test.each([
  ['openai:gpt-5', ['no label in "openai:gpt-5" (write label=provider:model[@mode])']],
  ['gpt5=gpt-5', ['no provider in "gpt5=gpt-5" (write label=provider:model[@mode])']],
  ['a=openai:gpt-5@raw', ['unknown mode "@raw" in "a=openai:gpt-5@raw" (known: pipeline, direct)']],
  ['a=openai:gpt-5@Direct', ['unknown mode "@Direct" in "a=openai:gpt-5@Direct" (known: pipeline, direct)']],
  ['a=openai:gpt-5@', ['unknown mode "@" in "a=openai:gpt-5@" (known: pipeline, direct)']],
  ['a=openai:gpt-5@direct@pipeline', [expect.stringContaining('unknown mode "@direct"')]],
  ['=openai:gpt-5', [expect.stringContaining('bad label ""')]],
  ['a b=openai:gpt-5', [expect.stringContaining('bad label "a b"')]],
  [`${'x'.repeat(65)}=openai:gpt-5`, [expect.stringContaining('bad label')]],
  ['a/b=openai:', [expect.stringContaining('no model'), expect.stringContaining('bad label "a/b"')]],
])('%s is refused: %j', (text, problems) => {
  expect(parseCandidateSpec(text)).toEqual({ problems });
});

// ECMA-262, "Properties of the Object Prototype Object" and Annex B.2.2: twelve of them.
test('none of the 12 names that every object has is a label, whatever else a runtime adds to them', () => {
  const names = Object.getOwnPropertyNames(Object.prototype);
  expect(names).toEqual(
    expect.arrayContaining(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf']),
  );
  expect(names.length).toBeGreaterThanOrEqual(12);
  for (const label of names) {
    const problems = [expect.stringContaining(`bad label "${label}"`)];
    expect(parseCandidateSpec(`${label}=openai:gpt-5`)).toEqual({ problems });
    expect(parseCandidateSpec({ label, provider: 'openai', model: 'gpt-5' })).toEqual({ problems });
  }
});

// CONTRACTS.md, "Rows": a candidate's scope is its id, `<bench>/<label>`; `judge` and `bench` are words for the others.
test('no candidate shares a budget with the judge: the labels judge and bench are refused, judges is not', () => {
  const bench = 'bnc_01M8N40J5W2JPHWBCAD5W27HP5';
  expect(candidateScope(candidateId(bench, 'judge'))).toBe(judgeScope(bench));
  for (const label of ['judge', 'bench']) {
    expect(parseCandidateSpec(`${label}=openai:gpt-5`)).toEqual({
      problems: [
        `bad label "${label}" in "${label}=openai:gpt-5" (a budget of the bench itself is called so)`,
      ],
    });
  }
  expect(parseCandidateSpec('judges=openai:gpt-5')).toEqual({
    value: candidate('judges', 'openai', 'gpt-5'),
  });
});

test('an object keeps the same rules, and its mode is pipeline unless it says otherwise', () => {
  expect(parseCandidateSpec({ label: 'a', provider: 'openai', model: 'gpt-5' })).toEqual({
    value: candidate('a', 'openai', 'gpt-5'),
  });
  expect(parseCandidateSpec({ label: 'a b', provider: 'openai', model: 'gpt-5@x' })).toEqual({
    problems: [expect.stringContaining('unknown mode "@x"'), expect.stringContaining('bad label "a b"')],
  });
});

test('every candidate that may be written is read back the same', () => {
  const label = fc
    .stringMatching(/^[A-Za-z0-9._[\]-]{1,64}$/)
    .filter((name) => !(name in Object.prototype) && name !== 'judge' && name !== 'bench');
  const provider = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
  const model = fc.stringMatching(/^[A-Za-z0-9/:.,=_-]{1,40}(@[0-9][a-z0-9-]{0,8})?$/);
  const mode = fc.constantFrom<Candidate['mode']>('pipeline', 'direct');
  fc.assert(
    fc.property(label, provider, model, mode, (...parts) => {
      const spec = candidate(...parts);
      expect(parseCandidateSpec(formatCandidateSpec(spec))).toEqual({ value: spec });
    }),
  );
});

test('no text makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const read = parseCandidateSpec(text);
      expect('value' in read || read.problems.length > 0).toBe(true);
    }),
  );
});
