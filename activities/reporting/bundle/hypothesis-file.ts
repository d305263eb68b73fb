import { z } from 'zod';
import type { RecordedHypothesis } from '../../../core/report/recorded-bench';
import { jsonText } from './json-text';
import {
  citationSchema,
  hypothesisRecordSchema,
  maybeText,
  reviewSchema,
  text,
  toolCallSchema,
} from './recorded-schemas';

/** One slot of a candidate: what it proposes, or why it proposes nothing; its review and its tool calls. */
export const hypothesisFileSchema = z.strictObject({
  format: z.literal('co-scientist-bench/hypothesis'),
  version: z.literal(1),
  publicId: text,
  benchId: text,
  id: text,
  candidateId: text,
  k: z.int().min(1).describe('slot of the candidate, from 1'),
  state: z.enum(['planned', 'draft', 'reviewed', 'in_tournament', 'failed', 'duplicate', 'over_budget']),
  failureKind: maybeText,
  failureDetail: maybeText,
  draftKind: z.enum(['original', 'nudged']).nullable(),
  duplicateOf: maybeText,
  elo: z.number().nullable(),
  record: hypothesisRecordSchema.nullable(),
  unsupportedCitations: z.array(citationSchema).nullable().describe('cited, but seen in no tool’s answer'),
  contentSha256: maybeText,
  review: reviewSchema.nullable(),
  toolCalls: z.array(toolCallSchema),
  transcripts: z.array(text).describe('files of its calls, from the session’s folder'),
});

export type HypothesisFile = z.infer<typeof hypothesisFileSchema>;

export function hypothesisPath(publicId: string): string {
  return `hypotheses/${publicId}.json`;
}

/** @param transcripts paths of the files of its calls */
export function writeHypothesis(
  benchId: string,
  hypothesis: RecordedHypothesis,
  transcripts: string[],
): string {
  const {
    id,
    candidateId,
    k,
    publicId,
    record,
    unsupportedCitations,
    contentSha256,
    review,
    toolCalls,
    ...rest
  } = hypothesis;
  return jsonText({
    format: 'co-scientist-bench/hypothesis',
    version: 1,
    publicId,
    benchId,
    id,
    candidateId,
    k,
    ...rest,
    record,
    unsupportedCitations,
    contentSha256,
    review,
    toolCalls,
    transcripts,
  } satisfies HypothesisFile);
}

export function readHypothesis(file: HypothesisFile): RecordedHypothesis {
  const { format: _, version: __, benchId: ___, transcripts: ____, ...hypothesis } = file;
  return hypothesis;
}
