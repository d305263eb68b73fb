import { z } from 'zod';
import type { BenchPlan } from '../../../core/bench-plan';
import { count, maybeText, maybeUsd, text, usd } from './recorded-schemas';

const rates = {
  inputUsdPerMTok: z.number().min(0),
  outputUsdPerMTok: z.number().min(0),
  cacheReadUsdPerMTok: z.number().min(0).nullable(),
  cacheWriteUsdPerMTok: z.number().min(0).nullable(),
};

/** What a model's tokens are charged at, in USD a million; null: by the price of an input token. */
export const price = z.strictObject({
  ...rates,
  longInput: z
    .strictObject({ ...rates, overInputTokens: count })
    .optional()
    .describe('of all of a call whose whole input is longer'),
  source: z.enum(['table', 'declared']),
});

const plannedModel = z.looseObject({ provider: text, model: text, price });

const atLeastOne = z.int().min(1);
const toThousand = count.max(1000);

/**
 * Every field of a plan, in the ranges that planning admits; a later plan may hold more. What the first bundles lack
 * is optional: they are read on.
 */
export const planSchema = z.looseObject({
  preset: maybeText,
  goal: text,
  candidates: z.array(
    z.looseObject({
      ...plannedModel.shape,
      label: text,
      mode: z.enum(['pipeline', 'direct']),
      releasedOn: z.iso.date().nullable().optional().describe('when its model could first be called'),
    }),
  ),
  judges: z.array(plannedModel),
  reviewer: plannedModel.nullable(),
  n: toThousand,
  replicates: atLeastOne.max(1000).optional().describe('how often all of it is run; left out: once'),
  matches: toThousand,
  orders: z.enum(['both', 'balanced']),
  verdictMode: z.enum(['single', 'debate']),
  debateTurns: atLeastOne.max(6),
  judgeView: z.enum(['full', 'text']),
  repeatShare: z.number().min(0).max(1),
  goldSet: maybeText,
  goldSources: z.enum(['withhold', 'allow']),
  budgets: z.strictObject({ perCandidateUsd: usd, judgeUsd: usd, benchUsd: maybeUsd }),
  onJudgeCap: z.enum(['end', 'wait']),
  maxInFlight: atLeastOne,
  seed: count,
  generation: z.strictObject({
    maxTurns: atLeastOne,
    maxToolCalls: count,
    maxOutputTokens: atLeastOne,
  }),
  thinking: z.union([z.literal('off'), count], { error: 'expected "off" or a number of tokens' }),
  literature: z.enum(['live', 'bundled']),
  scipivot: maybeText.optional().describe('data set that candidates and judges are asked'),
  allowSelfJudging: z.boolean(),
  probe: z.boolean(),
  session: maybeText,
  priceTable: z.strictObject({ name: text, asOf: text }),
  isSimulated: z.boolean(),
  prompts: z.record(text, count),
  notes: z.array(text),
} satisfies Record<keyof BenchPlan, z.ZodType>);
