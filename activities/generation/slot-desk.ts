import type { BenchPlan, PlannedCandidate } from '../../core/bench-plan';
import { BrokenInvariant } from '../../core/broken-invariant';
import { generationKey } from '../../core/ids';
import type { BenchRow } from '../../db/benches';
import { readCandidate } from '../../db/candidates';
import type { Slot } from '../../db/hypotheses';
import { readAnswers } from '../../db/ledger-reads';
import { readToolCalls, type StoredToolCall } from '../../db/tool-calls';
import { findPrompt } from '../../presets';
import { renderPrompt } from '../../presets/prompt';
import type { ActivityDeps } from '../activity-deps';
import type { CompletionRequest, ToolSpec } from '../providers/provider';
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

/** @param turn the turn to come: those before it are read */
export async function readDesk(
  deps: ActivityDeps,
  { plan, offeredTools }: Pick<BenchRow, 'plan' | 'offeredTools'>,
  slot: Slot,
  turn: number,
): Promise<SlotDesk> {
  const { position } = await readCandidate(deps.db, slot.candidateId);
  const candidate = plan.candidates[position];
  if (!candidate) throw new BrokenInvariant(`${slot.candidateId}: not in the plan of ${slot.benchId}`);
  const tools = candidate.mode === 'pipeline' ? (offeredTools ?? []) : [];
  const toolCalls = await readToolCalls(deps.db, slot.id);
  const desk: SlotDesk = { plan, candidate, slot, tools, past: [], toolCalls };
  const keys = Array.from({ length: turn - 1 }, (_, i) => generationKey(slot.id, i + 1));
  const answers = await readAnswers(deps.db, keys);
  const provider = deps.providers.get(candidate.provider);
  for (const [i, key] of keys.entries()) {
    const stored = answers.get(key);
    if (!stored || !provider) continue; // a turn without an answer said nothing
    const answer = { body: JSON.parse(stored.response) as unknown, requestId: stored.requestId };
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
