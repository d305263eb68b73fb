import { type Command, Option } from 'commander';
import type { BenchInput, DeclaredPrice } from '../../core/bench-input';

/** What commander hands over: every value still text, checked by nobody. */
export interface BenchFlags {
  preset?: string;
  candidate?: string[];
  judge?: string[];
  reviewer?: string;
  n?: string;
  matches?: string;
  orders?: string;
  verdictMode?: string;
  debateTurns?: string;
  judgeView?: string;
  repeatShare?: string;
  goldset?: string;
  goldSources?: string;
  budgetPerCandidate?: string;
  judgeBudget?: string;
  budget?: string;
  onJudgeCap?: string;
  price?: string[];
  maxInFlight?: string;
  seed?: string;
  replicates?: string;
  maxTurns?: string;
  maxToolCalls?: string;
  maxOutputTokens?: string;
  thinking?: string;
  literature?: string;
  scipivot?: string;
  allowSelfJudging?: boolean;
  probe?: boolean;
  session?: string;
}

const BUDGET = 'cap of the whole bench, or none (default: none)';

/**
 * Adds a flag for each field of a BenchInput. Choices and ranges are the planner's to check, all at once.
 * @param budget what `--budget` says of itself, where it is not a bench's
 */
export function registerBenchFlags<C extends Command>(command: C, budget = BUDGET): C {
  const many = (value: string, before: string[] = []) => [...before, value];
  return command
    .optionsGroup('What is compared:')
    .option('--preset <name>', 'begin from a preset; flags beat it (list them: co-scientist presets)')
    .option('-c, --candidate <spec>', 'label=provider:model[@pipeline|direct]; repeat it', many)
    .option('--n <count>', 'hypotheses of each candidate (default: 4)')
    .option('--goldset <name>', 'answer key to score recall against, or none')
    .option('--gold-sources <rule>', 'withhold or allow the answer key’s own sources (default: withhold)')
    .option('--scipivot <name>', 'SciΠvot data set to answer beside the bench')
    .optionsGroup('Judging:')
    .option('--judge <model>', 'provider:model; repeat it for a panel', many)
    .option('--reviewer <model>', 'provider:model, or none (default: the judge)')
    .option('--matches <count>', 'matches of each pair of candidates, 0 for no tournament (default: 2)')
    .option('--orders <which>', 'both or balanced (default: both)')
    .option('--verdict-mode <mode>', 'single or debate (default: single)')
    .option('--debate-turns <count>', 'argument turns a side in a debate (default: 2)')
    .option('--judge-view <view>', 'full, or text: no citations, no reviews (default: full)')
    .option('--repeat-share <share>', 'share of matches judged again in the same order, 0 to 1 (default: 0)')
    .option('--allow-self-judging', 'let the judge be a candidate too; it is recorded')
    .addOption(new Option('--no-allow-self-judging').hideHelp())
    .optionsGroup('Money (USD):')
    .option('--budget-per-candidate <usd>', 'cap of each candidate (default: 3)')
    .option('--judge-budget <usd>', 'cap of judge and reviewer together (default: 5)')
    .option('--budget <usd>', budget)
    .option('--on-judge-cap <what>', 'end or wait when the judge’s cap is reached (default: end)')
    .option('--price <price>', 'provider:model=in/out, USD per million tokens; repeat it', many)
    .optionsGroup('Generation:')
    .option('--thinking <tokens>', 'off, or a thinking budget in tokens')
    .option('--max-turns <count>', 'model turns a hypothesis may take (default: 12)')
    .option('--max-tool-calls <count>', 'tool calls a hypothesis may make (default: 30)')
    .option('--max-output-tokens <count>', 'output cap of each generation call (default: 8192)')
    .option('--literature <mode>', 'live or bundled (default: live)')
    .optionsGroup('How it runs:')
    .option('--seed <integer>', 'everything random follows from it (default: 20261004)')
    .option('--replicates <count>', 'runs of the whole, each with fresh hypotheses (default: 1)')
    .option('--max-in-flight <count>', 'verdicts asked for side by side (default: 50)')
    .addOption(new Option('--probe').hideHelp()) // before its negation: else it would be given by default
    .option('--no-probe', 'skip the call of a cent at most that checks each model first')
    .option('--session <name>', 'folder of the files of results (default: the bench id)');
}

const NUMBERS = {
  n: 'n',
  matches: 'matches',
  debateTurns: 'debateTurns',
  repeatShare: 'repeatShare',
  budgetPerCandidate: 'budgetPerCandidateUsd',
  judgeBudget: 'judgeBudgetUsd',
  maxInFlight: 'maxInFlight',
  seed: 'seed',
  replicates: 'replicates',
} as const satisfies Partial<Record<keyof BenchFlags, keyof BenchInput>>;

const GENERATION_NUMBERS = ['maxTurns', 'maxToolCalls', 'maxOutputTokens'] as const;

/** Go over as they are. */
const WORDS = {
  preset: 'preset',
  candidate: 'candidates',
  reviewer: 'reviewer',
  orders: 'orders',
  verdictMode: 'verdictMode',
  judgeView: 'judgeView',
  goldset: 'goldSet',
  goldSources: 'goldSources',
  onJudgeCap: 'onJudgeCap',
  literature: 'literature',
  scipivot: 'scipivot',
  allowSelfJudging: 'allowSelfJudging',
  probe: 'probe',
  session: 'session',
} as const satisfies Partial<Record<keyof BenchFlags, keyof BenchInput>>;

/**
 * The fields that flags gave, and what of them is no number or no price where one has to stand. What is wrong is
 * left out of the fields, so that the planner does not complain of it again.
 */
export function readBenchFlags(
  goal: string | undefined,
  flags: BenchFlags,
): { fields: Record<string, unknown>; problems: string[] } {
  const problems: string[] = [];
  const number = (flag: keyof BenchFlags): number | undefined => readNumber(flag, flags[flag], problems);
  const fields: Record<string, unknown> = { goal };
  for (const [flag, field] of Object.entries(WORDS)) fields[field] = flags[flag as keyof typeof WORDS];
  for (const [flag, field] of Object.entries(NUMBERS)) fields[field] = number(flag as keyof typeof NUMBERS);
  fields.judge = flags.judge?.length === 1 ? flags.judge[0] : flags.judge;
  fields.budgetUsd = flags.budget === 'none' ? null : number('budget');
  fields.thinking = flags.thinking === 'off' ? 'off' : number('thinking');
  fields.generation = givenOnly(Object.fromEntries(GENERATION_NUMBERS.map((flag) => [flag, number(flag)])));
  fields.prices = givenOnly(readPrices(flags.price ?? [], problems));
  return { fields: givenOnly(fields) ?? {}, problems };
}

function readNumber(flag: keyof BenchFlags, value: unknown, problems: string[]): number | undefined {
  if (value === undefined) return undefined;
  const number = decimal(String(value));
  if (number !== undefined) return number;
  const alternative = { budget: ' or none', thinking: ' or off' }[flag as string] ?? '';
  problems.push(`${flagName(flag)}: ${JSON.stringify(value)} is not a number${alternative}`);
  return undefined;
}

/**
 * `provider:model=in/out`, then `/` and the rates of the cache, read and written, where they are known; the model itself
 * may hold `=`, `/` and `:`, so it ends at the last `=`.
 */
function readPrices(texts: string[], problems: string[]): Record<string, DeclaredPrice> {
  const prices: Record<string, DeclaredPrice> = {};
  for (const text of texts) {
    const equals = text.lastIndexOf('=');
    const rates = text
      .slice(equals + 1)
      .split('/')
      .map(decimal);
    const [inputUsdPerMTok, outputUsdPerMTok, cacheReadUsdPerMTok, cacheWriteUsdPerMTok] = rates;
    const isWhole = rates.length <= 4 && !rates.includes(undefined);
    if (equals < 1 || !isWhole || inputUsdPerMTok === undefined || outputUsdPerMTok === undefined) {
      problems.push(
        `--price: ${JSON.stringify(text)} is not provider:model=in/out (USD per million tokens, as in 0.3/2.5; or in/out/cache read/cache write)`,
      );
      continue;
    }
    const name = text.slice(0, equals);
    if (Object.hasOwn(prices, name)) problems.push(`--price: ${JSON.stringify(name)} is given twice`);
    prices[name] = {
      ...{ inputUsdPerMTok, outputUsdPerMTok },
      ...(cacheReadUsdPerMTok === undefined ? {} : { cacheReadUsdPerMTok }),
      ...(cacheWriteUsdPerMTok === undefined ? {} : { cacheWriteUsdPerMTok }),
    };
  }
  return prices;
}

/** Plain decimals, an exponent allowed: no blank, no hex, no Infinity. */
function decimal(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function givenOnly(fields: Record<string, unknown>): Record<string, unknown> | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

function flagName(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
