import { createHash } from 'node:crypto';
import { writeHypothesisText, writeReviewText } from '../../activities/hypothesis-text';
import { planInput } from '../../activities/plan-input';
import {
  checkHypothesis,
  checkReview,
  checkVerdict,
  RECORD_HYPOTHESIS,
  RECORD_REVIEW,
  RECORD_VERDICT,
  type ReviewRecord,
  type VerdictRecord,
} from '../../activities/record-schemas';
import type { BenchInput } from '../../core/bench-input';
import type { BenchPlan, PlannedModel } from '../../core/bench-plan';
import type { HypothesisRecord } from '../../core/hypothesis';
import {
  benchScope,
  candidateId,
  candidateScope,
  generationKey,
  hypothesisId,
  judgeScope,
  matchId,
  ORDERS,
  type Order,
  reviewKey,
  verdictKey,
} from '../../core/ids';
import { formatModelRef } from '../../core/model-ref';
import { matchOutcome, type Verdict } from '../../core/outcome';
import { sumUsd } from '../../core/prices';
import type {
  RecordedAttempt,
  RecordedBench,
  RecordedHypothesis,
  RecordedMatch,
  RecordedVerdict,
} from '../../core/report/recorded-bench';
import { buildSchedule } from '../../core/schedule';
import { publicId } from '../../db/public-id';
import { findPrompt } from '../../presets';
import { renderPrompt } from '../../presets/prompt';
import { finishRecord } from './finish-record';
import { MadeUpCalls } from './made-up-calls';

export interface MadeUpBench {
  record: RecordedBench;
  /** Every attempt, by key. */
  attempts: RecordedAttempt[];
}

export interface MadeUpOptions {
  benchId: string;
  input: BenchInput;
  /** Changes what a slot hands in: hostile texts, say. */
  reword?: (record: HypothesisRecord) => HypothesisRecord;
  /** Changes what a judge says. */
  reason?: (rationale: string) => string;
}

/**
 * A finished bench of simulated models without any server: real plan, schedule, prompts and answers. Direct mode only:
 * a pipeline is played as a raw call. The same options give the same bench.
 * @throws Error when the input cannot be planned
 */
export async function makeUpBench(options: MadeUpOptions): Promise<MadeUpBench> {
  const planned = planInput(options.input);
  if ('problems' in planned) throw new Error(planned.problems.join('; '));
  const { plan } = planned;
  const author = new Author(options, plan);
  const candidates = plan.candidates.map(({ label }) => candidateId(options.benchId, label));
  const hypotheses: RecordedHypothesis[] = [];
  for (const [i, model] of plan.candidates.entries()) {
    for (let k = 1; k <= plan.n; k++) hypotheses.push(await author.writeHypothesis(model, candidates[i]!, k));
  }
  const slots = new Map(hypotheses.map((slot) => [slot.id, slot]));
  const matches: RecordedMatch[] = [];
  for (const { index, candA, candB, slotA, slotB } of buildSchedule({
    candidates: candidates.length,
    slots: plan.n,
    matches: plan.matches,
    seed: plan.seed,
  })) {
    const a = slots.get(hypothesisId(candidates[candA]!, slotA))!;
    const b = slots.get(hypothesisId(candidates[candB]!, slotB))!;
    matches.push(await author.judge(index, a, b));
  }
  return finishRecord({ ...options, plan, hypotheses, matches, calls: author.calls });
}

/** Everybody who writes in a bench: candidates, reviewer and judge. */
class Author {
  readonly calls: MadeUpCalls;
  private readonly judgeScopes: string[];

  constructor(
    private readonly options: MadeUpOptions,
    private readonly plan: BenchPlan,
  ) {
    this.calls = new MadeUpCalls(options.benchId, plan.seed);
    this.judgeScopes = [judgeScope(options.benchId), benchScope(options.benchId)];
  }

  async writeHypothesis(model: PlannedModel, candidate: string, k: number): Promise<RecordedHypothesis> {
    const id = hypothesisId(candidate, k);
    const { reword } = this.options;
    const { citations, ...rest } = await this.calls.make({
      kind: 'generation',
      key: generationKey(id, 1),
      model,
      scopeIds: [candidateScope(candidate), benchScope(this.options.benchId)],
      prompt: renderPrompt(findPrompt('generation-direct'), { goal: this.plan.goal }),
      tool: RECORD_HYPOTHESIS,
      check: checkHypothesis,
      ...(reword && { change: (given: HypothesisRecord) => asArguments(reword(given)) }),
    });
    const record = { ...rest, citations: [] };
    return {
      ...{ id, candidateId: candidate, k, publicId: publicId('hyp', id) },
      state: this.plan.matches > 0 ? 'in_tournament' : 'reviewed',
      ...{ failureKind: null, failureDetail: null, draftKind: 'original', duplicateOf: null },
      record,
      unsupportedCitations: citations,
      contentSha256: createHash('sha256').update(JSON.stringify(record)).digest('hex'),
      elo: null,
      review: await this.review(id, record),
      toolCalls: [],
    };
  }

  private async review(id: string, record: HypothesisRecord): Promise<RecordedHypothesis['review']> {
    const { reviewer, goal } = this.plan;
    if (reviewer === null) return null;
    const review = await this.calls.make({
      kind: 'review',
      key: reviewKey(id),
      model: reviewer,
      scopeIds: this.judgeScopes,
      prompt: renderPrompt(findPrompt('review'), { goal, hypothesis: writeHypothesisText(record) }),
      tool: RECORD_REVIEW,
      check: checkReview,
    });
    return {
      ...{ reviewer: formatModelRef(reviewer), state: 'valid', reason: null, detail: null },
      review,
      callKey: reviewKey(id),
    };
  }

  async judge(index: number, a: RecordedHypothesis, b: RecordedHypothesis): Promise<RecordedMatch> {
    const id = matchId(this.options.benchId, index);
    const [ab, ba] = [await this.verdict(id, 'ab', a, b), await this.verdict(id, 'ba', b, a)];
    const outcome = matchOutcome({ ab: heardOf(ab), ba: heardOf(ba) });
    if (outcome.state !== 'played') throw new Error(`${id}: unplayed`);
    return {
      ...{ id, index, candA: a.candidateId, candB: b.candidateId, hypA: a.id, hypB: b.id },
      ...outcome,
      reason: null,
      rationale: `${ab.rationale}\n\n${ba.rationale}`,
      judgeCostUsd: sumUsd(this.calls.attempts.slice(-ORDERS.length).map(({ costUsd }) => costUsd ?? 0)),
      ...{ oneOrder: null, repeats: 0 },
      verdicts: [ab, ba],
    };
  }

  private async verdict(
    match: string,
    order: Order,
    first: RecordedHypothesis,
    second: RecordedHypothesis,
  ): Promise<RecordedVerdict> {
    const model = this.plan.judges[0]!;
    const judge = formatModelRef(model);
    const callKey = verdictKey(match, order, judge, 1);
    const { reason } = this.options;
    const { winner, rationale, scores } = await this.calls.make({
      kind: 'judge',
      key: callKey,
      model,
      scopeIds: this.judgeScopes,
      prompt: renderPrompt(findPrompt('verdict'), {
        goal: this.plan.goal,
        first_hypothesis: textOf(first),
        first_review: reviewOf(first),
        second_hypothesis: textOf(second),
        second_review: reviewOf(second),
      }),
      tool: RECORD_VERDICT,
      check: checkVerdict,
      ...(reason && {
        change: (given: VerdictRecord) => ({ ...given, rationale: reason(given.rationale) }),
      }),
    });
    return {
      ...{ order, judge, repeat: 0, state: 'valid', winnerPosition: winner, reason: null, detail: null },
      ...{ rationale, scores, callKey },
    };
  }
}

function asArguments({ fullText, ...rest }: HypothesisRecord): Record<string, unknown> {
  return { ...rest, full_text: fullText };
}

function heardOf({ winnerPosition }: RecordedVerdict): Verdict {
  return { state: 'valid', winner: winnerPosition ?? 'tie' };
}

function textOf({ id, record }: RecordedHypothesis): string {
  if (record === null) throw new Error(`${id}: no hypothesis`);
  return writeHypothesisText(record);
}

function reviewOf({ review }: RecordedHypothesis): string {
  return writeReviewText(review?.review as ReviewRecord | undefined);
}
