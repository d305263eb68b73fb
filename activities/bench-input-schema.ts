import { z } from 'zod';
import type { BenchInput } from '../core/bench-input';
import { shapeProblems } from './shape-problems';

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
  const result = benchInputSchema.safeParse(value, { reportInput: true });
  if (result.success) return { input: result.data as BenchInput };
  const { issues } = result.error;
  return {
    problems: shapeProblems(issues, knownFields),
    fields: [...new Set(issues.flatMap(fieldsOf))],
  };
}

function fieldsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.path.length > 0) return [String(issue.path[0])];
  return issue.code === 'unrecognized_keys' ? issue.keys : [];
}

/** Of the object at this place. */
function knownFields(path: readonly PropertyKey[]): readonly string[] {
  if (path[0] === 'generation') return ['maxTurns', 'maxToolCalls', 'maxOutputTokens'];
  if (path[0] === 'prices') return Object.keys(price.shape);
  return path[0] === 'candidates' ? ['label', 'provider', 'model', 'mode'] : BENCH_INPUT_FIELDS;
}
