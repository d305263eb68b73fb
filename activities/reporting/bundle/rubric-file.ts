import { z } from 'zod';
import { EVAL_AGENTS } from '../../../core/evaluation/eval-check';
import { BENCH_ID_PATTERN } from '../../../core/ids';
import type { RecordedRubric, RecordedRubricScore } from '../../../core/report/recorded-rubric';
import { jsonText } from './json-text';
import { budgetSchema, text } from './recorded-schemas';

const scoreSchema = z.strictObject({
  agent: z.enum(EVAL_AGENTS).describe('whose work it is, and by whose rubric it is scored'),
  version: z.int().min(1).describe('of the rubric'),
  subject: text.describe('id of a hypothesis, a match or the bench'),
  judge: text.describe('provider:model'),
  outcome: z.discriminatedUnion('state', [
    z.strictObject({
      state: z.literal('valid'),
      marks: z.array(z.strictObject({ criterion: text, score: z.int().min(1).max(5), reason: text })),
    }),
    z.strictObject({ state: z.literal('invalid'), reason: text, detail: text }),
  ]),
  callKey: text.describe('of the call it comes from: transcripts/rubric'),
}) satisfies z.ZodType<RecordedRubricScore>;

/** Marks that judges gave a bench's work by the rubrics, after its end. */
export const rubricFileSchema = z.strictObject({
  format: z.literal('co-scientist-bench/rubric'),
  version: z.literal(1),
  benchId: text.regex(BENCH_ID_PATTERN),
  budget: budgetSchema.omit({ kind: true }).describe('what paid for them, apart from the bench’s own'),
  scores: z.array(scoreSchema),
});

export type RubricFile = z.infer<typeof rubricFileSchema>;

export function rubricPath(benchId: string): string {
  return `rubric/${benchId}.json`;
}

export function writeRubric(benchId: string, { budget, scores }: RecordedRubric): string {
  return jsonText({
    ...{ format: 'co-scientist-bench/rubric', version: 1, benchId, budget },
    scores: scores.map(({ agent, version, subject, judge, outcome, callKey }) => ({
      ...{ agent, version, subject, judge },
      outcome:
        outcome.state === 'invalid'
          ? outcome
          : {
              state: outcome.state,
              // jsonb has an order of its own, and the same marks must give the same bytes.
              marks: outcome.marks.map(({ criterion, score, reason }) => ({ criterion, score, reason })),
            },
      callKey,
    })),
  } satisfies RubricFile);
}

export function readRubric({ budget, scores }: RubricFile): RecordedRubric {
  return { budget, scores };
}
