import fc from 'fast-check';
import type { BenchInput } from '../../core/bench-input';
import type { BenchPlan, Catalogue } from '../../core/bench-plan';
import { planBench } from '../../core/plan-bench';
import type { ModelPrice } from '../../core/prices';

const price = (inputUsdPerMTok: number, outputUsdPerMTok: number): ModelPrice => ({
  inputUsdPerMTok,
  outputUsdPerMTok,
  cacheReadUsdPerMTok: null,
  cacheWriteUsdPerMTok: null,
  source: 'table',
});

const CATALOGUE: Catalogue = {
  providers: ['anthropic', 'openai', 'sim'],
  presets: {
    small: {
      description: 'two of them',
      input: {
        goal: 'the preset’s goal',
        candidates: ['a=sim:alder', 'b=sim:birch@direct'],
        judge: 'sim:referee',
        goldSet: 'drugs',
        n: 3,
        generation: { maxTurns: 5, maxToolCalls: 7 },
      },
    },
  },
  goldSets: ['drugs'],
  priceTable: {
    name: 't1',
    asOf: '2026-08-05',
    prices: { 'openai:gpt-5': price(1.25, 10), 'anthropic:claude': price(3, 15) },
    providerPrices: { sim: price(1, 5) },
  },
  releases: { 'openai:gpt-5': '2025-08-07' },
  simModels: {
    alder: { skill: 1, spread: 0.6, accuracy: 1, bias: 0 },
    birch: { skill: 0, spread: 0.6, accuracy: 1, bias: 0 },
    referee: { skill: 0, spread: 0.6, accuracy: 1, bias: 0 },
  },
  prompts: { verdict: 1 },
  suggest: (word) => (word === 'opnai' ? 'openai' : null),
};

const INPUT: BenchInput = {
  goal: 'Find something out.',
  candidates: ['a=openai:gpt-5@direct', 'b=anthropic:claude@direct'],
  judge: 'sim:referee',
};

function plan(input: BenchInput): BenchPlan {
  const result = planBench(input, CATALOGUE);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.plan;
}

function problems(input: BenchInput): string[] {
  const result = planBench(input, CATALOGUE);
  return 'problems' in result ? result.problems : [];
}

describe('defaults', () => {
  // The defaults of CONTRACTS.md's table.
  test('a goal, two candidates and a judge are enough: n 4, 2 matches, $3 a candidate, $5 for the judge', () => {
    expect(plan(INPUT)).toEqual({
      preset: null,
      goal: 'Find something out.',
      candidates: [
        {
          label: 'a',
          provider: 'openai',
          model: 'gpt-5',
          mode: 'direct',
          price: price(1.25, 10),
          releasedOn: '2025-08-07',
        },
        {
          label: 'b',
          provider: 'anthropic',
          model: 'claude',
          mode: 'direct',
          price: price(3, 15),
          releasedOn: null,
        },
      ],
      judges: [{ provider: 'sim', model: 'referee', price: price(1, 5) }],
      reviewer: { provider: 'sim', model: 'referee', price: price(1, 5) },
      n: 4,
      replicates: 1,
      matches: 2,
      orders: 'both',
      verdictMode: 'single',
      debateTurns: 2,
      judgeView: 'full',
      repeatShare: 0,
      goldSet: null,
      goldSources: 'withhold',
      budgets: { perCandidateUsd: 3, judgeUsd: 5, benchUsd: null },
      onJudgeCap: 'end',
      maxInFlight: 50,
      seed: 20261004,
      generation: { maxTurns: 12, maxToolCalls: 30, maxOutputTokens: 8192 },
      thinking: 'off',
      literature: 'live',
      scipivot: null,
      allowSelfJudging: false,
      probe: true,
      session: null,
      priceTable: { name: 't1', asOf: '2026-08-05' },
      isSimulated: true,
      prompts: { verdict: 1 },
      notes: [],
    });
  });

  test('with no sim model in it a bench is not simulated', () => {
    expect(plan({ ...INPUT, judge: 'openai:gpt-5', allowSelfJudging: true }).isSimulated).toBe(false);
  });
});

describe('presets', () => {
  test('a given field beats the preset’s, candidates replace its candidates, generation is joined', () => {
    const planned = plan({
      preset: 'small',
      n: 1,
      candidates: ['x=sim:alder', 'y=sim:alder', 'z=sim:birch'],
      goldSet: 'none',
      generation: { maxTurns: 6 },
    });
    expect(planned).toMatchObject({ preset: 'small', goal: 'the preset’s goal', n: 1, goldSet: null });
    expect(planned.candidates.map((c) => c.label)).toEqual(['x', 'y', 'z']);
    expect(planned.generation).toEqual({ maxTurns: 6, maxToolCalls: 7, maxOutputTokens: 8192 });
  });

  test('a field set to undefined was not given', () => {
    const input = { preset: 'small', n: undefined } as unknown as BenchInput;
    expect(plan(input).n).toBe(3);
  });

  test('an unknown preset is the one problem: nothing it would have held is missed as well', () => {
    expect(problems({ preset: 'smal' })).toEqual(['preset: unknown "smal" (known: small)']);
    expect(problems({ preset: 'constructor' })).toEqual(['preset: unknown "constructor" (known: small)']);
  });
});

describe('problems', () => {
  test('all come at once, each with its place, in the words of the style guide', () => {
    const input = {
      candidates: [
        'one=opnai:gpt-5@direct',
        'one=openai:gpt-5-mini@direct',
        'no colon',
        'b b=sim:oak,skil=1',
        { label: 'ok', provider: 'sim', model: 'alder' },
      ],
      judge: 'sim:alder',
      reviewer: 'openai',
      n: 0,
      matches: 2.5,
      goldSet: 'drug',
      budgetUsd: 0.001,
      colour: 'red',
    } as BenchInput;
    expect(problems(input)).toEqual([
      expect.stringMatching(/^unknown field "colour" \(known: preset, goal, /),
      'goal: missing (give one, or a preset that has one)',
      'candidates[0]: unknown provider "opnai" in "one=opnai:gpt-5@direct" (known: anthropic, openai, sim; did you mean openai?)',
      'candidates[1]: the label "one" is already that of candidates[0]',
      'candidates[1]: no price for "openai:gpt-5-mini" in the table of 2026-08-05 (add to prices: "openai:gpt-5-mini": {"inputUsdPerMTok": …, "outputUsdPerMTok": …})',
      'candidates[2]: no label in "no colon" (write label=provider:model[@mode])',
      'candidates[3]: bad label "b b" in "b b=sim:oak,skil=1" (1 to 64 of A–Z a–z 0–9 . _ - [ ])',
      'candidates[3]: unknown sim model "oak" (known: alder, birch, referee) in "b b=sim:oak,skil=1"',
      expect.stringMatching(/^candidates\[3\]: unknown sim option "skil" /),
      'reviewer: no provider in "openai" (write provider:model)',
      'n: 0 is not an integer from 1 to 1000',
      'matches: 2.5 is not an integer from 0 to 1000',
      'goldSet: unknown "drug" (known: none, drugs)',
      // 8192 output tokens at $5 a million.
      'budgetUsd: $0.001 is below one call of sim:oak,skil=1, which holds at least $0.04096',
      'judge: "sim:alder" is also the candidate ok (name another judge, or allowSelfJudging to go on all the same)',
    ]);
  });

  test.each<[string, Partial<BenchInput>, string]>([
    ['no candidates', { candidates: [] }, 'candidates: 0 given, a bench needs at least 2'],
    ['one candidate', { candidates: ['a=sim:alder'] }, 'candidates: 1 given, a bench needs at least 2'],
    ['a blank goal', { goal: ' \n\t' }, 'goal: nothing but white space'],
    ['a book for a goal', { goal: 'x'.repeat(20_001) }, 'goal: 20001 characters long, at most 20000'],
    ['a NUL in the goal', { goal: 'a\0b' }, 'goal: holds a NUL or half of a surrogate pair'],
    ['half a pair in the goal', { goal: 'a\uD800b' }, 'goal: holds a NUL or half of a surrogate pair'],
    ['an unknown provider of the judge', { judge: 'x:y' }, 'judge: unknown provider "x" in "x:y"'],
    ['a judge with a mode', { judge: 'sim:referee@direct' }, 'judge: a mode, "@direct", has no place in'],
    ['1001 hypotheses', { n: 1001 }, 'n: 1001 is not an integer from 1 to 1000'],
    ['NaN hypotheses', { n: Number.NaN }, 'n: NaN is not an integer from 1 to 1000'],
    ['a negative seed', { seed: -1 }, 'seed: -1 is not an integer from 0 to 9007199254740991'],
    ['seven debate turns', { debateTurns: 7 }, 'debateTurns: 7 is not an integer from 1 to 6'],
    ['too many in flight', { maxInFlight: 101 }, 'maxInFlight: 101 is not an integer from 1 to 100'],
    ['no turns', { generation: { maxTurns: 0 } }, 'generation.maxTurns: 0 is not an integer from 1 to 100'],
    [
      'an infinite budget',
      { judgeBudgetUsd: Infinity },
      'judgeBudgetUsd: Infinity is not a number from 0 to',
    ],
    ['a little thinking', { thinking: 100 }, 'thinking: 100 is not an integer from 1024 to 200000'],
    ['thinking without end', { thinking: 8192 }, 'thinking: 8192 leaves no room for an answer'],
    ['a path for a session', { session: '../x' }, 'session: "../x" is not 1 to 64 of'],
    [
      'a price for no model',
      { prices: { 'gpt-5': { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } } },
      'prices["gpt-5"]: no provider in "gpt-5"',
    ],
    [
      'a negative price',
      { prices: { 'openai:gpt-5': { inputUsdPerMTok: -1, outputUsdPerMTok: 1 } } },
      'prices["openai:gpt-5"].inputUsdPerMTok: -1 is not a number from 0 to 100000',
    ],
    [
      'a negative price of the cache',
      { prices: { 'openai:gpt-5': { inputUsdPerMTok: 1, outputUsdPerMTok: 1, cacheReadUsdPerMTok: -1 } } },
      'prices["openai:gpt-5"].cacheReadUsdPerMTok: -1 is not a number from 0 to 100000',
    ],
    // By hand: 8192 tokens at $15 a million and 19 bytes of goal at $3: $0.122937.
    [
      'a candidate’s cap below one call',
      { budgetPerCandidateUsd: 0.1 },
      'budgetPerCandidateUsd: $0.1 is below one call of anthropic:claude, which holds at least $0.122937',
    ],
    // By hand: 8192 tokens at $5 and 19 bytes at $1: $0.040979.
    [
      'a judge’s cap below one call',
      { judgeBudgetUsd: 0.04 },
      'judgeBudgetUsd: $0.04 is below one call of sim:referee, which holds at least $0.040979',
    ],
    [
      'a judge who is a candidate',
      { judge: 'openai:gpt-5' },
      'judge: "openai:gpt-5" is also the candidate a',
    ],
  ])('%s', (_, change, problem) => {
    expect(problems({ ...INPUT, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  test('a bench without matches needs no judge', () => {
    const { judge: _, ...rest } = INPUT;
    expect(problems(rest)).toEqual(['judge: missing (name one as provider:model, or set matches to 0)']);
    expect(plan({ ...rest, matches: 0 })).toMatchObject({ judges: [], reviewer: null });
  });

  test('a problem quotes at most 100 characters of what was given', () => {
    const [problem] = problems({ ...INPUT, goldSet: 'x'.repeat(100_000) });
    expect(problem!.length).toBeLessThan(200);
  });
});

describe('models', () => {
  test('a named compatible provider is known by its pattern, its free model by declaration, and that is noted', () => {
    const planned = plan({
      ...INPUT,
      candidates: ['a=compat-my-lab:llama@direct', 'b=openai:gpt-5@direct'],
      prices: { 'compat-my-lab:llama': { inputUsdPerMTok: 0, outputUsdPerMTok: 0 } },
    });
    expect(planned.candidates[0]!.price).toEqual({ ...price(0, 0), source: 'declared' });
    expect(planned.notes).toEqual(['declared free of charge, so no budget holds them: compat-my-lab:llama']);
  });

  test('a declared price beats the table’s', () => {
    const prices = { 'openai:gpt-5': { inputUsdPerMTok: 2, outputUsdPerMTok: 20 } };
    expect(plan({ ...INPUT, prices }).candidates[0]!.price).toMatchObject({
      ...{ inputUsdPerMTok: 2, outputUsdPerMTok: 20, cacheReadUsdPerMTok: null, source: 'declared' },
    });
  });

  // developers.openai.com/api/docs/guides/prompt-caching: from GPT-5.6 on 1.25 × the input rate, unasked.
  test.each([
    ['openai:gpt-5', {}, null, 2.5],
    ['openai:gpt-5', { cacheReadUsdPerMTok: 0.2, cacheWriteUsdPerMTok: 2 }, 0.2, 2],
    ['anthropic:claude', {}, null, null],
    ['anthropic:claude', { cacheReadUsdPerMTok: 0 }, 0, null],
  ])('%s declared at $2 with %j reads its cache at %s and writes it at %s', (name, cache, read, write) => {
    const prices = { [name]: { inputUsdPerMTok: 2, outputUsdPerMTok: 20, ...cache } };
    const planned = plan({ ...INPUT, prices }).candidates.find((c) => `${c.provider}:${c.model}` === name);
    expect(planned!.price).toMatchObject({ cacheReadUsdPerMTok: read, cacheWriteUsdPerMTok: write });
  });

  test.each(['compat-', 'compat-My', 'compat-a--b', 'compat'])('%s is no provider', (provider) => {
    const candidates = [`a=${provider}:m@direct`, 'b=openai:gpt-5@direct'];
    expect(problems({ ...INPUT, candidates })).toEqual([
      expect.stringContaining(`candidates[0]: unknown provider "${provider}"`),
    ]);
  });

  test('a reviewer of its own, none, or by default the judge', () => {
    expect(plan({ ...INPUT, reviewer: 'none' }).reviewer).toBeNull();
    expect(plan({ ...INPUT, reviewer: 'sim:birch' }).reviewer).toMatchObject({ model: 'birch' });
    expect(plan(INPUT).reviewer).toMatchObject({ model: 'referee' });
  });
});

describe('notes', () => {
  test('n = 1 allows no interval, matches = 0 no rating', () => {
    expect(plan({ ...INPUT, n: 1, matches: 0 }).notes).toEqual([
      expect.stringMatching(/^n = 1: no interval is possible/),
      expect.stringMatching(/^matches = 0: .* no rating/),
    ]);
  });

  test('a judge allowed to be a candidate is noted, and so is a reviewer', () => {
    expect(plan({ ...INPUT, judge: 'openai:gpt-5', allowSelfJudging: true }).notes).toEqual([
      'judge: "openai:gpt-5" is also the candidate a',
      'the reviewer is also the candidate a',
    ]);
  });
});

test('no input of the right shape makes the planner throw, and it answers with a plan or with problems', () => {
  const text = fc.string();
  const number = fc.oneof(fc.integer(), fc.double());
  const input = fc.record(
    {
      preset: fc.oneof(fc.constant('small'), text),
      goal: text,
      candidates: fc.array(fc.oneof(text, fc.constantFrom('a=sim:alder', 'b=openai:gpt-5@direct'))),
      judge: fc.oneof(text, fc.array(text), fc.constant('sim:referee')),
      n: number,
      matches: number,
      goldSet: text,
      prices: fc.dictionary(text, fc.record({ inputUsdPerMTok: number, outputUsdPerMTok: number })),
      thinking: fc.oneof(fc.constant('off' as const), number),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(input, (given) => {
      const result = planBench(given as BenchInput, CATALOGUE);
      expect('plan' in result || result.problems.length > 0).toBe(true);
    }),
  );
});

describe('the size of a schedule', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `c${i}=openai:gpt-5@direct`);

  test('49,980 matches are planned, 50,085 are refused with the way out', () => {
    // 15 candidates are 105 pairs.
    expect(plan({ ...INPUT, candidates: many(15), matches: 476 }).matches).toBe(476); // 49,980
    expect(problems({ ...INPUT, candidates: many(15), matches: 477 })).toEqual([
      'matches: 477 for each of 105 pairs are 50085 in all, at most 50000 (matches 476 or fewer, or fewer candidates)',
    ]);
  });

  test('the matches of all replicates count: 10 runs of 4,760 a run are planned, 10 of 5,040 are refused', () => {
    // 8 candidates are 28 pairs.
    const eight = { ...INPUT, candidates: many(8), replicates: 10 };
    expect(plan({ ...eight, matches: 170 }).matches).toBe(170); // 47,600
    expect(problems({ ...eight, matches: 180 })).toEqual([
      'matches: 180 for each of 28 pairs in each of 10 runs are 50400 in all, at most 50000 (matches 178 or fewer, or fewer candidates or replicates)',
    ]);
  });

  test('400 candidates at work fit into one history, counted over replicates; 408 are refused', () => {
    const eight = { ...INPUT, candidates: many(8), n: 1, matches: 1 };
    expect(plan({ ...eight, replicates: 50 }).replicates).toBe(50);
    expect(problems({ ...eight, replicates: 51 })).toEqual([
      'replicates: 51 runs of 8 candidates are 408, at most 400 (replicates 50 or fewer)',
    ]);
  });

  test('a typed 100000 is refused once, by its own range', () => {
    expect(problems({ ...INPUT, matches: 100_000 })).toEqual([
      'matches: 100000 is not an integer from 0 to 1000',
    ]);
  });
});

describe('ways of judging', () => {
  const WORDS = {
    ...CATALOGUE,
    prompts: { verdict: 1, 'verdict-text': 2, 'debate-argument': 3, 'debate-record': 4 },
  };
  const promptsOf = (changes: BenchInput) => {
    const result = planBench({ ...INPUT, ...changes }, WORDS);
    if ('problems' in result) throw new Error(result.problems.join());
    return Object.keys(result.plan.prompts).sort();
  };

  test('a plan names the prompts that its judging uses and no others', () => {
    expect(promptsOf({})).toEqual(['verdict']);
    expect(promptsOf({ judgeView: 'text' })).toEqual(['verdict-text']);
    expect(promptsOf({ verdictMode: 'debate' })).toEqual(['debate-argument', 'debate-record', 'verdict']);
  });

  test('a panel of two is planned in its order, and one judge twice is refused', () => {
    const panel = plan({ ...INPUT, judge: ['sim:referee', 'sim:birch'] });
    expect(panel.judges.map(({ model }) => model)).toEqual(['referee', 'birch']);
    expect(panel.reviewer?.model).toBe('referee');
    expect(problems({ ...INPUT, judge: ['sim:referee', 'sim:referee'] })).toEqual([
      'judge[1]: "sim:referee" is already on the panel',
    ]);
  });

  test('what is paid for and not read, and who is shown first once more, is noted', () => {
    const notes = plan({ ...INPUT, judgeView: 'text', orders: 'balanced', matches: 3 }).notes.join('\n');
    expect(notes).toContain('no judge reads the reviews');
    expect(notes).toContain('one of each pair is shown first once more');
    expect(plan({ ...INPUT, judgeView: 'text', reviewer: 'none' }).notes).toEqual([]);
  });

  test('125 × n 8 are 1000 hypotheses a candidate, 126 × 8 too many; SciΠvot alone has nothing to replicate', () => {
    expect(plan({ ...INPUT, n: 8, replicates: 125 }).replicates).toBe(125);
    expect(problems({ ...INPUT, n: 8, replicates: 126 })).toEqual([
      'replicates: 126 × n 8 are 1008 hypotheses a candidate, at most 1000',
    ]);
    expect(problems({ ...INPUT, replicates: 0 })).toEqual(['replicates: 0 is not an integer from 1 to 1000']);
    expect(problems({ ...INPUT, scipivot: 'fixture', n: 0, matches: 0, replicates: 2 })).toContain(
      'replicates: SciΠvot alone has no hypotheses to write afresh (leave it at 1)',
    );
  });

  test('n 1 is warned of, unless replicates bring more than one hypothesis', () => {
    expect(plan({ ...INPUT, n: 1 }).notes.join()).toContain('no interval is possible');
    expect(plan({ ...INPUT, n: 1, replicates: 2 }).notes).toEqual([
      'replicates 2: each cap holds for all runs together',
    ]);
  });
});
