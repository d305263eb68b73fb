const KEYS: Record<string, string> = {
  anthropic: 'key-of-anthropic-only',
  openai: 'key-of-openai-only',
  google: 'key-of-google-only',
  openrouter: 'key-of-openrouter-only',
  'openai-compatible': 'key-of-compatible-only',
  'compat-my-lab': 'key-of-my-lab-only',
};

/** Keys for every provider, all at one address. */
export function providerEnv(url: string): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: keyOf('anthropic'),
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: keyOf('openai'),
    OPENAI_BASE_URL: `${url}/v1`,
    GOOGLE_API_KEY: keyOf('google'),
    GOOGLE_BASE_URL: url,
    OPENROUTER_API_KEY: keyOf('openrouter'),
    OPENROUTER_BASE_URL: `${url}/api/v1`,
    OPENAI_COMPATIBLE_API_KEY: keyOf('openai-compatible'),
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    OPENAI_COMPATIBLE_MY_LAB_API_KEY: keyOf('compat-my-lab'),
    OPENAI_COMPATIBLE_MY_LAB_BASE_URL: `${url}/lab/v1/`,
  };
}

export function keyOf(provider: string): string {
  return KEYS[provider]!;
}

export function keysBut(provider: string): string[] {
  return Object.entries(KEYS).flatMap(([name, key]) => (name === provider ? [] : [key]));
}

/** Every variable that the two Stainless SDKs read of their own accord, set to something that must not get out. */
export const HOSTILE_ENV: Record<string, string> = {
  OPENAI_API_KEY: 'hostile-openai-key',
  OPENAI_ADMIN_KEY: 'hostile-admin-key',
  OPENAI_ORG_ID: 'hostile-organisation',
  OPENAI_PROJECT_ID: 'hostile-project',
  OPENAI_WEBHOOK_SECRET: 'hostile-secret',
  OPENAI_BASE_URL: 'http://127.0.0.1:9/hostile',
  OPENAI_CUSTOM_HEADERS: 'X-Custom: hostile-header\nAuthorization: Bearer hostile-bearer',
  OPENAI_LOG: 'debug',
  ANTHROPIC_API_KEY: 'hostile-anthropic-key',
  ANTHROPIC_AUTH_TOKEN: 'hostile-token',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/hostile',
  ANTHROPIC_CUSTOM_HEADERS:
    'X-Custom: hostile-header\nAuthorization: Bearer hostile-bearer\nX-Api-Key: hostile-x-key\nanthropic-version: hostile-version',
  ANTHROPIC_WEBHOOK_SIGNING_KEY: 'hostile-signing-key',
  ANTHROPIC_LOG: 'debug',
};

export const HOSTILE_WORDS = ['hostile'];
