import { z } from 'zod';
import type { BenchInput } from '../core/bench-input';

const rate = z.number().min(0);
const price = z.strictObject({
  inputUsdPerMTok: rate,
  outputUsdPerMTok: rate,
  cacheReadUsdPerMTok: rate.optional(),
  cacheWriteUsdPerMTok: rate.optional(),
});

const candidate = z.union([
  z.string(),
  z.strictObject({
    label: z.string(),
    provider: z.string(),
    model: z.string(),
    mode: z.enum(['pipeline', 'direct']).optional(),
  }),
]);

/** The types of the one object that starts a bench; ranges and names are the planner's. */
const benchInputSchema = z.strictObject({
  preset: z.string().optional(),
  goal: z.string().optional(),
  candidates: z.array(candidate).optional(),
  judge: z.union([z.string(), z.array(z.string())]).optional(),
  reviewer: z.string().optional(),
  n: z.number().optional(),
  matches: z.number().optional(),
  orders: z.enum(['both', 'balanced']).optional(),
  verdictMode: z.enum(['single', 'debate']).optional(),
  debateTurns: z.number().optional(),
  judgeView: z.enum(['full', 'text']).optional(),
  repeatShare: z.number().optional(),
  goldSet: z.string().optional(),
  goldSources: z.enum(['withhold', 'allow']).optional(),
  budgetPerCandidateUsd: z.number().optional(),
  judgeBudgetUsd: z.number().optional(),
  budgetUsd: z.number().nullable().optional(),
  onJudgeCap: z.enum(['end', 'wait']).optional(),
  prices: z.record(z.string(), price).optional(),
  maxInFlight: z.number().optional(),
  seed: z.number().optional(),
  replicates: z.number().optional(),
  generation: z
    .strictObject({ maxTurns: z.number(), maxToolCalls: z.number(), maxOutputTokens: z.number() })
    .partial()
    .optional(),
  thinking: z.union([z.literal('off'), z.number()]).optional(),
  literature: z.enum(['live', 'bundled']).optional(),
  scipivot: z.string().optional(),
  allowSelfJudging: z.boolean().optional(),
  probe: z.boolean().optional(),
  session: z.string().optional(),
  resume: z.string().optional(),
  takeOver: z.boolean().optional(),
});

/** Every field of a BenchInput, in the order of the contract. */
export const BENCH_INPUT_FIELDS = Object.keys(benchInputSchema.shape);

/**
 * Checks the shape of an input from anywhere.
 * @returns the input, or every problem with its place, and the fields that have one
 */
export function checkBenchInput(
  value: unknown,
): { input: BenchInput } | { problems: string[]; fields: string[] } {
  const result = benchInputSchema.safeParse(value);
  if (result.success) return { input: result.data as BenchInput };
  const { issues } = result.error;
  return { problems: issues.flatMap(describeIssue), fields: [...new Set(issues.flatMap(fieldsOf))] };
}

function fieldsOf(issue: Issue): string[] {
  if (issue.path.length > 0) return [String(issue.path[0])];
  return issue.code === 'unrecognized_keys' ? issue.keys : [];
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue): string[] {
  const place = formatPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const inPlace = issue.path.length > 0 ? `${place}: ` : '';
    return issue.keys.map(
      (key) => `${inPlace}unknown field ${JSON.stringify(key)}${suggestField(issue, key)}`,
    );
  }
  if (issue.code === 'invalid_union') {
    const shapes = issue.errors.map((issues) => issues.map((i) => i.message).join(', '));
    return [`${place}: ${shapes.join('; or ')}`];
  }
  return [`${place}: ${issue.message}`];
}

function suggestField(issue: Issue, key: string): string {
  if (issue.path.length > 0) return '';
  const known = BENCH_INPUT_FIELDS.find(
    (field) => field.toLowerCase() === key.toLowerCase().replace(/[-_]/g, ''),
  );
  return known ? ` (did you mean ${known}?)` : ` (known: ${BENCH_INPUT_FIELDS.join(', ')})`;
}

function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'input';
  return path.map((p, i) => (typeof p === 'number' ? `[${p}]` : `${i ? '.' : ''}${String(p)}`)).join('');
}
