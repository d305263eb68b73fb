import type { Completion, ToolCall } from '../../core/completion';
import type { HypothesisRecord } from '../../core/hypothesis';
import { checkHypothesis, RECORD_HYPOTHESIS } from '../record-schemas';

/** What a model turn was good for. `calls` are all calls of the turn that the conversation must answer. */
export type TurnReading =
  | { kind: 'recorded'; record: HypothesisRecord; calls: CallRef[] }
  /** No usable record: `problems` says what was wrong, in rules and places, never in the model's words. */
  | { kind: 'broken'; reason: string; problems: string[]; calls: CallRef[] }
  | { kind: 'tools'; calls: ToolCall[] }
  /** Words where a call was hoped for. */
  | { kind: 'talk' };

export type CallRef = Pick<ToolCall, 'id' | 'tool'>;

/** What a candidate's answer asks for next. A broken one says what its model is to be told. */
export function readTurn(completion: Completion): TurnReading {
  switch (completion.kind) {
    case 'recorded':
      return readRecord(completion.arguments, [{ id: completion.callId, tool: completion.tool }]);
    case 'tool_calls':
      return readCalls(completion.calls);
    case 'text':
      return { kind: 'talk' };
    case 'invalid':
      return { kind: 'broken', reason: completion.reason, problems: [completion.detail], calls: [] };
  }
}

/** A record among other calls counts; the others are not run: the model has made up its mind. */
function readCalls(calls: ToolCall[]): TurnReading {
  const records = calls.filter((call) => call.tool === RECORD_HYPOTHESIS.name);
  const [record] = records;
  if (!record) return { kind: 'tools', calls };
  if (records.length > 1) {
    const problems = [`${RECORD_HYPOTHESIS.name} was called ${records.length} times; call it once`];
    return { kind: 'broken', reason: 'several_calls', problems, calls };
  }
  return readRecord(record.arguments, calls);
}

function readRecord(value: Record<string, unknown> | null, calls: CallRef[]): TurnReading {
  if (value === null) {
    return {
      kind: 'broken',
      reason: 'malformed_arguments',
      problems: ['arguments: not one JSON object'],
      calls,
    };
  }
  const checked = checkHypothesis(value);
  if ('record' in checked) return { kind: 'recorded', record: checked.record, calls };
  return { kind: 'broken', reason: 'schema', problems: checked.problems, calls };
}
