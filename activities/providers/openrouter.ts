import { chatProvider, usageCost } from './chat-wire';
import { at, usdAt } from './json-path';
import type { KeyedProvider } from './keyed-provider';
import type { Provider } from './provider';

export const openrouter: KeyedProvider = {
  prefix: 'OPENROUTER',
  defaultBaseUrl: 'https://openrouter.ai/api/v1',
  open: openrouterProvider,
  cannotDisableThinking,
};

/** Models of many makers behind one address, on the Chat wire. */
export function openrouterProvider(apiKey: string, baseUrl: string): Provider {
  return chatProvider({
    name: 'openrouter',
    apiKey,
    baseUrl,
    echoed: ['reasoning', 'reasoning_details'],
    extraFields: (model) => ({
      // One backend for the whole bench, and only one that honours every field sent. Without a `sort` calls are spread
      // over all of a model's backends, and one backend's reasoning is not always accepted by another.
      provider: { require_parameters: true, allow_fallbacks: false, sort: 'price' },
      usage: { include: true },
      ...reasoningField(model),
    }),
    costOf,
  });
}

/**
 * What asks a model for the least reasoning: `off` where it can be switched off; an effort where it cannot
 * (`{enabled: false}` then answers 400, "Reasoning is mandatory for this endpoint"); `none` where it does not reason
 * (then the field itself answers 404 under `require_parameters`: no endpoint knows it).
 *
 * By exact name, without a variant (`:free`). From OpenRouter's guide on reasoning tokens and its model list
 * (`reasoning.mandatory`, `supported_efforts`, `supported_parameters`), read in November 2026. A model that is not
 * here is sent no `reasoning` at all, which every model takes; `openai/o1` is left out because its endpoints did not
 * list the field.
 */
const LEAST_REASONING: Record<string, 'off' | 'none' | 'minimal' | 'low'> = {
  'anthropic/claude-haiku-4.5': 'off',
  'anthropic/claude-sonnet-4.5': 'off',
  'anthropic/claude-sonnet-4.6': 'off',
  'anthropic/claude-opus-4.5': 'off',
  'anthropic/claude-opus-4.6': 'off',
  'anthropic/claude-opus-4.7': 'off',
  'anthropic/claude-opus-5.5': 'low',
  'anthropic/claude-fable-5': 'low',
  'anthropic/claude-fable-5.1': 'low',
  'deepseek/deepseek-r1': 'low',
  'google/gemini-2.0-flash-001': 'none',
  'google/gemini-2.5-flash': 'off',
  'google/gemini-2.5-pro': 'low',
  'google/gemini-3-flash-preview': 'low',
  'google/gemini-3.1-pro-preview': 'low',
  'google/gemini-3.7-flash': 'low',
  'openai/gpt-4.1': 'none',
  'openai/gpt-4o': 'none',
  'openai/gpt-4o-mini': 'none',
  'openai/gpt-5': 'minimal',
  'openai/gpt-5-mini': 'minimal',
  'openai/gpt-5.1': 'off',
  'openai/o3': 'low',
  'openai/o4-mini': 'low',
};

function leastReasoning(model: string) {
  const name = model.replace(/:[a-z-]+$/, '');
  return Object.hasOwn(LEAST_REASONING, name) ? LEAST_REASONING[name]! : null;
}

/** Whether a model reasons even when told not to; unknown models count as such, since it cannot be ruled out. */
export function cannotDisableThinking(model: string): boolean {
  const least = leastReasoning(model);
  return least !== 'off' && least !== 'none';
}

function reasoningField(model: string): { reasoning?: Record<string, unknown> } {
  const least = leastReasoning(model);
  if (least === null || least === 'none') return {};
  return { reasoning: least === 'off' ? { enabled: false } : { effort: least } };
}

/**
 * `usage.cost` is the whole price in USD; with the user's own upstream key it is OpenRouter's fee alone, and what
 * the upstream charges stands beside it. Without that part the sum is unknown.
 */
function costOf(body: unknown): number | null {
  const cost = usageCost(body);
  if (cost === null || at(body, 'usage', 'is_byok') !== true) return cost;
  const upstream = usdAt(body, 'usage', 'cost_details', 'upstream_inference_cost');
  return upstream === null ? null : cost + upstream;
}
