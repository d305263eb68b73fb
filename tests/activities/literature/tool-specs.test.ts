import { createLiteratureGateway } from '../../../activities/literature';
import { literatureSettings } from '../../../activities/literature/literature-settings';
import { createMemoryCache } from '../../../activities/literature/memory-cache';
import { createMemorySlots } from '../../../activities/literature/memory-slots';
import type { ToolSpec } from '../../../activities/providers/provider';

const gateway = createLiteratureGateway({
  settings: literatureSettings({ TAVILY_API_KEY: 'k' }),
  slots: createMemorySlots(),
  cache: createMemoryCache(),
});
afterAll(() => gateway.close());

const MODES = ['live', 'bundled'] as const;
const specs: [string, string, ToolSpec][] = MODES.flatMap((mode) =>
  gateway
    .offer(mode)
    .tools.map((tool): [string, string, ToolSpec] => [mode, tool, gateway.find(mode, tool)!.tool]),
);

test.each(specs)('%s %s is a described object schema without $ref, with string enums only', (_, __, spec) => {
  expect(spec.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(JSON.stringify(spec.inputSchema)).not.toMatch(/\$ref|\$schema|anyOf/);
  for (const property of Object.values(
    spec.inputSchema.properties as Record<string, Record<string, unknown>>,
  )) {
    expect(property.description).toEqual(expect.any(String));
    expect(['string', 'integer']).toContain(property.type);
    if (property.enum) expect(property.type).toBe('string');
  }
});

test('both modes offer the same 5 tools in the same order', () => {
  expect(gateway.offer('live').tools).toEqual(gateway.offer('bundled').tools);
  expect(gateway.offer('live').tools).toHaveLength(5);
});

test('settings that cannot be right are all named at once, without their values', () => {
  const env = { PUBMED_BASE_URL: 'ftp://x', LITERATURE_EMAIL: 'no address', BRAVE_API_KEY: 'sec\nret' };
  expect(() => literatureSettings(env)).toThrow(/LITERATURE_EMAIL: .*BRAVE_API_KEY: .*PUBMED_BASE_URL: /);
  expect(() => literatureSettings(env)).not.toThrow(/ftp:|no address|sec|ret/);
});

test.each(['NCBI_API_KEY', 'TAVILY_API_KEY', 'BRAVE_API_KEY'])(
  '%s is taken without the line end of the file it was read from',
  (name) => {
    const { ncbiApiKey, tavilyApiKey, braveApiKey } = literatureSettings({ [name]: ' key-1\r\n' });
    expect([ncbiApiKey, tavilyApiKey, braveApiKey].filter((key) => key !== null)).toEqual(['key-1']);
  },
);

test.each(['a\u0001b@x.org', 'łucja@x.org', 'a b@x.org'])(
  'the address %j, which no user agent can hold, is refused: every request would fail for it',
  (address) => {
    expect(() => literatureSettings({ LITERATURE_EMAIL: address })).toThrow(
      /^literature settings: LITERATURE_EMAIL: /,
    );
  },
);
