import type { BenchPlan, PlannedModel } from '../core/bench-plan';
import { benchScope, judgeScope, type Order, verdictKey } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import { matchOutcome } from '../core/outcome';
import { OUTPUT_CAPS } from '../core/output-caps';
import { readOwnedBench } from '../db/benches';
import { readSlot, type Slot } from '../db/hypotheses';
import { type MatchRow, readMatch, saveVerdict } from '../db/matches';
import { readReviews } from '../db/reviews';
import { findPrompt } from '../presets';
import { renderPrompt } from '../presets/prompt';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { readForcedRecord } from './forced-record';
import { writeHypothesisText, writeReviewText } from './hypothesis-text';
import { paidCall } from './paid-call';
import type { CompletionRequest } from './providers/provider';
import { checkVerdict, RECORD_VERDICT, type ReviewRecord } from './record-schemas';

export interface VerdictInput extends BenchRef {
  matchId: string;
  order: Order;
  /** Position in the plan's judges. */
  judge: number;
}

/** One judge's verdict on one order of a match. A verdict that cannot be had is stored as invalid, with its reason. */
export function createJudgeVerdict(deps: ActivityDeps) {
  return async function judgeVerdict(input: VerdictInput): Promise<'valid' | 'invalid' | 'skipped'> {
    const { plan } = await readOwnedBench(deps.db, input);
    const judge = plan.judges[input.judge];
    if (!judge) throw new Error(`${input.benchId}: no judge ${input.judge}`);
    const match = await readMatch(deps.db, input.matchId);
    if (match.state === 'unplayed') return 'skipped'; // a candidate was dropped since it was handed out
    const key = verdictKey(match.id, input.order, formatModelRef(judge), 1);
    const answer = await paidCall(deps, {
      ...input,
      key,
      kind: 'judge',
      model: judge,
      scopeIds: [judgeScope(match.benchId), benchScope(match.benchId)],
      request: await buildRequest(deps, plan, judge, match, input.order, key),
    });
    const forced = readForcedRecord(answer, checkVerdict);
    await saveVerdict(
      deps.db,
      {
        matchId: match.id,
        order: input.order,
        judge: formatModelRef(judge),
        benchId: match.benchId,
        callKey: key,
        verdict: forced.state === 'valid' ? { state: 'valid', ...forced.record } : forced,
      },
      matchOutcome,
    );
    return forced.state;
  };
}

async function buildRequest(
  deps: ActivityDeps,
  plan: BenchPlan,
  judge: PlannedModel,
  match: MatchRow,
  order: Order,
  key: string,
): Promise<CompletionRequest> {
  const ids = order === 'ab' ? [match.hypA, match.hypB] : [match.hypB, match.hypA];
  const [first, second] = await Promise.all(ids.map((id) => readSlot(deps.db, id)));
  const reviews = await readReviews(deps.db, ids);
  const prompt = renderPrompt(findPrompt('verdict'), {
    goal: plan.goal,
    first_hypothesis: textOf(first),
    first_review: reviewOf(first, reviews),
    second_hypothesis: textOf(second),
    second_review: reviewOf(second, reviews),
  });
  return {
    model: judge.model,
    system: prompt.system,
    turns: [{ role: 'user', text: prompt.user }],
    tools: [RECORD_VERDICT],
    toolChoice: { kind: 'force', tool: RECORD_VERDICT.name },
    maxOutputTokens: OUTPUT_CAPS.verdict,
    thinking: 'off',
    draw: { seed: plan.seed, key: key.slice(match.benchId.length + 1) },
  };
}

function textOf(slot: Slot | undefined): string {
  if (!slot?.record) throw new Error(`${slot?.id}: a match needs a recorded hypothesis`);
  return writeHypothesisText(slot.record);
}

function reviewOf(slot: Slot | undefined, reviews: Map<string, Record<string, unknown>>): string {
  return writeReviewText(slot && (reviews.get(slot.id) as ReviewRecord | undefined));
}
