import type { BenchInput } from '../../core/bench-input';
import type { BenchPlan } from '../../core/bench-plan';
import { isJsonObject } from '../../core/json-object';
import { countText } from '../../core/report/figure-text';
import { UsageError } from '../cli-error';
import { type BenchFlags, readBenchFlags } from './bench-flags';
import { readInputFile } from './input-file';

/** A BenchInput that can be planned, with its plan. */
export interface BenchRequest {
  input: BenchInput;
  plan: BenchPlan;
}

/**
 * Builds the one BenchInput from a goal, flags and an `--input` file, a flag beating the file, and plans it.
 * `generation` and `prices` are joined entry by entry; candidates and judges replace the file's.
 * @param base fields that hold where neither file nor flags have them
 * @throws UsageError with every problem of flags and input
 */
export async function buildBenchRequest(
  goal: string | undefined,
  flags: BenchFlags & { input?: string },
  base: Record<string, unknown> = {},
): Promise<BenchRequest> {
  const { planInput } =
    require('../../activities/plan-input') as typeof import('../../activities/plan-input');
  const { fields, problems } = readBenchFlags(goal, flags);
  const file = flags.input === undefined ? {} : await readFields(flags.input, problems);
  // Without what the file says, nothing can be said of the whole.
  if (file === null) throw refusal(problems);
  const planned = planInput(joinFields(joinFields(base, file), fields));
  if ('problems' in planned) problems.push(...planned.problems);
  if (problems.length === 0 && 'plan' in planned) return planned;
  throw refusal(problems);
}

/**
 * What is wrong with a line that is refused already. Where it names no bench to begin from, what is missing follows from
 * what was mistyped: then its values alone are looked at.
 * @throws UsageError
 */
export async function checkBenchRequest(
  goal: string | undefined,
  flags: BenchFlags & { input?: string },
): Promise<void> {
  if ((flags.preset ?? flags.input ?? flags.candidate) !== undefined) await buildBenchRequest(goal, flags);
  const { problems } = readBenchFlags(goal, flags);
  if (problems.length > 0) throw refusal(problems);
}

/** @returns null where the file cannot be read, with why among the problems */
async function readFields(path: string, problems: string[]): Promise<Record<string, unknown> | null> {
  try {
    return await readInputFile(path);
  } catch (error) {
    // Alone it has a way out of its own.
    if (!(error instanceof UsageError) || problems.length === 0) throw error;
    problems.push(error.details.reason);
    return null;
  }
}

function joinFields(file: Record<string, unknown>, flags: Record<string, unknown>): Record<string, unknown> {
  const joined = { ...file, ...flags };
  for (const field of ['generation', 'prices']) {
    const [one, other] = [file[field], flags[field]];
    if (isJsonObject(one) && isJsonObject(other)) joined[field] = { ...one, ...other };
  }
  return joined;
}

function refusal(problems: string[]): UsageError {
  return new UsageError({
    reason: `${countText(problems.length, 'problem')} in the bench input; nothing was started`,
    problems,
    remedy: problems.some((problem) => problem.includes('no price for'))
      ? "mend these; a price is declared with --price 'provider:model=in/out' in USD per million tokens"
      : 'mend these; see `co-scientist bench --help`, or `co-scientist presets` for benches to begin from',
  });
}
