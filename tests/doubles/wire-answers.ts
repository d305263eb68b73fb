/** The wires that models speak. OpenRouter and compatible servers speak `chat`. */
export type WireName = 'messages' | 'responses' | 'gemini' | 'chat' | 'openrouter';

/** An answer, apart from the wire it goes over. */
export interface PlainAnswer {
  model: string;
  text?: string;
  calls?: PlainCall[];
  ending?: 'complete' | 'truncated' | 'refused';
  input?: number;
  output?: number;
  /** What OpenRouter says the call cost; other wires say nothing. */
  costUsd?: number;
}

export interface PlainCall {
  tool: string;
  /** An object, or a text that is sent as the arguments whatever it is. */
  arguments: Record<string, unknown> | string;
  /** null: none is sent. */
  id?: string | null;
}

/** The body that the provider's documentation has for such an answer. */
export function wireAnswer(wire: WireName, answer: PlainAnswer): Record<string, unknown> {
  switch (wire) {
    case 'messages':
      return messagesAnswer(answer);
    case 'responses':
      return responsesAnswer(answer);
    case 'gemini':
      return geminiAnswer(answer);
    case 'chat':
      return chatAnswer(answer);
    case 'openrouter':
      return openrouterAnswer(answer);
  }
}

function messagesAnswer({ model, text, calls = [], ending, input = 12, output = 34 }: PlainAnswer) {
  const stop = {
    truncated: 'max_tokens',
    refused: 'refusal',
    complete: calls.length ? 'tool_use' : 'end_turn',
  };
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call, i) => ({
        type: 'tool_use',
        ...withId(call, `toolu_${i}`, 'id'),
        name: call.tool,
        input: call.arguments,
      })),
    ],
    stop_reason: stop[ending ?? 'complete'],
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  };
}

function responsesAnswer({ model, text, calls = [], ending, input = 12, output = 34 }: PlainAnswer) {
  const isRefused = ending === 'refused';
  const content = isRefused
    ? [{ type: 'refusal', refusal: text ?? 'No.' }]
    : [{ type: 'output_text', text, annotations: [] }];
  const isIncomplete = ending === 'truncated';
  return {
    id: 'resp_01',
    object: 'response',
    status: isIncomplete ? 'incomplete' : 'completed',
    incomplete_details: isIncomplete ? { reason: 'max_output_tokens' } : null,
    error: null,
    model,
    output: [
      ...(text === undefined && !isRefused
        ? []
        : [{ type: 'message', id: 'msg_01', role: 'assistant', status: 'completed', content }]),
      ...calls.map((call, i) => ({
        type: 'function_call',
        id: `fc_${i}`,
        ...withId(call, `call_${i}x`, 'call_id'),
        name: call.tool,
        arguments: argumentText(call),
        status: 'completed',
      })),
    ],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function geminiAnswer({ model, text, calls = [], ending, input = 12, output = 34 }: PlainAnswer) {
  const finishReason = { truncated: 'MAX_TOKENS', refused: 'SAFETY', complete: 'STOP' }[ending ?? 'complete'];
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map((call) => ({
      functionCall: { ...withId(call, null, 'id'), name: call.tool, args: call.arguments },
    })),
  ];
  return {
    candidates: [{ content: parts.length ? { role: 'model', parts } : {}, finishReason, index: 0 }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: model,
    responseId: 'gem_01',
  };
}

function chatAnswer({ model, text, calls = [], ending, input = 12, output = 34 }: PlainAnswer) {
  const isRefused = ending === 'refused';
  const finish = { truncated: 'length', refused: 'stop', complete: calls.length ? 'tool_calls' : 'stop' };
  return {
    id: 'chatcmpl-01',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finish[ending ?? 'complete'],
        message: {
          role: 'assistant',
          content: isRefused ? null : (text ?? (calls.length ? null : '')),
          ...(isRefused ? { refusal: text ?? 'No.' } : {}),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call, i) => ({
                  ...withId(call, `call_${i}x`, 'id'),
                  type: 'function',
                  function: { name: call.tool, arguments: argumentText(call) },
                })),
              }),
        },
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}

function openrouterAnswer(answer: PlainAnswer) {
  const body = chatAnswer(answer);
  return {
    ...body,
    id: 'gen-01',
    provider: 'Double',
    usage: { ...body.usage, cost: answer.costUsd ?? 0.0125, is_byok: false },
  };
}

function withId(call: PlainCall, otherwise: string | null, field: string): Record<string, string> {
  const id = call.id === undefined ? otherwise : call.id;
  return id === null ? {} : { [field]: id };
}

function argumentText(call: PlainCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}
