import { COMPAT_PROVIDER_PATTERN } from '../../core/planned-models';
import { findSimModels } from '../../presets';
import { readSecret } from '../read-secret';
import { anthropic } from './anthropic';
import { google } from './google';
import type { KeyedProvider } from './keyed-provider';
import { openai } from './openai';
import { compatibleProvider, cannotDisableThinking as compatibleThinks } from './openai-compatible';
import { openrouter } from './openrouter';
import type { Provider } from './provider';
import { simProvider } from './sim';

/** The registry: a new provider is a file of its own and a name here. */
const KEYED: Record<string, KeyedProvider> = { anthropic, google, openai, openrouter };

const COMPATIBLE = 'openai-compatible';
const COMPATIBLE_PREFIX = 'OPENAI_COMPATIBLE';

/** Every provider that has one name; `compat-<name>` are known by their pattern. */
export const KNOWN_PROVIDERS: readonly string[] = [...Object.keys(KEYED), COMPATIBLE, 'sim'];

export function isKnownProvider(name: string): boolean {
  return KNOWN_PROVIDERS.includes(name) || COMPAT_PROVIDER_PATTERN.test(name);
}

/**
 * The providers that this process has keys for, by name: `sim` always, a compatible one where its base URL is set,
 * any other where its key is. Each reads its own two variables and never another's.
 *
 * @throws Error naming every base URL that is not an http(s) address and every key that no header can hold; values
 *   are not repeated, they are or may hold secrets
 */
export function openProviders(env: NodeJS.ProcessEnv): Map<string, Provider> {
  const problems: string[] = [];
  const providers = new Map<string, Provider>();
  for (const [name, { prefix, defaultBaseUrl, open }] of Object.entries(KEYED)) {
    const apiKey = readSecret(env, `${prefix}_API_KEY`, problems);
    const baseUrl = baseUrlOf(env, prefix, problems) ?? defaultBaseUrl;
    if (apiKey !== null) providers.set(name, open(apiKey, baseUrl));
  }
  for (const prefix of compatiblePrefixes(env)) {
    const name = compatibleName(prefix);
    const baseUrl = baseUrlOf(env, prefix, problems);
    const apiKey = readSecret(env, `${prefix}_API_KEY`, problems);
    if (baseUrl !== null) providers.set(name, compatibleProvider(name, apiKey, baseUrl));
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
  return providers.set('sim', simProvider(findSimModels()));
}

/** The variables to set for a provider to open; empty for `sim` and for unknown names. */
export function missingKeyHint(provider: string): string {
  if (Object.hasOwn(KEYED, provider)) return `${KEYED[provider]!.prefix}_API_KEY`;
  if (provider !== COMPATIBLE && !COMPAT_PROVIDER_PATTERN.test(provider)) return '';
  const prefix = compatiblePrefix(provider);
  return `${prefix}_BASE_URL (and ${prefix}_API_KEY where the server asks for one)`;
}

/**
 * Whether `thinking: off` leaves a model thinking all the same: shown beside its results. Models that we know nothing
 * of count as such, since it cannot be ruled out.
 */
export function cannotDisableThinking(provider: string, model: string): boolean {
  if (provider === 'sim') return false;
  if (Object.hasOwn(KEYED, provider)) return KEYED[provider]!.cannotDisableThinking(model);
  return compatibleThinks();
}

function baseUrlOf(env: NodeJS.ProcessEnv, prefix: string, problems: string[]): string | null {
  const value = env[`${prefix}_BASE_URL`]?.trim();
  if (!value) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    problems.push(`${prefix}_BASE_URL: not an http(s) address`);
  } else if (url.username || url.password || url.search || url.hash) {
    // `fetch` sends nothing to an address with a user; behind a query or fragment an SDK's path would be part of it.
    problems.push(`${prefix}_BASE_URL: an address without user, query and fragment is needed`);
  }
  return value.replace(/\/+$/, '');
}

/** Of the variables `OPENAI_COMPATIBLE[_<NAME>]_BASE_URL` that are there, in the order of their names. */
function compatiblePrefixes(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => /^OPENAI_COMPATIBLE(_[A-Z0-9]+)*_BASE_URL$/.test(name))
    .map((name) => name.slice(0, -'_BASE_URL'.length))
    .filter((prefix) => prefix === COMPATIBLE_PREFIX || COMPAT_PROVIDER_PATTERN.test(compatibleName(prefix)))
    .sort();
}

/** `OPENAI_COMPATIBLE_MY_LAB` is `compat-my-lab`. */
function compatibleName(prefix: string): string {
  if (prefix === COMPATIBLE_PREFIX) return COMPATIBLE;
  const name = prefix.slice(COMPATIBLE_PREFIX.length + 1);
  return `compat-${name.toLowerCase().replaceAll('_', '-')}`;
}

function compatiblePrefix(provider: string): string {
  if (provider === COMPATIBLE) return COMPATIBLE_PREFIX;
  const name = provider.slice('compat-'.length);
  return `${COMPATIBLE_PREFIX}_${name.toUpperCase().replaceAll('-', '_')}`;
}
