import type { BenchPlan, PlannedModel } from '../core/bench-plan';
import { BrokenInvariant } from '../core/broken-invariant';
import { type Speech, speakerOf } from '../core/debate';
import type { Order } from '../core/ids';
import { OUTPUT_CAPS } from '../core/output-caps';
import type { JudgedMatch } from '../db/judged-match';
import { findPrompt } from '../presets';
import { type RenderedPrompt, renderPrompt } from '../presets/prompt';
import { writeHypothesisText, writeReviewText } from './hypothesis-text';
import type { CompletionRequest } from './providers/provider';
import { RECORD_ARGUMENT, RECORD_VERDICT, type ReviewRecord } from './record-schemas';

/** One order of a match, before one judge: all that its requests are made from. The same gives the same bytes. */
export interface JudgedOrder {
  plan: BenchPlan;
  judge: PlannedModel;
  judged: JudgedMatch;
  order: Order;
}

/** @param debate what was argued before, in its order; empty without a debate */
export function verdictRequest(
  place: JudgedOrder,
  key: string,
  debate: readonly Speech[],
): CompletionRequest {
  const { system, user } = verdictPrompt(place);
  const record =
    debate.length === 0 ? '' : renderPrompt(findPrompt('debate-record'), { debate: debateText(debate) }).user;
  return {
    ...commonParts(place, key),
    system,
    turns: [{ role: 'user', text: record === '' ? user : `${user}\n\n${record}` }],
    tools: [RECORD_VERDICT],
    toolChoice: { kind: 'force', tool: RECORD_VERDICT.name },
    maxOutputTokens: OUTPUT_CAPS.verdict,
  };
}

/** The next argument of a debate, by the speaker whose turn it is. Speakers see the texts, not the reviews. */
export function argumentRequest(
  place: JudgedOrder,
  key: string,
  debate: readonly Speech[],
): CompletionRequest {
  const { system, user } = renderPrompt(findPrompt('debate-argument'), {
    ...textsOf(place),
    debate: debateText(debate),
    side: speakerOf(debate.length + 1),
  });
  return {
    ...commonParts(place, key),
    system,
    turns: [{ role: 'user', text: user }],
    tools: [RECORD_ARGUMENT],
    toolChoice: { kind: 'force', tool: RECORD_ARGUMENT.name },
    maxOutputTokens: OUTPUT_CAPS.argument,
  };
}

function commonParts({ plan, judge, judged: { match } }: JudgedOrder, key: string) {
  const draw = { seed: plan.seed, key: key.slice(match.benchId.length + 1) };
  return { model: judge.model, thinking: 'off', draw } as const;
}

function verdictPrompt(place: JudgedOrder): RenderedPrompt {
  if (place.plan.judgeView === 'text') return renderPrompt(findPrompt('verdict-text'), textsOf(place));
  const [first, second] = idsInOrder(place);
  return renderPrompt(findPrompt('verdict'), {
    ...textsOf(place),
    first_review: reviewOf(first, place.judged.sides),
    second_review: reviewOf(second, place.judged.sides),
  });
}

/** Both hypotheses as a judge of this order is shown them, and the goal, by the placeholders of its prompts. */
export function textsOf(place: Pick<JudgedOrder, 'plan' | 'judged' | 'order'>) {
  const [first, second] = idsInOrder(place);
  return {
    goal: place.plan.goal,
    first_hypothesis: textOf(first, place),
    second_hypothesis: textOf(second, place),
  };
}

function idsInOrder({
  judged: { match },
  order,
}: Pick<JudgedOrder, 'judged' | 'order'>): [first: string, second: string] {
  return order === 'ab' ? [match.hypA, match.hypB] : [match.hypB, match.hypA];
}

function textOf(id: string, { plan, judged }: Pick<JudgedOrder, 'plan' | 'judged'>): string {
  const record = judged.sides.get(id)?.record;
  if (!record) throw new BrokenInvariant(`${id}: a match needs a recorded hypothesis`);
  return writeHypothesisText(record, plan.judgeView);
}

function reviewOf(id: string, sides: JudgedMatch['sides']): string {
  return writeReviewText((sides.get(id)?.review ?? undefined) as ReviewRecord | undefined);
}

function debateText(debate: readonly Speech[]): string {
  if (debate.length === 0) return 'Nobody has spoken yet.';
  return debate.map(({ speaker, argument }) => `For the ${speaker} hypothesis: ${argument}`).join('\n\n');
}
