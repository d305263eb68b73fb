import type { Completion } from '../../core/completion';
import type { HypothesisRecord } from '../../core/hypothesis';
import type { Turn, WireAnswer } from '../providers/provider';
import { checkHypothesis } from '../record-schemas';

/** One model turn that was paid for: the answer as it came, and what the provider's file reads in it. */
export interface PastTurn {
  answer: WireAnswer;
  completion: Completion;
}

/** What a turn was good for. */
export type TurnRecord =
  | { kind: 'recorded'; record: HypothesisRecord }
  /** No usable record: `problems` says what was wrong, in rules and places, never in the model's words. */
  | { kind: 'broken'; reason: string; problems: string[] };

/** Words put into the conversation by us; the texts are presets' prompts. */
export interface ConversationWords {
  task: string;
  repair(problems: string[]): string;
  nudge: string;
}

/**
 * The conversation so far, rebuilt from what is stored. After a good record comes the nudge (the idea is taken);
 * after a broken one the repair. An answer that is no call to the record tool is not echoed: some servers choke on
 * their own cut-off calls.
 */
export function rebuildConversation(past: readonly PastTurn[], words: ConversationWords): Turn[] {
  const turns: Turn[] = [{ role: 'user', text: words.task }];
  for (const turn of past) {
    const outcome = readRecord(turn.completion);
    const reply = outcome.kind === 'recorded' ? words.nudge : words.repair(outcome.problems);
    if (turn.completion.kind === 'recorded') {
      const { callId, tool } = turn.completion;
      turns.push({ role: 'model', answer: turn.answer });
      turns.push({ role: 'tools', results: [{ callId, tool, text: reply, isError: true }] });
    } else {
      addWords(turns, reply);
    }
  }
  return turns;
}

export function readRecord(completion: Completion): TurnRecord {
  switch (completion.kind) {
    case 'recorded': {
      const checked = checkHypothesis(completion.arguments);
      if ('record' in checked) return { kind: 'recorded', record: checked.record };
      return { kind: 'broken', reason: 'schema', problems: checked.problems };
    }
    case 'invalid':
      return { kind: 'broken', reason: completion.reason, problems: [completion.detail] };
    case 'text':
    case 'tool_calls':
      return { kind: 'broken', reason: 'no_call', problems: ['record_hypothesis was not called'] };
  }
}

/** Broken records since the last good one. */
export function countRepairs(past: readonly PastTurn[]): number {
  let repairs = 0;
  for (const turn of past) repairs = readRecord(turn.completion).kind === 'broken' ? repairs + 1 : 0;
  return repairs;
}

function addWords(turns: Turn[], text: string): void {
  const last = turns.at(-1);
  if (last?.role === 'user') last.text += `\n\n${text}`;
  else turns.push({ role: 'user', text });
}
