import { askedVerdicts } from '../core/asked-verdicts';
import type { BenchPlan, PlannedModel } from '../core/bench-plan';
import { BrokenInvariant } from '../core/broken-invariant';
import { benchScope, judgeScope, type Order, verdictKey } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import { outcomeOf } from '../core/outcome';
import { OUTPUT_CAPS } from '../core/output-caps';
import { BenchTakenOver } from '../db/benches';
import { type JudgedMatch, readJudgedMatch } from '../db/judged-match';
import { saveVerdict } from '../db/matches';
import { findPrompt } from '../presets';
import { renderPrompt } from '../presets/prompt';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { readForcedRecord } from './forced-record';
import { FrozenPlans } from './frozen-plans';
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
  const plans = new FrozenPlans(deps.db);
  return async function judgeVerdict(input: VerdictInput): Promise<'valid' | 'invalid' | 'skipped'> {
    const [plan, judged] = await Promise.all([plans.read(input), readJudgedMatch(deps.db, input.matchId)]);
    const { match, epoch } = judged;
    if (epoch !== input.epoch) throw new BenchTakenOver(input.benchId, input.epoch, epoch);
    const judge = plan.judges[input.judge];
    if (!judge) throw new BrokenInvariant(`${input.benchId}: no judge ${input.judge}`);
    if (match.state === 'unplayed') return 'skipped'; // a candidate was dropped since it was handed out
    const key = verdictKey(match.id, input.order, formatModelRef(judge), 1);
    const answer = await paidCall(deps, {
      ...input,
      key,
      kind: 'judge',
      model: judge,
      scopeIds: [judgeScope(match.benchId), benchScope(match.benchId)],
      request: buildRequest(plan, judge, judged, input.order, key),
    });
    const forced = readForcedRecord(answer, checkVerdict);
    const decided = await saveVerdict(
      deps.db,
      {
        matchId: match.id,
        order: input.order,
        judge: formatModelRef(judge),
        repeat: 0,
        benchId: match.benchId,
        epoch: input.epoch,
        callKey: key,
        verdict: forced.state === 'valid' ? { state: 'valid', ...forced.record } : forced,
      },
      {
        judges: plan.judges.map(formatModelRef),
        asked: askedVerdicts(plan.judges.length, match.oneOrder),
      },
      outcomeOf,
    );
    deps.observer?.verdictGiven({
      ...{ benchId: match.benchId, matchId: match.id, state: forced.state, match: decided },
      reason: forced.state === 'invalid' ? forced.reason : null,
    });
    return forced.state;
  };
}

function buildRequest(
  plan: BenchPlan,
  judge: PlannedModel,
  { match, sides }: JudgedMatch,
  order: Order,
  key: string,
): CompletionRequest {
  const [first = '', second = ''] = order === 'ab' ? [match.hypA, match.hypB] : [match.hypB, match.hypA];
  const prompt = renderPrompt(findPrompt('verdict'), {
    goal: plan.goal,
    first_hypothesis: textOf(first, sides),
    first_review: reviewOf(first, sides),
    second_hypothesis: textOf(second, sides),
    second_review: reviewOf(second, sides),
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

function textOf(id: string, sides: JudgedMatch['sides']): string {
  const record = sides.get(id)?.record;
  if (!record) throw new BrokenInvariant(`${id}: a match needs a recorded hypothesis`);
  return writeHypothesisText(record);
}

function reviewOf(id: string, sides: JudgedMatch['sides']): string {
  return writeReviewText((sides.get(id)?.review ?? undefined) as ReviewRecord | undefined);
}
