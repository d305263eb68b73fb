import type { BenchInput } from '../../core/bench-input';
import type { BenchPlan } from '../../core/bench-plan';
import { countText } from '../../core/report/figure-text';
import type { OnRegression } from '../../db/nightlies';
import { type BenchFlags, readBenchFlags } from '../bench/bench-flags';
import { type BenchRequest, buildBenchRequest } from '../bench/bench-request';
import { UsageError } from '../cli-error';

/** What commander hands over; every value still text. */
export interface CreateFlags extends BenchFlags {
  input?: string;
  name?: string;
  cron?: string;
  timeZone?: string;
  bench?: string;
  alpha?: string;
  onRegression?: string;
  webhook?: string;
  schedule: boolean;
  yes?: true;
}

/** A nightly that can be created. */
export interface NightlyRequest {
  name: string;
  input: BenchInput;
  plan: BenchPlan;
  budgetUsd: number;
  alpha: number;
  onRegression: OnRegression | null;
  /** null: rows only. */
  schedule: { cron: string; timeZone: string } | null;
}

const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Reads flags, all problems at once.
 * @param pinned what the pinned bench was given: where no flag names a bench of its own, the nightly is the same one
 * @throws UsageError
 */
export async function readNightlyRequest(
  goal: string | undefined,
  flags: CreateFlags,
  pinned: { benchId: string; input: BenchInput } | null,
): Promise<NightlyRequest> {
  const problems: string[] = [];
  const isNamed = Boolean(goal ?? flags.preset ?? flags.input ?? flags.candidate);
  const bench = await readBench(goal, flags, pinned && !isNamed ? { ...pinned.input } : {}, problems);
  if (bench) problems.push(...benchProblems(bench));
  else if (flags.budget === undefined && flags.input === undefined && pinned?.input.budgetUsd == null)
    problems.push(BUDGET_MISSING);
  const name = flags.name ?? flags.preset ?? bench?.plan.preset ?? pinned?.benchId.toLowerCase() ?? 'nightly';
  const { alpha, timeZone, onRegression } = readOwnFlags({ ...flags, name }, problems);
  if (!bench || problems.length > 0) throw refusal(problems);
  const { budgetUsd, seed: _, ...input } = bench.input;
  const schedule = flags.schedule && flags.cron ? { cron: flags.cron, timeZone } : null;
  return { name, input, plan: bench.plan, budgetUsd: budgetUsd ?? 0, alpha, onRegression, schedule };
}

/**
 * Checks what does not depend on the pinned bench, before anything is started or any bench is looked for.
 * @throws UsageError
 */
export function checkOwnFlags(flags: CreateFlags): void {
  const problems: string[] = [];
  readOwnFlags({ ...flags, name: flags.name ?? 'nightly' }, problems);
  problems.push(...readBenchFlags(undefined, flags).problems);
  if (problems.length > 0) throw refusal(problems);
}

/** What is the nightly's own, and no part of its bench. */
function readOwnFlags(flags: CreateFlags & { name: string }, problems: string[]) {
  const { name, cron, timeZone = 'UTC' } = flags;
  if (!NAME_PATTERN.test(name)) {
    problems.push(`--name: ${JSON.stringify(name)} is not 1 to 64 of a–z 0–9 . _ - after a letter or digit`);
  }
  const alpha = flags.alpha === '' ? Number.NaN : Number(flags.alpha ?? '0.05');
  if (!(alpha > 0 && alpha <= 0.5)) problems.push(`--alpha: ${flags.alpha} is not above 0 and at most 0.5`);
  if (!isTimeZone(timeZone))
    problems.push(`--time-zone: no time zone ${JSON.stringify(timeZone)} (as in Europe/Berlin)`);
  if (flags.schedule && !cron) problems.push("--cron: missing (as in '0 3 * * *', or --no-schedule)");
  if (cron !== undefined && !isFiveFields(cron)) {
    problems.push(
      `--cron: ${JSON.stringify(cron)} is not five fields, as in '0 3 * * *', or a word like @daily`,
    );
  }
  return { alpha, timeZone, onRegression: readOnRegression(flags, problems) };
}

function refusal(problems: string[]): UsageError {
  return new UsageError({
    reason: `${countText(problems.length, 'problem')}; nothing was created`,
    problems,
    remedy: 'mend these; see `co-scientist nightly create --help`',
  });
}

const BUDGET_MISSING = '--budget: missing: what may a night cost, in USD?';

/** The bench of a night; what is wrong with it is told with what is wrong with the nightly. */
async function readBench(
  goal: string | undefined,
  flags: CreateFlags,
  base: Record<string, unknown>,
  problems: string[],
): Promise<BenchRequest | null> {
  try {
    return await buildBenchRequest(goal, flags, base);
  } catch (error) {
    if (!(error instanceof UsageError) || !error.details.problems) throw error;
    problems.push(...error.details.problems);
    return null;
  }
}

function benchProblems({ input, plan }: BenchRequest): string[] {
  return [
    ...(input.budgetUsd == null ? [BUDGET_MISSING] : []),
    ...(plan.matches < 1 ? ['--matches: 0 leaves nothing to compare a night by'] : []),
    ...((input.replicates ?? 1) > 1 ? ['--replicates: a night is one bench (leave it at 1)'] : []),
    ...(plan.n < 1 ? ['--n: 0 leaves no fresh hypothesis to compare'] : []),
    ...unusedSettings(plan),
  ];
}

/** Settings that a night's own schedule has no place for: they would be paid for, or asked for, without effect. */
function unusedSettings({ orders, repeatShare, replicates = 1 }: BenchPlan): string[] {
  return [
    ...(orders === 'both' ? [] : [`--orders: ${orders}: a night is judged in both orders`]),
    ...(repeatShare === 0 ? [] : ['--repeat-share: a night asks for no verdict again (leave it at 0)']),
    ...(replicates === 1 ? [] : ['--replicates: a night is one run (raise --n instead)']),
  ];
}

function readOnRegression({ onRegression, webhook }: CreateFlags, problems: string[]): OnRegression | null {
  if (onRegression !== undefined && webhook !== undefined)
    problems.push('--on-regression and --webhook: give one of them');
  if (onRegression !== undefined) return { kind: 'command', target: onRegression };
  if (webhook === undefined) return null;
  if (!/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(webhook) && !isWebAddress(webhook)) {
    problems.push('--webhook: neither an http(s) URL nor env:NAME, the worker’s variable that holds one');
  } else if (holdsSecret(webhook)) {
    problems.push(
      '--webhook: the URL holds a secret, which would lie in a row: put it into a variable of the worker, and give env:NAME',
    );
  }
  return { kind: 'webhook', target: webhook };
}

const SECRET_PARAMETER = /token|secret|key|sig|passw|auth|credential/i;

/** Whether a URL has a user or password, or a parameter named as secrets are. A secret in its path cannot be told. */
function holdsSecret(webhook: string): boolean {
  if (!isWebAddress(webhook)) return false;
  const { username, password, searchParams } = new URL(webhook);
  return (
    username !== '' || password !== '' || [...searchParams.keys()].some((name) => SECRET_PARAMETER.test(name))
  );
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Temporal also takes six (with a year) and seven (from seconds); elsewhere six begin with seconds: a night a minute. */
function isFiveFields(cron: string): boolean {
  return /^@[a-z]+( \S+)?$/.test(cron.trim()) || cron.trim().split(/\s+/).length === 5;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
