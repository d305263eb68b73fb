import type { BenchPlan, PlannedCandidate } from '../../core/bench-plan';
import { BrokenInvariant } from '../../core/broken-invariant';
import { candidateId, generationKey } from '../../core/ids';
import type { BenchRow } from '../../db/benches';
import type { Database } from '../../db/database';
import type { Slot } from '../../db/hypotheses';
import { readAnswers } from '../../db/ledger-reads';
import { readToolCalls, type StoredToolCall } from '../../db/tool-calls';
import { findPrompt } from '../../presets';
import { renderPrompt } from '../../presets/prompt';
import type { ActivityDeps } from '../activity-deps';
import type { CompletionRequest, ToolSpec, WireAnswer } from '../providers/provider';
import { RECORD_HYPOTHESIS } from '../record-schemas';
import { type ConversationWords, countRepairs, type PastTurn, rebuildConversation } from './conversation';
import { isRun } from './plan-tool-calls';
import { readTurn } from './read-turn';

/** All that a slot's next turn is made from. */
export interface SlotDesk {
  plan: BenchPlan;
  candidate: PlannedCandidate;
  slot: Slot;
  /** Literature tools offered, without the record tool; none in direct mode. */
  tools: ToolSpec[];
  past: PastTurn[];
  toolCalls: StoredToolCall[];
}

/** A slot's earlier turns, as they are stored. */
export interface StoredPast {
  /** In the order of the turns, null for one that was not answered. */
  answers: (WireAnswer | null)[];
  toolCalls: StoredToolCall[];
}

/** @param turn the turn to come: those before it are read */
export async function readPast(
  db: Database,
  { hypothesisId, turn }: { hypothesisId: string; turn: number },
): Promise<StoredPast> {
  const keys = Array.from({ length: turn - 1 }, (_, i) => generationKey(hypothesisId, i + 1));
  const [toolCalls, stored] = await Promise.all([readToolCalls(db, hypothesisId), readAnswers(db, keys)]);
  const answers = keys.map((key) => {
    const found = stored.get(key);
    return found ? { body: JSON.parse(found.response) as unknown, requestId: found.requestId } : null;
  });
  return { answers, toolCalls };
}

/** @throws BrokenInvariant when the slot's candidate is not in the plan */
export function layDesk(
  { providers }: Pick<ActivityDeps, 'providers'>,
  { plan, offeredTools }: Pick<BenchRow, 'plan' | 'offeredTools'>,
  slot: Slot,
  { answers, toolCalls }: StoredPast,
): SlotDesk {
  const candidate = plan.candidates.find(
    ({ label }) => candidateId(slot.benchId, label) === slot.candidateId,
  );
  if (!candidate) throw new BrokenInvariant(`${slot.candidateId}: not in the plan of ${slot.benchId}`);
  const tools = candidate.mode === 'pipeline' ? (offeredTools ?? []) : [];
  const desk: SlotDesk = { plan, candidate, slot, tools, past: [], toolCalls };
  const provider = providers.get(candidate.provider);
  for (const [i, answer] of answers.entries()) {
    if (!answer || !provider) continue; // a turn without an answer said nothing
    const completion = provider.read(answer, buildTurnRequest(desk, i + 1));
    desk.past.push({ answer, completion, toolCalls: toolCalls.filter((call) => call.turn === i + 1) });
  }
  return desk;
}

/** A slot's turns are numbered on through its nudge: 1 to maxTurns, then as many again. */
export function isNudgeTurn({ generation }: BenchPlan, turn: number): boolean {
  return turn > generation.maxTurns;
}

/** No turn comes after it: the record is forced, and what is broken then ends the slot. */
export function isLastTurn({ generation }: BenchPlan, turn: number): boolean {
  return turn % generation.maxTurns === 0;
}

/** The request of a turn: the same rows give the same bytes. */
export function buildTurnRequest(desk: SlotDesk, turn: number): CompletionRequest {
  const { plan, candidate, slot, tools, past } = desk;
  const prompt = renderPrompt(findPrompt(`generation-${candidate.mode}`), { goal: plan.goal });
  const isForced = isNudgeTurn(plan, turn) || isLastTurn(plan, turn) || mustRecord(desk, turn);
  return {
    model: candidate.model,
    system: prompt.system,
    turns: rebuildConversation(past, conversationWords(prompt.user)),
    tools: [...tools, RECORD_HYPOTHESIS],
    toolChoice: isForced ? { kind: 'force', tool: RECORD_HYPOTHESIS.name } : { kind: 'auto' },
    maxOutputTokens: plan.generation.maxOutputTokens,
    thinking: plan.thinking,
    draw: { seed: plan.seed, key: generationKey(slot.id, turn).slice(slot.benchId.length + 1) },
  };
}

/** Nothing else is left to do: no tools, no tool calls, or a record to mend. */
function mustRecord({ plan, tools, past, toolCalls }: SlotDesk, turn: number): boolean {
  if (tools.length === 0) return true;
  const calls = toolCalls.filter((call) => call.turn < turn && isRun(call));
  if (calls.length >= plan.generation.maxToolCalls) return true;
  const last = past.at(-1);
  return last !== undefined && (readTurn(last.completion).kind === 'broken' || countRepairs(past) > 0);
}

function conversationWords(task: string): ConversationWords {
  return {
    task,
    nudge: renderPrompt(findPrompt('nudge'), {}).user,
    talk: renderPrompt(findPrompt('talk'), {}).user,
    repair: (problems) => renderPrompt(findPrompt('repair'), { problems: problems.join('\n') }).user,
  };
}
