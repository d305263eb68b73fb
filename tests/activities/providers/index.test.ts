import {
  cannotDisableThinking,
  isKnownProvider,
  KNOWN_PROVIDERS,
  missingKeyHint,
  openProviders,
} from '../../../activities/providers';

describe('openProviders', () => {
  it('opens sim alone where nothing is set', () => {
    expect([...openProviders({}).keys()]).toEqual(['sim']);
  });

  it('opens a provider for its own key, and a compatible one for its base URL, key or not', () => {
    const env = {
      GOOGLE_API_KEY: 'g',
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:8080/v1',
      OPENAI_COMPATIBLE_MY_LAB_BASE_URL: 'http://127.0.0.1:8081/v1',
      OPENAI_COMPATIBLE_OTHER_API_KEY: 'a key without an address',
    };
    const providers = openProviders(env);
    expect([...providers.keys()]).toEqual(['google', 'openai-compatible', 'compat-my-lab', 'sim']);
    for (const [name, provider] of providers) expect(provider.name).toBe(name);
  });

  it.each(['ANTHROPIC', 'GOOGLE', 'OPENAI', 'OPENROUTER'])(
    'opens by %s_API_KEY that provider alone',
    (prefix) => {
      const env = { [`${prefix}_API_KEY`]: 'k' };
      expect([...openProviders(env).keys()]).toEqual([prefix.toLowerCase(), 'sim']);
    },
  );

  it('takes a blank key and a blank address for none', () => {
    expect([...openProviders({ OPENAI_API_KEY: '  ', OPENAI_COMPATIBLE_BASE_URL: '' }).keys()]).toEqual([
      'sim',
    ]);
  });

  it('does not open OpenAI by the compatible server’s key, nor the other way round', () => {
    expect(openProviders({ OPENAI_COMPATIBLE_API_KEY: 'x' }).has('openai')).toBe(false);
    expect(openProviders({ OPENAI_API_KEY: 'x' }).has('openai-compatible')).toBe(false);
  });

  it('names every address that is none, without repeating it', () => {
    const env = {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: 'user:secret@host',
      OPENAI_COMPATIBLE_MY_LAB_BASE_URL: 'ftp://secret',
    };
    expect(() => openProviders(env)).toThrow(
      'OPENAI_BASE_URL: not an http(s) address; OPENAI_COMPATIBLE_MY_LAB_BASE_URL: not an http(s) address',
    );
    expect(() => openProviders(env)).not.toThrow(/secret/);
  });

  it.each(['http://user:secret@host/v1', 'http://host/v1?secret', 'http://host/v1#secret'])(
    'refuses %s as an address: nothing would be sent to it, or elsewhere',
    (address) => {
      expect(() => openProviders({ GOOGLE_BASE_URL: address })).toThrow(
        /^GOOGLE_BASE_URL: an address without user, query and fragment is needed$/,
      );
    },
  );

  // RFC 9110, 5.5: a field's value is printable ASCII; CR, LF and NUL are dangerous in it, other controls invalid.
  it.each(['\n', '\u0000', '\u0001', '\u001b', '\u007f', '\t', 'Ⅷ', 'é', '\u200b', '\ufeff'])(
    'names each key with %j inside, which no header can hold, in one error without any value',
    (character) => {
      const env = {
        ANTHROPIC_API_KEY: `secret${character}1`,
        OPENROUTER_API_KEY: 'fine',
        OPENAI_COMPATIBLE_MY_LAB_BASE_URL: 'http://127.0.0.1:8081/v1',
        OPENAI_COMPATIBLE_MY_LAB_API_KEY: `${character}\u0001secret`,
      };
      const says = 'holds characters that no key has (a blank, a line end, one outside ASCII)';
      expect(() => openProviders(env)).toThrow(
        new Error(`ANTHROPIC_API_KEY: ${says}; OPENAI_COMPATIBLE_MY_LAB_API_KEY: ${says}`),
      );
    },
  );
});

it('knows six names and every compat-<name>', () => {
  expect([...KNOWN_PROVIDERS].sort()).toEqual([
    'anthropic',
    'google',
    'openai',
    'openai-compatible',
    'openrouter',
    'sim',
  ]);
  for (const name of [...KNOWN_PROVIDERS, 'compat-my-lab', 'compat-2'])
    expect(isKnownProvider(name)).toBe(true);
  for (const name of ['opnai', 'compat-', 'compat-My', 'compat-a_b', '', 'toString']) {
    expect(isKnownProvider(name)).toBe(false);
  }
});

it('says which variables open a provider', () => {
  expect(missingKeyHint('anthropic')).toBe('ANTHROPIC_API_KEY');
  expect(missingKeyHint('openrouter')).toBe('OPENROUTER_API_KEY');
  expect(missingKeyHint('openai-compatible')).toBe(
    'OPENAI_COMPATIBLE_BASE_URL (and OPENAI_COMPATIBLE_API_KEY where the server asks for one)',
  );
  expect(missingKeyHint('compat-my-lab')).toBe(
    'OPENAI_COMPATIBLE_MY_LAB_BASE_URL (and OPENAI_COMPATIBLE_MY_LAB_API_KEY where the server asks for one)',
  );
  expect([missingKeyHint('sim'), missingKeyHint('opnai')]).toEqual(['', '']);
});

it('says of each provider’s models whether they think when told not to', () => {
  const asked = [
    ['anthropic', 'claude-haiku-4-5'],
    ['anthropic', 'claude-opus-5-5'],
    ['openai', 'gpt-4o'],
    ['google', 'gemini-2.5-pro'],
    ['openrouter', 'anthropic/claude-haiku-4.5'],
    ['compat-my-lab', 'qwen3-4b'],
    ['sim', 'alder'],
  ] as const;
  expect(asked.map(([provider, model]) => cannotDisableThinking(provider, model))).toEqual([
    false,
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
});
