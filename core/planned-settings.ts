import type { BenchInput } from './bench-input';
import type { BenchPlan } from './bench-plan';
import { quote } from './problem-text';
import { replicatesOf, slotsPerCandidate } from './replicates';

/** No cap is higher: not at the start, and not when it is raised. */
export const MAX_CAP_USD = 1e6;

/** The part of a plan that is numbers and choices, without the models and the names. */
export type PlannedSettings = Omit<
  BenchPlan,
  | 'preset'
  | 'goal'
  | 'candidates'
  | 'judges'
  | 'reviewer'
  | 'goldSet'
  | 'priceTable'
  | 'isSimulated'
  | 'prompts'
  | 'notes'
>;

/** The fields as given, the defaults where none was. Meaningful only where `settingProblems` finds none. */
export function planSettings(fields: BenchInput): PlannedSettings {
  return {
    n: fields.n ?? 4,
    replicates: fields.replicates ?? 1,
    matches: fields.matches ?? 2,
    orders: fields.orders ?? 'both',
    verdictMode: fields.verdictMode ?? 'single',
    debateTurns: fields.debateTurns ?? 2,
    judgeView: fields.judgeView ?? 'full',
    repeatShare: fields.repeatShare ?? 0,
    goldSources: fields.goldSources ?? 'withhold',
    budgets: {
      perCandidateUsd: fields.budgetPerCandidateUsd ?? 3,
      judgeUsd: fields.judgeBudgetUsd ?? 5,
      benchUsd: fields.budgetUsd ?? null,
    },
    onJudgeCap: fields.onJudgeCap ?? 'end',
    maxInFlight: fields.maxInFlight ?? 50,
    seed: fields.seed ?? 20261004,
    generation: {
      maxTurns: fields.generation?.maxTurns ?? 12,
      maxToolCalls: fields.generation?.maxToolCalls ?? 30,
      maxOutputTokens: fields.generation?.maxOutputTokens ?? 8192,
    },
    thinking: fields.thinking ?? 'off',
    literature: fields.literature ?? 'live',
    scipivot: fields.scipivot ?? null,
    allowSelfJudging: fields.allowSelfJudging ?? false,
    probe: fields.probe ?? true,
    session: fields.session ?? null,
  };
}

interface Range {
  field: string;
  value(settings: PlannedSettings): number | null;
  kind: 'an integer' | 'a number';
  min: number;
  max: number;
}

const RANGES: Range[] = [
  { field: 'n', value: (s) => (isScipivotAlone(s) ? null : s.n), kind: 'an integer', min: 1, max: 1000 },
  { field: 'replicates', value: replicatesOf, kind: 'an integer', min: 1, max: 1000 },
  { field: 'matches', value: (s) => s.matches, kind: 'an integer', min: 0, max: 1000 },
  { field: 'debateTurns', value: (s) => s.debateTurns, kind: 'an integer', min: 1, max: 6 },
  { field: 'repeatShare', value: (s) => s.repeatShare, kind: 'a number', min: 0, max: 1 },
  {
    field: 'budgetPerCandidateUsd',
    value: (s) => s.budgets.perCandidateUsd,
    kind: 'a number',
    min: 0,
    max: MAX_CAP_USD,
  },
  { field: 'judgeBudgetUsd', value: (s) => s.budgets.judgeUsd, kind: 'a number', min: 0, max: MAX_CAP_USD },
  { field: 'budgetUsd', value: (s) => s.budgets.benchUsd, kind: 'a number', min: 0, max: MAX_CAP_USD },
  // More in flight could take a workflow's history past its limit while the window drains.
  { field: 'maxInFlight', value: (s) => s.maxInFlight, kind: 'an integer', min: 1, max: 100 },
  { field: 'seed', value: (s) => s.seed, kind: 'an integer', min: 0, max: Number.MAX_SAFE_INTEGER },
  { field: 'generation.maxTurns', value: (s) => s.generation.maxTurns, kind: 'an integer', min: 1, max: 100 },
  {
    field: 'generation.maxToolCalls',
    value: (s) => s.generation.maxToolCalls,
    kind: 'an integer',
    min: 0,
    max: 1000,
  },
  {
    field: 'generation.maxOutputTokens',
    value: (s) => s.generation.maxOutputTokens,
    kind: 'an integer',
    min: 1,
    max: 200_000,
  },
  {
    field: 'thinking',
    value: (s) => (s.thinking === 'off' ? null : s.thinking),
    kind: 'an integer',
    min: 1024, // the least Anthropic takes
    max: 200_000,
  },
];

/** Of all pairs and runs together. A match is a row and two verdicts: more is a typing error, or weeks of a judge. */
export const MAX_MATCHES_IN_ALL = 50_000;

/** A candidate at work once is up to ten events in its bench's history, which has room for 4,096. */
const MAX_CANDIDATE_RUNS = 400;

/** A schedule too large to write, or too many runs for one workflow; empty: neither. */
export function scheduleProblems(settings: PlannedSettings, nCandidates: number): string[] {
  return [...matchProblems(settings, nCandidates), ...runProblems(settings, nCandidates)];
}

function matchProblems(settings: PlannedSettings, nCandidates: number): string[] {
  const { matches } = settings;
  const runs = replicatesOf(settings);
  const pairs = (nCandidates * (nCandidates - 1)) / 2;
  const inAll = pairs * matches * runs;
  if (!(inAll > MAX_MATCHES_IN_ALL) || matches > 1000) return [];
  const most = Math.floor(MAX_MATCHES_IN_ALL / (pairs * runs));
  const fewer = runs > 1 ? 'fewer candidates or replicates' : 'fewer candidates';
  const wayOut = most > 0 ? `matches ${most} or fewer, or ${fewer}` : fewer;
  const inEach = runs > 1 ? ` in each of ${runs} runs` : '';
  return [
    `matches: ${matches} for each of ${pairs} pairs${inEach} are ${inAll} in all, at most ${MAX_MATCHES_IN_ALL} (${wayOut})`,
  ];
}

function runProblems(settings: PlannedSettings, nCandidates: number): string[] {
  const runs = replicatesOf(settings);
  const inAll = runs * nCandidates;
  if (runs <= 1 || runs > 1000 || inAll <= MAX_CANDIDATE_RUNS) return [];
  return [
    `replicates: ${runs} runs of ${nCandidates} candidates are ${inAll}, at most ${MAX_CANDIDATE_RUNS} (replicates ${Math.floor(MAX_CANDIDATE_RUNS / nCandidates)} or fewer)`,
  ];
}

/** A folder's name: the session's files lie under it. */
const SESSION_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A data set's name, as `co-scientist scipivot load` takes it. */
const DATA_SET_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** A bench of SciΠvot and nothing else: no hypotheses, so nothing to compare either. */
export function isScipivotAlone({
  n,
  matches,
  scipivot,
}: Pick<PlannedSettings, 'n' | 'matches' | 'scipivot'>): boolean {
  return scipivot !== null && n === 0 && matches === 0;
}

/** Every setting out of its range, and those that do not go together. */
export function settingProblems(settings: PlannedSettings): string[] {
  const problems: string[] = [];
  for (const range of RANGES) {
    const value = range.value(settings);
    if (value !== null) problems.push(...rangeProblems(range, value));
  }
  problems.push(...replicateProblems(settings));
  const { thinking, generation, session, scipivot } = settings;
  if (thinking !== 'off' && thinking >= generation.maxOutputTokens) {
    problems.push(
      `thinking: ${thinking} leaves no room for an answer under generation.maxOutputTokens ${generation.maxOutputTokens}`,
    );
  }
  if (session !== null && !SESSION_PATTERN.test(session)) {
    problems.push(
      `session: ${quote(session)} is not 1 to 64 of A–Z a–z 0–9 . _ - that begin with a letter or digit`,
    );
  }
  if (scipivot !== null && !DATA_SET_PATTERN.test(scipivot)) {
    problems.push(
      `scipivot: ${quote(scipivot)} is not 1 to 64 of a–z 0–9 . _ - that begin with a letter or digit`,
    );
  }
  return problems;
}

const MAX_SLOTS = 1000;

function replicateProblems(settings: PlannedSettings): string[] {
  const replicates = replicatesOf(settings);
  if (replicates > 1 && isScipivotAlone(settings)) {
    return ['replicates: SciΠvot alone has no hypotheses to write afresh (leave it at 1)'];
  }
  const slots = slotsPerCandidate(settings);
  if (replicates <= 1 || slots <= MAX_SLOTS || settings.n > MAX_SLOTS) return [];
  return [
    `replicates: ${replicates} × n ${settings.n} are ${slots} hypotheses a candidate, at most ${MAX_SLOTS}`,
  ];
}

function rangeProblems({ field, kind, min, max }: Omit<Range, 'value'>, value: number): string[] {
  const isInside = value >= min && value <= max && (kind === 'a number' || Number.isInteger(value));
  return isInside ? [] : [`${field}: ${value} is not ${kind} from ${min} to ${max}`];
}
