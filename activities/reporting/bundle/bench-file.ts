import { z } from 'zod';
import type { BenchInput } from '../../../core/bench-input';
import type { BenchPlan } from '../../../core/bench-plan';
import type { BenchSummary } from '../../../core/bench-summary';
import { BENCH_ID_PATTERN } from '../../../core/ids';
import type { BenchRatings } from '../../../core/ratings/rate-bench';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { reportedModels, usedPrices } from '../../../core/report/versions';
import { withUnknownConduct } from '../../../core/unkept-conduct';
import { jsonText } from './json-text';
import { planSchema, price } from './plan-schema';
import {
  budgetSchema,
  candidateSchema,
  count,
  goldHitSchema,
  matchSchema,
  maybeText,
  moment,
  rescoreSchema,
  sha256,
  text,
} from './recorded-schemas';
import { CALL_KINDS } from './transcript-file';

/** The folder's name; what core/planned-settings.ts admits, so that no session leads out of the root. */
export const SESSION_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const summarySchema = z.looseObject({
  format: z.literal(1),
  benchId: text,
  status: text,
  simulated: z.boolean(),
  seed: count,
  candidates: z.array(z.looseObject({ label: text })),
  judge: z.looseObject({ verdicts: count }),
  totalCostUsd: z.number(),
});

/** A bench: what it was to do, what it came to, every match with its verdicts, and what belongs to it. */
export const benchFileSchema = z.strictObject({
  format: z.literal('co-scientist-bench/bench'),
  version: z.literal(1),
  benchId: text.regex(BENCH_ID_PATTERN),
  session: text.regex(SESSION_PATTERN).describe('the folder that the files lie in'),
  state: z.enum(['planned', 'running', 'paused', 'finished', 'failed', 'cancelled']),
  simulated: z.boolean().describe('models, verdicts and dollars are made up'),
  seed: count,
  createdAt: moment,
  finishedAt: moment.nullable(),
  summary: summarySchema.nullable().describe('BenchSummary; null while the bench has not ended'),
  ratings: z
    .looseObject({ format: z.literal(1), given: z.looseObject({ candidates: z.array(z.looseObject({})) }) })
    .nullable()
    .describe('BenchRatings: ratings with intervals, and all that qualifies them'),
  settings: planSchema.describe('BenchPlan: the input with preset and defaults filled in'),
  versions: z.strictObject({
    prompts: z.record(text, count),
    priceTable: z.strictObject({ name: text, asOf: text }),
    reportedModels: z.record(text, z.array(text)).describe('provider:model → the names its answers gave'),
  }),
  prices: z.record(text, price).describe('provider:model → USD per million tokens'),
  gold_hit_detail: z.array(goldHitSchema),
  rescores: z.array(rescoreSchema).optional().describe('by other gold sets, after the fact'),
  preset: maybeText,
  goal: text,
  goldSet: maybeText,
  input: z.looseObject({}).describe('BenchInput as it was given'),
  offeredTools: z.unknown(),
  failureKind: maybeText,
  failureDetail: maybeText,
  holdReason: maybeText,
  owner: z.strictObject({ namespace: text, workflowId: text, firstRunId: text, epoch: count }),
  candidates: z.array(candidateSchema),
  matches: z.array(matchSchema),
  budgets: z.array(budgetSchema),
  files: z
    .strictObject({
      hypotheses: z.record(publicIdText('hyp'), sha256),
      transcripts: z.partialRecord(z.enum(CALL_KINDS), z.record(publicIdText('trn'), sha256)),
      scipivot: z.record(text.regex(BENCH_ID_PATTERN), sha256).optional(),
      rubric: z.record(text.regex(BENCH_ID_PATTERN), sha256).optional(),
    })
    .describe('SHA-256 of every file that belongs to this bench, by id'),
});

/** The ids are file names, so they are checked before any is opened. */
function publicIdText(prefix: string) {
  return text.regex(new RegExp(`^${prefix}_[0-9a-v]{26}$`));
}

export type BenchFile = z.infer<typeof benchFileSchema>;

/** Hashes of a bench's other files. */
export type FileHashes = BenchFile['files'];

export function benchPath(benchId: string): string {
  return `bench/${benchId}.json`;
}

/**
 * The file's text in parts: as a whole its matches would stand in memory several times over, and there may be ten
 * thousand. Together the parts are what `jsonText` gives.
 */
export function* benchFileParts(record: RecordedBench, files: FileHashes): Generator<string> {
  const text = writeBench({ ...record, matches: [] }, files);
  if (record.matches.length === 0) {
    yield text;
    return;
  }
  // Two blanks deep there are the file's own fields alone, and a line break in a text is written as an escape.
  const at = text.indexOf(NO_MATCHES);
  yield `${text.slice(0, at)}\n  "matches": [`;
  for (const [i, match] of record.matches.entries()) {
    yield `${i === 0 ? '' : ','}\n${JSON.stringify(match, null, 2)}`.replaceAll('\n', '\n    ');
  }
  yield `\n  ]${text.slice(at + NO_MATCHES.length)}`;
}

const NO_MATCHES = '\n  "matches": []';

function writeBench(record: RecordedBench, files: FileHashes): string {
  const { run, candidates, matches, budgets, goldHits, rescores } = record;
  return jsonText({
    format: 'co-scientist-bench/bench',
    version: 1,
    benchId: run.benchId,
    session: run.session,
    state: run.state,
    simulated: run.plan.isSimulated,
    seed: run.seed,
    createdAt: run.createdAt,
    finishedAt: run.finishedAt,
    summary: run.summary,
    ratings: run.ratings,
    settings: run.plan,
    versions: {
      prompts: run.plan.prompts,
      priceTable: run.plan.priceTable,
      reportedModels: reportedModels(record.calls),
    },
    prices: usedPrices(run.plan),
    gold_hit_detail: goldHits,
    ...(rescores.length > 0 ? { rescores } : {}),
    preset: run.preset,
    goal: run.goal,
    goldSet: run.goldSet,
    input: run.input,
    offeredTools: run.offeredTools,
    failureKind: run.failureKind,
    failureDetail: run.failureDetail,
    holdReason: run.holdReason,
    owner: {
      namespace: run.namespace,
      workflowId: run.workflowId,
      firstRunId: run.firstRunId,
      epoch: run.epoch,
    },
    candidates,
    matches,
    budgets,
    files,
  });
}

/** All of a recorded bench that stands in its own file. */
export function readBench(
  file: BenchFile,
): Omit<RecordedBench, 'hypotheses' | 'scipivot' | 'rubric' | 'calls'> {
  const { benchId, session, state, seed, createdAt, finishedAt, preset, goal, goldSet } = file;
  const { offeredTools, failureKind, failureDetail, holdReason, owner } = file;
  return {
    run: {
      ...owner,
      ...{ benchId, session, state, seed, createdAt, finishedAt, preset, goal, goldSet },
      ...{ offeredTools, failureKind, failureDetail, holdReason },
      // Their shapes are checked as far as figures rest on them; the rest is carried along as it is.
      input: file.input as BenchInput,
      plan: file.settings as unknown as BenchPlan,
      summary: file.summary && withUnknownConduct(file.summary as unknown as BenchSummary),
      ratings: file.ratings as unknown as BenchRatings | null,
    },
    candidates: file.candidates,
    matches: file.matches,
    goldHits: file.gold_hit_detail,
    rescores: file.rescores ?? [],
    budgets: file.budgets,
  };
}
