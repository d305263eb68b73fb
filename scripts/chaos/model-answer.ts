import type { ChatCompletionRequest } from '@copilotkit/aimock';

/** What a model says, apart from the wire it goes over; aimock gives out no type for it. */
export interface ModelAnswer {
  content?: string;
  toolCalls?: { name: string; arguments: string; id: string }[];
  finishReason?: string;
  /** Under the names of all wires. */
  usage: Record<string, number>;
}

export interface ModelCall {
  tool: string;
  arguments: Record<string, unknown>;
}

/** Calls, with ids that follow from their place: the same conversation has the same ones in every run. */
export function callAnswer(request: ChatCompletionRequest, calls: ModelCall[]): ModelAnswer {
  const turn = countModelTurns(request) + 1;
  const toolCalls = calls.map((call, i) => ({
    name: call.tool,
    arguments: JSON.stringify(call.arguments),
    id: `call_${turn}_${i}`,
  }));
  return { toolCalls, usage: usageOf(request, JSON.stringify(toolCalls)) };
}

export function textAnswer(
  request: ChatCompletionRequest,
  content: string,
  finishReason?: 'length' | 'content_filter' | 'refusal',
): ModelAnswer {
  return {
    content,
    usage: usageOf(request, content),
    ...(finishReason === undefined ? {} : { finishReason }),
  };
}

/** The model's own turns that a request carries. */
export function countModelTurns({ messages }: ChatCompletionRequest): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

/** Four characters are a token here; a thousandth of a cent is what OpenRouter reports for one. */
function usageOf(request: ChatCompletionRequest, answer: string): Record<string, number> {
  const input = Math.ceil(JSON.stringify(request.messages).length / 4);
  const output = Math.ceil(answer.length / 4);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    cost: (input + output) / 1e5,
  };
}
