import { chatProvider } from './chat-wire';
import type { Provider } from './provider';

/**
 * Any server that speaks Chat Completions (llama.cpp, vLLM, LM Studio, a gateway), under `openai-compatible` or a
 * name of its own, `compat-<name>`. Only fields that all of them know are sent, and of an answer only those go back:
 * some refuse a message with a field they do not know. `reasoning_content` comes from servers alone that know it, and
 * DeepSeek's and Moonshot's answer 400 to a call that comes back without.
 *
 * @param apiKey null for a server that asks for none
 */
export function compatibleProvider(name: string, apiKey: string | null, baseUrl: string): Provider {
  return chatProvider({
    name,
    apiKey,
    baseUrl,
    echoed: ['reasoning_content'],
    extraFields: () => ({}),
    costOf: () => null,
  });
}

/** No field turns reasoning off on all of these servers, and no name says which model reasons. */
export function cannotDisableThinking(): boolean {
  return true;
}
