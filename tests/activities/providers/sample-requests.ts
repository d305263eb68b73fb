import type { CompletionRequest, SendOptions } from '../../../activities/providers/provider';

export const FORCED_TOOL = {
  name: 'record_verdict',
  description: 'Hand in your verdict.',
  inputSchema: {
    type: 'object',
    properties: {
      winner: { type: 'string', enum: ['first', 'second', 'tie'] },
      rationale: { type: 'string' },
    },
    required: ['winner', 'rationale'],
    additionalProperties: false,
  },
};
export const OTHER_TOOL = {
  name: 'search_web',
  description: 'Search.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

export function forcedRequest(model: string, changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    model,
    system: 'SYSTEM-WORDS',
    turns: [{ role: 'user', text: 'PROMPT-WORDS with “marks”, a \u0000 and a lone \ud800.' }],
    tools: [FORCED_TOOL, OTHER_TOOL],
    toolChoice: { kind: 'force', tool: FORCED_TOOL.name },
    maxOutputTokens: 512,
    thinking: 'off',
    draw: { seed: 1, key: 'key' },
    ...changes,
  };
}

export function sendOptions(model: string, changes: Partial<SendOptions> = {}): SendOptions {
  return {
    model,
    callId: 'bnc_X/haiku[pipe]/1/turn/1#1',
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    ...changes,
  };
}

export const ARGUMENTS = { winner: 'first', rationale: 'because' };
