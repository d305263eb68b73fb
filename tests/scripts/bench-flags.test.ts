import { Command } from 'commander';
import fc from 'fast-check';
import { BENCH_INPUT_FIELDS } from '../../activities/bench-input-schema';
import { type BenchFlags, readBenchFlags, registerBenchFlags } from '../../scripts/bench/bench-flags';

/** What the command line of a bench comes to, as fields of a BenchInput. */
function read(...argv: string[]): ReturnType<typeof readBenchFlags> {
  const command = registerBenchFlags(new Command('bench').argument('[goal]').exitOverride());
  command.parse(argv, { from: 'user' });
  return readBenchFlags(command.args[0], command.opts<BenchFlags>());
}

/** One flag for each field; what stands here is also the whole of the command line's ways into a BenchInput. */
const EVERY_FLAG = [
  ...['a goal', '--preset', 'paper', '-c', 'a=sim:fir', '-c', 'b=sim:elm@direct'],
  ...['--judge', 'sim:referee', '--reviewer', 'none', '--n', '3', '--matches', '0'],
  ...['--orders', 'both', '--verdict-mode', 'single', '--debate-turns', '2', '--judge-view', 'full'],
  ...['--repeat-share', '0.25', '--goldset', 'none', '--gold-sources', 'withhold'],
  ...['--budget-per-candidate', '1.5', '--judge-budget', '2', '--budget', '10', '--on-judge-cap', 'end'],
  ...['--price', 'openai:gpt-5=1.25/10', '--max-in-flight', '7', '--seed', '42', '--replicates', '1'],
  ...['--max-turns', '5', '--max-tool-calls', '6', '--max-output-tokens', '4000', '--thinking', 'off'],
  ...['--literature', 'live', '--scipivot', 'fixture', '--allow-self-judging', '--no-probe'],
  ...['--session', 'mine'],
];

test('every field of a BenchInput has a flag, but resume and takeOver, which are another command', () => {
  const { fields, problems } = read(...EVERY_FLAG);
  expect(problems).toEqual([]);
  const expected = BENCH_INPUT_FIELDS.filter((field) => field !== 'resume' && field !== 'takeOver');
  expect(Object.keys(fields).sort()).toEqual([...expected].sort());
});

test('flags come out as the values a BenchInput has, numbers as numbers', () => {
  expect(read(...EVERY_FLAG).fields).toEqual({
    goal: 'a goal',
    preset: 'paper',
    candidates: ['a=sim:fir', 'b=sim:elm@direct'],
    judge: 'sim:referee',
    reviewer: 'none',
    n: 3,
    matches: 0,
    orders: 'both',
    verdictMode: 'single',
    debateTurns: 2,
    judgeView: 'full',
    repeatShare: 0.25,
    goldSet: 'none',
    goldSources: 'withhold',
    budgetPerCandidateUsd: 1.5,
    judgeBudgetUsd: 2,
    budgetUsd: 10,
    onJudgeCap: 'end',
    prices: { 'openai:gpt-5': { inputUsdPerMTok: 1.25, outputUsdPerMTok: 10 } },
    maxInFlight: 7,
    seed: 42,
    replicates: 1,
    generation: { maxTurns: 5, maxToolCalls: 6, maxOutputTokens: 4000 },
    thinking: 'off',
    literature: 'live',
    scipivot: 'fixture',
    allowSelfJudging: true,
    probe: false,
    session: 'mine',
  });
});

test('a flag that was not given is not in the input', () => {
  expect(read('--preset', 'demo').fields).toEqual({ preset: 'demo' });
  expect(read().fields).toEqual({});
});

test('two judges are a panel, one is not; budget none is null; a thinking budget is a number', () => {
  expect(read('--judge', 'sim:a', '--judge', 'sim:b').fields).toEqual({ judge: ['sim:a', 'sim:b'] });
  expect(read('--budget', 'none', '--thinking', '2048').fields).toEqual({ budgetUsd: null, thinking: 2048 });
});

test.each(['', ' ', 'x', '0x10', '1,5', 'Infinity', 'NaN', '--1', '1 2'])(
  '--n %j is not a number',
  (text) => {
    expect(read(`--n=${text}`)).toEqual({
      fields: {},
      problems: [`--n: ${JSON.stringify(text)} is not a number`],
    });
  },
);

test.each([
  '',
  'a:b',
  'a:b=',
  'a:b=1',
  'a:b=1/',
  'a:b=/1',
  'a:b=1/2/',
  'a:b=1/2//4',
  'a:b=1/2/3/4/5',
  '=1/2',
  'a:b=x/y',
])('--price %j is not a price', (text) => {
  expect(read(`--price=${text}`).problems).toEqual([
    `--price: ${JSON.stringify(text)} is not provider:model=in/out (USD per million tokens, as in 0.3/2.5; or in/out/cache read/cache write)`,
  ]);
});

test('a price may have the rates of the cache: $0.03 read, and $0.375 written', () => {
  const prices = read('--price=openai:gpt-5.6=0.3/2.5/0.03/0.375', '--price=a:b=0.3/2.5/0.03').fields.prices;
  const both = { inputUsdPerMTok: 0.3, outputUsdPerMTok: 2.5, cacheReadUsdPerMTok: 0.03 };
  expect(prices).toEqual({ 'openai:gpt-5.6': { ...both, cacheWriteUsdPerMTok: 0.375 }, 'a:b': both });
});

test('a price is read back under its whole name, whatever of = : / and , the model holds', () => {
  const word = fc.stringMatching(/^[a-z0-9.=:/,@-]{1,30}$/);
  const rate = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1000);
  fc.assert(
    fc.property(word, rate, rate, (model, inputUsdPerMTok, outputUsdPerMTok) => {
      const name = `sim:${model}`;
      const { fields, problems } = read(`--price=${name}=${inputUsdPerMTok}/${outputUsdPerMTok}`);
      expect(problems).toEqual([]);
      expect(fields.prices).toEqual({ [name]: { inputUsdPerMTok, outputUsdPerMTok } });
    }),
  );
});
