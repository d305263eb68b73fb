import type { BenchPlan, PlannedModel } from '../core/bench-plan';
import { benchScope, judgeScope, reviewKey } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import { OUTPUT_CAPS } from '../core/output-caps';
import { readOwnedBench } from '../db/benches';
import { moveSlot, readSlot, type Slot } from '../db/hypotheses';
import { type ReviewRow, saveReview } from '../db/reviews';
import { writeAsOwner } from '../db/write-as-owner';
import { findPrompt } from '../presets';
import { renderPrompt } from '../presets/prompt';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { readForcedRecord } from './forced-record';
import { writeHypothesisText } from './hypothesis-text';
import { paidCall } from './paid-call';
import type { CompletionRequest } from './providers/provider';
import { checkReview, RECORD_REVIEW } from './record-schemas';

export interface ReviewInput extends BenchRef {
  hypothesisId: string;
}

/**
 * The fixed reviewer's one look at a draft, the same prompt for all. A review that cannot be had is kept as invalid
 * and the hypothesis goes on without one: it is not the candidate's fault.
 */
export function createReviewHypothesis(deps: ActivityDeps) {
  return async function reviewHypothesis(input: ReviewInput): Promise<'valid' | 'invalid' | 'skipped'> {
    const { plan } = await readOwnedBench(deps.db, input);
    const slot = await readSlot(deps.db, input.hypothesisId);
    if (slot.state !== 'draft' || !slot.record) return 'skipped';
    if (!plan.reviewer) {
      await writeAsOwner(deps.db, input, (tx) => moveSlot(tx, slot.id, 'draft', 'reviewed'));
      return 'skipped';
    }
    const key = reviewKey(slot.id);
    const answer = await paidCall(deps, {
      ...input,
      key,
      kind: 'review',
      model: plan.reviewer,
      scopeIds: [judgeScope(slot.benchId), benchScope(slot.benchId)],
      request: buildRequest(plan, plan.reviewer, slot),
    });
    const forced = readForcedRecord(answer, checkReview);
    const review: ReviewRow = {
      hypothesisId: slot.id,
      benchId: slot.benchId,
      reviewer: formatModelRef(plan.reviewer),
      callKey: key,
      outcome: forced.state === 'valid' ? { state: 'valid', review: forced.record } : forced,
    };
    await writeAsOwner(deps.db, input, async (tx) => {
      await saveReview(tx, review);
      await moveSlot(tx, slot.id, 'draft', 'reviewed');
    });
    return forced.state;
  };
}

function buildRequest(plan: BenchPlan, reviewer: PlannedModel, slot: Slot): CompletionRequest {
  const prompt = renderPrompt(findPrompt('review'), {
    goal: plan.goal,
    hypothesis: slot.record ? writeHypothesisText(slot.record) : '',
  });
  return {
    model: reviewer.model,
    system: prompt.system,
    turns: [{ role: 'user', text: prompt.user }],
    tools: [RECORD_REVIEW],
    toolChoice: { kind: 'force', tool: RECORD_REVIEW.name },
    maxOutputTokens: OUTPUT_CAPS.review,
    thinking: 'off',
    draw: { seed: plan.seed, key: reviewKey(slot.id).slice(slot.benchId.length + 1) },
  };
}
