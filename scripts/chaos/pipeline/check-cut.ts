import { TOOL_CALLS, TURNS } from './conversation';
import type { CutResult } from './cut-bench';
import { extraCalls } from './cuts';

const MAX_EVENTS = 500;
const MAX_BYTES = 200_000;

/** What a run with a cut did otherwise than one without; empty: nothing. */
export function checkCut(result: CutResult, undisturbed: CutResult): string[] {
  const { cut, paidCalls, inDoubt, toolCalls, history, hypothesis } = result;
  const { least, most } = cut ? extraCalls(cut) : { least: 0, most: 0 };
  const extra = paidCalls - undisturbed.paidCalls;
  return [
    ...(hypothesis === undisturbed.hypothesis ? [] : ['another hypothesis']),
    ...(undisturbed.paidCalls === TURNS ? [] : [`undisturbed paid ${undisturbed.paidCalls} calls`]),
    ...(extra >= least && extra <= most ? [] : [`paid ${extra} calls more, not ${least} to ${most}`]),
    ...(inDoubt === extra ? [] : [`${inDoubt} in doubt of ${extra} paid twice`]),
    ...(toolCalls === TOOL_CALLS ? [] : [`${toolCalls} tool calls, not ${TOOL_CALLS}`]),
    ...(history.events < MAX_EVENTS ? [] : [`${history.events} events of history`]),
    ...(history.bytes < MAX_BYTES ? [] : [`${history.bytes} bytes of history`]),
  ];
}
