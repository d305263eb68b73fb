import type { CallFailure, Completion } from '../../core/completion';

/**
 * One way to talk to models. `build` and `read` are pure: the body that `build` makes is stored in the ledger
 * before it is sent, and a stored answer is read again by `read` after any crash. Only `send` touches the
 * network. Everything provider-specific stays in the provider's own file.
 */
export interface Provider {
  /** `anthropic`, `openai`, `google`, `openrouter`, `openai-compatible`, `compat-<name>`, `sim` */
  name: string;
  /** The request body exactly as it goes over the wire; the same request gives the same bytes. */
  build(request: CompletionRequest): WireBody;
  /**
   * Sends it once: no retries. The call id travels in the header `x-co-scientist-call` .
   * @throws ProviderFailure when there is no answer to read; the signal's reason when aborted
   */
  send(body: WireBody, options: SendOptions): Promise<WireAnswer>;
  /** What a stored or fresh answer came to. Never throws: what it cannot read is `invalid('unreadable')`. */
  read(answer: WireAnswer, request: CompletionRequest): Completion;
}

/** A JSON object: the body of a request. The API key is never in it. */
export type WireBody = Record<string, unknown>;

export interface SendOptions {
  /** The model as named in the candidate; some providers put it in the URL rather than in the body. */
  model: string;
  callId: string;
  signal: AbortSignal;
  timeoutMs: number;
}

export interface WireAnswer {
  /** The provider's JSON, unchanged. */
  body: unknown;
  /** The provider's id of this request, from its header or body; null where it gives none. */
  requestId: string | null;
}

export interface CompletionRequest {
  model: string;
  system: string;
  /** The conversation so far; begins with a user turn. */
  turns: Turn[];
  tools: ToolSpec[];
  toolChoice: { kind: 'force'; tool: string } | { kind: 'auto' };
  maxOutputTokens: number;
  /** `off`, or a budget in tokens (Anthropic only; others ignore it). */
  thinking: 'off' | number;
  /** Read by `sim` alone: what its randomness is drawn from. */
  draw: { seed: number; key: string };
}

export type Turn =
  | { role: 'user'; text: string }
  /** A model turn as it came: the provider's own answer, echoed unchanged (thought signatures, item ids). */
  | { role: 'model'; answer: WireAnswer }
  /** Results for all calls of the model turn before, in its order; `callId` as `read` gave it. */
  | { role: 'tools'; results: { callId: string; tool: string; text: string; isError: boolean }[] };

/** `inputSchema` is JSON Schema of an object: string enums only, no `$ref`. */
export interface ToolSpec {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

/** There is no answer. Carries no prompt, no answer text, no header. */
export class ProviderFailure extends Error {
  constructor(
    readonly kind: CallFailure,
    readonly details: {
      provider: string;
      httpStatus?: number;
      /** Asked for by the provider, in milliseconds, uncapped. */
      retryAfterMs?: number;
      requestId?: string;
      /** The provider's own error code or type, never its message. */
      code?: string;
      /** Set when the failed call reports that it was billed. */
      reportedCostUsd?: number;
    },
  ) {
    super(`${details.provider}: ${kind}${details.httpStatus ? ` (HTTP ${details.httpStatus})` : ''}`);
    this.name = 'ProviderFailure';
  }
}
