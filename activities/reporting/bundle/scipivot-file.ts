import { z } from 'zod';
import { BENCH_ID_PATTERN } from '../../../core/ids';
import type { RecordedScipivot } from '../../../core/report/recorded-scipivot';
import type { Comparison } from '../../../core/scipivot/compare';
import type { ScipivotScore } from '../../../core/scipivot/score';
import { jsonText } from './json-text';
import { count, maybeText, sha256, text } from './recorded-schemas';

const role = z.enum(['candidate', 'judge']);

/**
 * SciΠvot of a bench, as far as those may see it who run candidates: the data set's public half, every session, and
 * sums over all cases. References and scores of single cases are in no bundle.
 */
export const scipivotFileSchema = z.strictObject({
  format: z.literal('co-scientist-bench/scipivot'),
  version: z.literal(1),
  benchId: text.regex(BENCH_ID_PATTERN),
  dataSet: z.strictObject({
    name: text,
    nCases: z.int().min(1),
    promptsSha256: sha256.describe('of the file prompts.jsonl that it was loaded from'),
    promptsBytes: count,
    isPinned: z.boolean().describe('its references say that they are of the pinned revision'),
  }),
  prompts: z.array(
    z.strictObject({ position: count, caseId: text, order: z.enum(['ab', 'ba']), prompt: text }),
  ),
  subjects: z.array(
    z.strictObject({
      subject: text.describe('a candidate’s label, or a judge as provider:model'),
      role,
      position: count,
      provider: text,
      model: text,
      state: z.enum(['asking', 'asked', 'over_budget', 'failed']),
      failureKind: maybeText,
      holdReason: maybeText,
    }),
  ),
  sessions: z.array(
    z.strictObject({
      subject: text,
      position: count.describe('of its prompt'),
      epoch: count,
      status: z.enum(['ok', 'timeout', 'truncated', 'provider_error', 'refused']),
      response: maybeText.describe('as it came; null where the status is not ok'),
      reason: maybeText,
      callKey: text,
    }),
  ),
  scores: z.array(z.strictObject({ subject: text, score: z.looseObject({}) })),
  comparisons: z.array(z.strictObject({ role, comparison: z.looseObject({}) })),
});

export type ScipivotFile = z.infer<typeof scipivotFileSchema>;

export function scipivotPath(benchId: string): string {
  return `scipivot/${benchId}.json`;
}

export function writeScipivot(benchId: string, scipivot: RecordedScipivot): string {
  return jsonText({ format: 'co-scientist-bench/scipivot', version: 1, benchId, ...scipivot });
}

export function readScipivot({
  format: _,
  version: __,
  benchId: ___,
  ...rest
}: ScipivotFile): RecordedScipivot {
  return {
    ...rest,
    // Their figures are carried along as they are: without references nobody can make them again.
    scores: rest.scores as unknown as { subject: string; score: ScipivotScore }[],
    comparisons: rest.comparisons as unknown as { role: 'candidate' | 'judge'; comparison: Comparison }[],
  };
}
