import type { Completion } from '../../core/completion';
import type { StoredToolCall } from '../../db/tool-calls';
import type { Turn, WireAnswer } from '../providers/provider';
import { RECORD_HYPOTHESIS } from '../record-schemas';
import { type CallRef, readTurn, type TurnReading } from './read-turn';

/** One model turn that was paid for, with the answers of the tools it called. */
export interface PastTurn {
  answer: WireAnswer;
  completion: Completion;
  toolCalls: StoredToolCall[];
}

/** Words put into the conversation by us; the texts are presets' prompts. */
export interface ConversationWords {
  task: string;
  repair(problems: string[]): string;
  nudge: string;
  talk: string;
}

/**
 * The conversation so far, rebuilt from what is stored. After a good record comes the nudge (the idea is taken),
 * after a broken one the repair, after mere words the reminder to call. An answer that is no call is not echoed
 * where it was broken: some servers choke on their own cut-off calls.
 */
export function rebuildConversation(past: readonly PastTurn[], words: ConversationWords): Turn[] {
  const turns: Turn[] = [{ role: 'user', text: words.task }];
  for (const turn of past) {
    const reading = readTurn(turn.completion);
    if (reading.kind === 'talk') {
      turns.push({ role: 'model', answer: turn.answer });
      addWords(turns, words.talk);
    } else if (reading.calls.length > 0) {
      turns.push({ role: 'model', answer: turn.answer });
      turns.push({ role: 'tools', results: answerCalls(turn, reading, words) });
    } else {
      addWords(turns, words.repair(reading.kind === 'broken' ? reading.problems : []));
    }
  }
  return turns;
}

type ToolResults = Extract<Turn, { role: 'tools' }>['results'];

function answerCalls(
  turn: PastTurn,
  reading: Exclude<TurnReading, { kind: 'talk' }>,
  words: ConversationWords,
): ToolResults {
  if (reading.kind === 'tools') {
    return reading.calls.map((call, index) => {
      const answer = turn.toolCalls.find((row) => row.index === index)?.answer;
      const isError = answer?.outcome === 'failed' || answer?.outcome === 'refused';
      return { callId: call.id, tool: call.tool, text: answer?.text ?? 'No answer.', isError };
    });
  }
  const reply = reading.kind === 'recorded' ? words.nudge : words.repair(reading.problems);
  return reading.calls.map((call: CallRef) => ({
    callId: call.id,
    tool: call.tool,
    text: call.tool === RECORD_HYPOTHESIS.name ? reply : 'Not run: a hypothesis was handed in.',
    isError: true,
  }));
}

function addWords(turns: Turn[], text: string): void {
  const last = turns.at(-1);
  if (last?.role === 'user') last.text += `\n\n${text}`;
  else turns.push({ role: 'user', text });
}

/** Talking is forgiven once; after that it counts as a broken record. */
const FREE_TALKS = 1;

/** Broken records, and words beyond the forgiven ones, since the last good record. */
export function countRepairs(past: readonly Pick<PastTurn, 'completion'>[]): number {
  let broken = 0;
  let talks = 0;
  for (const { completion } of past) {
    const { kind } = readTurn(completion);
    if (kind === 'recorded') {
      broken = 0;
      talks = 0;
    } else if (kind === 'broken') broken += 1;
    else if (kind === 'talk') talks += 1;
  }
  return broken + Math.max(0, talks - FREE_TALKS);
}
