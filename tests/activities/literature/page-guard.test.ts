import { fetch } from 'undici';
import {
  guardedLookup,
  isPublicAddress,
  plainLookup,
  type ResolveHost,
} from '../../../activities/literature/address-guard';
import { createLiteratureHttp } from '../../../activities/literature/literature-http';
import {
  asHtml,
  asRedirect,
  type LiteratureDouble,
  startLiteratureDouble,
} from '../../doubles/literature-double';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

/* Ranges by the IANA special-purpose address registries; cloud metadata addresses by the clouds' documentation. */
const REFUSED = [
  ['loopback', '127.0.0.1'],
  ['loopback, end of its range', '127.255.255.254'],
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.255'],
  ['private 192.168/16', '192.168.1.1'],
  ['CGNAT', '100.64.0.1'],
  ['metadata of Alibaba', '100.100.100.200'],
  ['link-local, metadata of most clouds', '169.254.169.254'],
  ['metadata of ECS tasks', '169.254.170.2'],
  ['metadata of Oracle', '192.0.0.192'],
  ['wire server of Azure', '168.63.129.16'],
  ['benchmarking', '198.18.0.1'],
  ['documentation', '203.0.113.5'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 loopback', '::1'],
  ['IPv6 unspecified', '::'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped loopback in hexadecimal', '::ffff:7f00:1'],
  ['IPv4-mapped private', '::ffff:10.0.0.1'],
  ['IPv4-mapped metadata', '::ffff:169.254.169.254'],
  ['IPv4-compatible loopback', '::127.0.0.1'],
  ['IPv4-compatible loopback in hexadecimal', '::7f00:1'],
  ['IPv4-compatible private in hexadecimal', '::a00:1'],
  ['not allotted', '4000::1'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['local NAT64', '64:ff9b:1::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['Teredo', '2001::1'],
  ['unique local, metadata of EC2', 'fd00:ec2::254'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 link-local with zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['discard', '100::1'],
  // The rest of the registries of RFC 6890, as they stand in 2026.
  ['IETF protocols, DS-Lite', '192.0.0.1'],
  ['discovery of NAT64', '192.0.0.170'],
  ['AS112', '192.31.196.1'],
  ['AMT', '192.52.193.1'],
  ['6to4 relays', '192.88.99.1'],
  ['delegated AS112', '192.175.48.1'],
  ['documentation, the other blocks', '192.0.2.1'],
  ['documentation, the other blocks', '198.51.100.1'],
  ['IPv4-translated private', '::ffff:0:10.0.0.1'],
  ['6to4 of a private address', '2002:a00:1::1'],
  ['Teredo by way of a private server', '2001:0:a00:1::1'],
  ['port control protocol', '2001:1::1'],
  ['IPv6 benchmarking', '2001:2::1'],
  ['IPv6 AMT', '2001:3::1'],
  ['IPv6 AS112', '2001:4:112::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['drone remote ids', '2001:30::1'],
  ['direct delegation of AS112', '2620:4f:8000::1'],
  ['newer IPv6 documentation', '3fff::1'],
  ['segment routing', '5f00::1'],
] as const;

test.each(REFUSED)('%s (%s) is not public, with and without brackets', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
  expect(isPublicAddress(`[${address}]`)).toBe(false);
});

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '2606:2800:220:1:248:1893:25c8:1946',
  '::ffff:8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each(['', 'localhost', '127.1', '0x7f.1', 'example.org', '1.2.3.4.5'])(
  '%j is no address and so not public',
  (text) => expect(isPublicAddress(text)).toBe(false),
);

describe('what a model asks for', () => {
  let bench: LiteratureBench;
  beforeAll(async () => {
    bench = await openLiteratureBench({ resolve });
  });
  afterAll(() => bench.close());
  const names: Record<string, string[]> = {
    localhost: ['127.0.0.1', '::1'],
    'inside.test': ['10.1.2.3'],
    'half.test': ['93.184.216.34', '127.0.0.1'],
    'half6.test': ['2606:2800:220:1:248:1893:25c8:1946', 'fd00::1'],
    'metadata.google.internal': ['169.254.169.254'],
  };
  const resolve: ResolveHost = async (hostname) => {
    const known = names[hostname];
    if (!known) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    return known.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };

  const addresses = [
    ...REFUSED.filter(([, address]) => !address.includes('%')).map(([, address]) =>
      address.includes(':') ? `http://[${address}]/` : `http://${address}/latest/meta-data/`,
    ),
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0/',
    'http://169.254.169.254./',
    'http://127.0.0.1#@example.org/',
    'http://127.0.0.1\t/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://127.1/',
    'http://127。0。0。1/',
    'http://①②⑦.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://inside.test/',
    'http://half.test/',
    'http://half6.test/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'https://127.0.0.1/',
    'https://inside.test/',
  ];
  test.each(addresses)('%s is refused', async (url) => {
    const known =
      url === 'http://localhost./'
        ? { failureKind: expect.stringMatching(/refused_address|not_found/) }
        : { failureKind: 'refused_address' };
    expect(await bench.run('fetch_page', { url })).toMatchObject({
      outcome: expect.stringMatching(/refused|failed/),
      ...known,
      documents: [],
    });
  });

  test.each(addresses)('a redirect to %s is refused', async (location) => {
    bench.double.answer('/start', asRedirect(encodeURI(location)));
    const answer = await bench.run('fetch_page', { url: `${bench.double.origin}/start` });
    expect(['refused_address', 'bad_url', 'not_found']).toContain(answer.failureKind);
    expect(answer.documents).toEqual([]);
  });

  test.each([
    ['another port', 'http://93.184.216.34:8080/'],
    ['a port that is someone’s database', 'http://127.0.0.1:5432/'],
    ['a user', 'http://user@example.org/'],
    ['a user and a password', 'https://a:b@example.org/'],
  ])('%s is refused before anything is resolved', async (_, url) => {
    expect(await bench.run('fetch_page', { url })).toMatchObject({
      outcome: 'refused',
      failureKind: 'bad_url',
    });
  });

  test.each([
    'file:///etc/passwd',
    'ftp://example.org/x',
    'gopher://127.0.0.1:70/',
    'data:text/html,hi',
    'javascript:1',
    'http://[fe80::1%25eth0]/',
    'http://user:word@93.184.216.34/',
    'http://93.184.216.34:22/',
  ])('%s is no address for a page, asked for or redirected to', async (address) => {
    expect(await bench.run('fetch_page', { url: address })).toMatchObject({ failureKind: 'bad_url' });
    bench.double.answer('/away', asRedirect(address));
    const answer = await bench.run('fetch_page', { url: `${bench.double.origin}/away?${address.length}` });
    expect(answer).toMatchObject({ outcome: 'refused', failureKind: 'bad_url', documents: [] });
  });

  test('the answer does not say what stands at a refused address', async () => {
    const { text } = await bench.run('fetch_page', { url: 'http://inside.test/' });
    expect(text).not.toContain('10.1.2.3');
  });
});

describe('at the socket', () => {
  let double: LiteratureDouble;
  beforeAll(async () => {
    double = await startLiteratureDouble();
    double.answer('/', asHtml('secret of the inside'));
  });
  afterAll(() => double.close());
  const request = (url: string) => ({
    url,
    signal: new AbortController().signal,
    timeoutMs: 5000,
    maxBytes: 1000,
    whenTooLarge: 'fail' as const,
  });

  test('the double would answer: plain fetch gets its page', async () => {
    expect(await (await fetch(double.origin)).text()).toBe('secret of the inside');
  });

  test.each(['http://127.0.0.1', 'http://[::ffff:127.0.0.1]', 'http://0x7f.1', 'http://inside.test'])(
    '%s: is not even connected to',
    async (origin) => {
      const before = double.most.connections;
      double.most.connections = 0;
      const http = createLiteratureHttp({
        userAgent: 'test',
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      });
      await expect(http.web(request(`${origin}:${double.port}/`))).rejects.toMatchObject({
        kind: 'refused_address',
      });
      expect(double.most.connections).toBe(0);
      double.most.connections = before;
      await http.close();
    },
  );

  test('rebinding: a name is resolved once a connection, and what was checked is what is dialled', async () => {
    // First a public address, then the inside: a guard that resolved again for dialling would get the second.
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    let calls = 0;
    const lookup = guardedLookup(async () =>
      (answers[calls++] ?? []).map((address) => ({ address, family: 4 })),
    );
    const once = () =>
      new Promise((resolve) =>
        lookup('rebind.test', { all: true }, (error, found) => resolve(error ?? found)),
      );
    expect(await once()).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(calls).toBe(1);
    expect(await once()).toMatchObject({ name: 'RefusedAddress' });
  });

  test('the connector dials what the lookup said: an allowed name is resolved once and reaches the double', async () => {
    let calls = 0;
    const http = createLiteratureHttp({
      userAgent: 'test',
      allowedOrigins: [`http://paper.test:${double.port}`],
      resolve: async () => {
        calls += 1;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const answer = await http.web(request(`http://paper.test:${double.port}/`));
    expect(Buffer.from(answer.bytes).toString()).toBe('secret of the inside');
    expect(calls).toBe(1);
    await http.close();
  });

  test('an allowance holds for its origin only: another port, scheme or name of the same machine is refused', async () => {
    const other = await startLiteratureDouble();
    const http = createLiteratureHttp({
      userAgent: 'test',
      allowedOrigins: [double.origin],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    for (const url of [
      `${other.origin}/`,
      `https://127.0.0.1:${double.port}/`,
      `http://localhost:${double.port}/`,
    ])
      await expect(http.web(request(url))).rejects.toMatchObject({ kind: 'refused_address' });
    expect(other.most.connections).toBe(0);
    await http.close();
    await other.close();
  });

  test('environment proxies are not used', async () => {
    const saved = { ...process.env };
    Object.assign(process.env, {
      http_proxy: double.origin,
      HTTP_PROXY: double.origin,
      https_proxy: double.origin,
    });
    const http = createLiteratureHttp({
      userAgent: 'test',
      resolve: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    const before = double.requests.length;
    await expect(http.web(request('http://inside.test/'))).rejects.toMatchObject({ kind: 'refused_address' });
    expect(double.requests).toHaveLength(before);
    await http.close();
    process.env = saved;
  });

  test('the plain lookup of allowed origins answers in both forms that net asks for', async () => {
    const lookup = plainLookup(async () => [{ address: '127.0.0.1', family: 4 }]);
    await expect(
      new Promise((resolve) => lookup('a.test', {}, (_, address, family) => resolve([address, family]))),
    ).resolves.toEqual(['127.0.0.1', 4]);
  });
});

test('a name without an address is no page for a page, and no connection for a source', async () => {
  const resolve: ResolveHost = async () => {
    throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
  };
  const http = createLiteratureHttp({ userAgent: 'test', resolve });
  const request = {
    url: 'http://nowhere.test/',
    signal: AbortSignal.timeout(10_000),
    ...{ timeoutMs: 5_000, maxBytes: 1_000, whenTooLarge: 'fail' as const },
  };
  await expect(http.web(request)).rejects.toMatchObject({ kind: 'not_found', isRetryable: false });
  await expect(http.api(request)).rejects.toMatchObject({ kind: 'network', isRetryable: false });
  await http.close();
});
