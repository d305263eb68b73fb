import { createHash } from 'node:crypto';
import type { BenchPlan, PlannedCandidate } from '../core/bench-plan';
import type { HypothesisRecord } from '../core/hypothesis';
import { benchScope, candidateScope, generationKey } from '../core/ids';
import { readOwnedBench } from '../db/benches';
import { readCandidate } from '../db/candidates';
import { moveSlot, readSlot, type Slot, saveDraft } from '../db/hypotheses';
import { readAnswers } from '../db/ledger';
import { findPrompt, renderPrompt } from '../presets';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { countRepairs, type PastTurn, readRecord, rebuildConversation } from './generation/conversation';
import { paidCall } from './paid-call';
import type { CompletionRequest } from './providers/provider';
import { RECORD_HYPOTHESIS } from './record-schemas';

export interface ModelTurnInput extends BenchRef {
  hypothesisId: string;
  /** From 1; goes on over repairs and the nudge. */
  turn: number;
  isNudge: boolean;
  /** No turn comes after this one: what is broken now ends the slot. */
  isLastTurn: boolean;
}

export type ModelTurnOutcome =
  | { kind: 'draft' }
  /** The record was broken; the next turn tells the model what was wrong. */
  | { kind: 'again' }
  | { kind: 'failed'; reason: string };

/** Broken records a slot may mend. */
const MAX_REPAIRS = 2;

/** One turn of a slot's model: the conversation is rebuilt from rows, the answer paid for once, the record kept. */
export function createTakeModelTurn(deps: ActivityDeps) {
  return async function takeModelTurn(input: ModelTurnInput): Promise<ModelTurnOutcome> {
    const { plan } = await readOwnedBench(deps.db, input);
    const slot = await readSlot(deps.db, input.hypothesisId);
    if (slot.state === 'failed') return { kind: 'failed', reason: slot.failureKind ?? 'failed' };
    if (slot.state !== 'planned' && !input.isNudge) return { kind: 'draft' };
    const candidate = await findPlannedCandidate(deps, plan, slot);
    const past = await readPastTurns(deps, plan, candidate, slot, input.turn);
    const answer = await paidCall(deps, {
      ...input,
      key: generationKey(slot.id, input.turn),
      kind: 'generation',
      model: candidate,
      scopeIds: [candidateScope(slot.candidateId), benchScope(slot.benchId)],
      request: buildRequest(plan, candidate, slot, past, input.turn),
    });
    if (answer.kind === 'unanswered') return endSlot(deps, slot, input, answer.reason, []);
    const outcome = readRecord(answer.completion);
    if (outcome.kind === 'recorded') return keepDraft(deps, slot, outcome.record, input);
    const repairs = countRepairs([...past, answer]);
    if (repairs <= MAX_REPAIRS && !input.isLastTurn) return { kind: 'again' };
    return endSlot(deps, slot, input, outcome.reason, outcome.problems);
  };
}

async function findPlannedCandidate(
  deps: ActivityDeps,
  plan: BenchPlan,
  slot: Slot,
): Promise<PlannedCandidate> {
  const { position } = await readCandidate(deps.db, slot.candidateId);
  const candidate = plan.candidates[position];
  if (!candidate) throw new Error(`${slot.candidateId}: not in the plan of ${slot.benchId}`);
  return candidate;
}

async function readPastTurns(
  deps: ActivityDeps,
  plan: BenchPlan,
  candidate: PlannedCandidate,
  slot: Slot,
  turn: number,
): Promise<PastTurn[]> {
  const provider = deps.providers.get(candidate.provider);
  const keys = Array.from({ length: turn - 1 }, (_, i) => generationKey(slot.id, i + 1));
  const answers = await readAnswers(deps.db, keys);
  const past: PastTurn[] = [];
  for (const [i, key] of keys.entries()) {
    const stored = answers.get(key);
    if (!stored || !provider) continue; // an unanswered turn said nothing
    const answer = { body: JSON.parse(stored.response) as unknown, requestId: stored.requestId };
    const request = buildRequest(plan, candidate, slot, past, i + 1);
    past.push({ answer, completion: provider.read(answer, request) });
  }
  return past;
}

function buildRequest(
  plan: BenchPlan,
  candidate: PlannedCandidate,
  slot: Slot,
  past: readonly PastTurn[],
  turn: number,
): CompletionRequest {
  const prompt = renderPrompt(findPrompt(`generation-${candidate.mode}`), { goal: plan.goal });
  return {
    model: candidate.model,
    system: prompt.system,
    turns: rebuildConversation(past, {
      task: prompt.user,
      nudge: renderPrompt(findPrompt('nudge'), {}).user,
      repair: (problems) => renderPrompt(findPrompt('repair'), { problems: problems.join('\n') }).user,
    }),
    tools: [RECORD_HYPOTHESIS],
    toolChoice: { kind: 'force', tool: RECORD_HYPOTHESIS.name },
    maxOutputTokens: plan.generation.maxOutputTokens,
    thinking: plan.thinking,
    draw: { seed: plan.seed, key: generationKey(slot.id, turn).slice(slot.benchId.length + 1) },
  };
}

async function keepDraft(
  deps: ActivityDeps,
  slot: Slot,
  record: HypothesisRecord,
  { isNudge }: ModelTurnInput,
): Promise<ModelTurnOutcome> {
  // No tool has returned an address: whatever is cited was not read, and stands apart.
  await saveDraft(deps.db, slot.id, {
    record: { ...record, citations: [] },
    unsupportedCitations: record.citations,
    contentSha256: hashContent(record),
    draftKind: isNudge ? 'nudged' : 'original',
  });
  return { kind: 'draft' };
}

/** Equal texts but for case and white space are one idea. */
function hashContent(record: HypothesisRecord): string {
  const text = [record.title, record.summary, record.fullText, record.mechanism]
    .map((part) => part.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim())
    .join('\n');
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** A nudge that fails leaves the draft as it is: a duplicate. */
async function endSlot(
  deps: ActivityDeps,
  slot: Slot,
  { isNudge }: ModelTurnInput,
  kind: string,
  problems: string[],
): Promise<ModelTurnOutcome> {
  if (!isNudge) {
    await moveSlot(deps.db, slot.id, ['planned'], 'failed', {
      kind,
      detail: problems.slice(0, 5).join('; '),
    });
  }
  return { kind: 'failed', reason: kind };
}
