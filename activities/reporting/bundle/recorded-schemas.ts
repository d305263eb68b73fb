import { z } from 'zod';
import { CITATION_MARKS, type CitationMark } from '../../../core/citation-marks';
import type {
  RecordedBudget,
  RecordedCandidate,
  RecordedGoldHit,
  RecordedMatch,
  RecordedRescore,
  RecordedReview,
  RecordedToolCall,
  RecordedVerdict,
} from '../../../core/report/recorded-bench';
import { goldSetSchema } from '../../gold-set-schema';

/** The parts that a bundle's files are made of. Each is checked by the compiler against the record it stands for. */

export const text = z.string();
export const maybeText = z.string().nullable();
export const count = z.int().min(0);
export const maybeCount = count.nullable();
export const usd = z.number().min(0).describe('US dollars; simulated ones where `simulated` is true');
export const maybeUsd = usd.nullable();
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  .describe('RFC 3339, UTC, microseconds');

const verdictState = z.enum(['valid', 'invalid']);

export const candidateSchema = z.strictObject({
  id: text,
  position: count.describe('place in the plan, from 0'),
  label: text,
  provider: text,
  model: text,
  mode: z.enum(['pipeline', 'direct']),
  state: z.enum(['planned', 'generating', 'ready', 'over_budget', 'dropped', 'failed']),
  failureKind: maybeText,
  holdReason: maybeText,
  nPlanned: count,
  nHypotheses: count.describe('hypotheses kept'),
  wins: count,
  losses: count,
  ties: count,
  meanElo: z.number().nullable(),
  topElo: z.number().nullable(),
  btElo: z.number().nullable().describe('Bradley–Terry rating, mean 1000'),
  btLow: z.number().nullable(),
  btHigh: z.number().nullable(),
  goldHits: maybeCount,
  goldHitNames: maybeText,
  totalCostUsd: usd,
  nUnknownCost: count,
  inDoubtUsd: usd,
  inputTokens: count,
  outputTokens: count,
}) satisfies z.ZodType<RecordedCandidate>;

export const citationSchema = z.strictObject({
  url: text,
  title: text,
  excerpt: text,
  marks: z
    .array(z.enum(Object.keys(CITATION_MARKS) as [CitationMark, ...CitationMark[]]))
    .optional()
    .describe('what a tool had said against the work'),
});

export const hypothesisRecordSchema = z.strictObject({
  title: text,
  summary: text,
  fullText: text,
  mechanism: text,
  entities: z.array(text),
  citations: z.array(citationSchema),
  falsification: text,
});

export const reviewSchema = z.strictObject({
  reviewer: text.describe('provider:model'),
  state: verdictState,
  reason: maybeText,
  detail: maybeText,
  review: z.record(text, z.unknown()).nullable(),
  callKey: text,
}) satisfies z.ZodType<RecordedReview>;

export const toolCallSchema = z.strictObject({
  turn: count,
  index: count,
  callId: text,
  tool: text,
  arguments: maybeText.describe('JSON text as the model gave it'),
  argumentsSha256: text,
  repeatsTurn: maybeCount,
  repeatsIndex: maybeCount,
  state: z.enum(['planned', 'answered']),
  outcome: z.enum(['found', 'nothing_found', 'part_found', 'refused', 'failed']).nullable(),
  failureKind: maybeText,
  answer: maybeText.describe('what the model saw'),
  documents: z.array(z.looseObject({ url: text, title: text, excerpt: text })).nullable(),
  cache: z.enum(['hit', 'miss']).nullable(),
  withheldCount: maybeCount,
  latencyMs: maybeCount,
}) satisfies z.ZodType<RecordedToolCall>;

export const verdictSchema = z.strictObject({
  order: z.enum(['ab', 'ba']).describe('ab: side A was shown first'),
  judge: text.describe('provider:model'),
  repeat: count.default(0).describe('0: the verdict that counts; from 1: asked again in the same order'),
  state: verdictState,
  winnerPosition: z.enum(['first', 'second', 'tie']).nullable(),
  reason: maybeText,
  detail: maybeText,
  rationale: maybeText,
  scores: z.array(z.strictObject({ criterion: text, first: z.number(), second: z.number() })).nullable(),
  callKey: text,
}) satisfies z.ZodType<RecordedVerdict>;

export const matchSchema = z.strictObject({
  id: text,
  index: count,
  candA: text,
  candB: text,
  hypA: text,
  hypB: text,
  state: z.enum(['planned', 'played', 'unplayed']),
  reason: maybeText.describe('why it is unplayed'),
  winner: z.enum(['a', 'b', 'tie']).nullable(),
  scoreA: z.number().min(0).max(1).nullable(),
  agreement: z.enum(['agreed', 'half_flip', 'flip']).nullable(),
  rationale: maybeText,
  judgeCostUsd: maybeUsd,
  oneOrder: z
    .enum(['ab', 'ba'])
    .nullable()
    .default(null)
    .describe('judged in one order only: the one its first judge was shown; null: in both'),
  repeats: count.default(0).describe('how often each verdict was to be asked for again'),
  verdicts: z.array(verdictSchema),
}) satisfies z.ZodType<RecordedMatch>;

export const goldHitSchema = z.strictObject({
  hypothesisId: text,
  goldSet: text,
  entity: text,
  field: text,
  alias: text,
  kind: z.enum(['proposed', 'mentioned']),
  excerpt: text,
  origin: z.enum(['model', 'tool', 'prompt']).describe('where the model met the entity first'),
  originDocument: maybeText,
}) satisfies z.ZodType<RecordedGoldHit>;

export const rescoreSchema = z.strictObject({
  goldSet: goldSetSchema.describe('as it was then'),
  origin: z.enum(['registered', 'file']).describe('registered with the program, or somebody’s own'),
  candidates: z.array(
    z.strictObject({
      label: text,
      named: z.array(text).describe('entities, in the order of the set'),
      proposed: z.array(text).describe('of these, in a title or among the entities'),
      hitting: count.describe('hypotheses that name one'),
      hypotheses: count,
    }),
  ),
  hits: z.array(
    z.strictObject({
      hypothesisId: text,
      entity: text,
      alias: text,
      field: text,
      excerpt: text,
      kind: z.enum(['proposed', 'mentioned']),
    }),
  ),
  rescoredAt: moment,
}) satisfies z.ZodType<RecordedRescore>;

export const budgetSchema = z.strictObject({
  id: text,
  kind: z.enum(['candidate', 'judge', 'bench']),
  capUsd: maybeUsd,
  heldUsd: usd,
  exceededCapUsd: maybeUsd,
  closedBy: maybeText,
}) satisfies z.ZodType<RecordedBudget>;
