import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSilentServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { exchange } from '../../../activities/providers/wire-exchange';
import { sendOptions } from './sample-requests';

let server: Server;
let url = '';
let answer: () => { status: number; headers: Record<string, string>; body: Buffer };
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { status, headers, body } = answer();
      response.writeHead(status, headers).end(body);
    });
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/answer`;
});
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

/** As an SDK would: address, method and headers, then `fetch`. */
function ask(address = url, timeoutMs = 20_000) {
  return exchange(
    {
      provider: 'any',
      request: (fetch, headers) => fetch(address, { method: 'POST', headers }),
      requestIdOf: (headers) => headers.get('x-request-id'),
    },
    { model: 'm' },
    sendOptions('m', { timeoutMs }),
  );
}

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ['deflate', deflateRawSync],
  ['gzip', (text: string) => gzipSync(text).subarray(0, -8)], // without its trailer
] as const)(
  'a body that comes as %s all the same is read, of an answer and of a refusal',
  async (encoding, compress) => {
    const headers = { 'content-encoding': encoding, 'content-type': 'application/json' };
    answer = () => ({ status: 200, headers, body: compress('{"said":"so"}') });
    expect((await ask()).body).toEqual({ said: 'so' });
    const error = { error: { code: 'insufficient_quota', message: 'no' } };
    answer = () => ({ status: 429, headers, body: compress(JSON.stringify(error)) });
    await expect(ask()).rejects.toMatchObject({ kind: 'payment_required' });
  },
);

test('an answer that is too long only once it is decompressed is unreadable, as a long one is', async () => {
  const bomb = gzipSync(`"${'a'.repeat(21 * 2 ** 20)}"`);
  answer = () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: bomb });
  await expect(ask()).rejects.toMatchObject({ kind: 'unreadable' });
});

test('a connection serves the next request at once, and none after a second of silence', async () => {
  answer = () => ({ status: 200, headers: {}, body: Buffer.from('{}') });
  await ask();
  await sleep(20);
  const before = sockets.size;
  await ask();
  await sleep(20);
  await ask();
  expect(sockets.size).toBe(before);
  await sleep(1_500);
  await ask();
  expect(sockets.size).toBe(before + 1);
});

test('the request id is read from the headers', async () => {
  answer = () => ({ status: 200, headers: { 'x-request-id': 'req-7' }, body: Buffer.from('{}') });
  expect((await ask()).requestId).toBe('req-7');
});

test('time that runs out before there is a connection is not_sent, with nothing in doubt: a server that never ends its TLS handshake', async () => {
  const open: Socket[] = [];
  const silent = createSilentServer((socket) => open.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await expect(ask(`https://127.0.0.1:${port}/v1`, 200)).rejects.toMatchObject({ kind: 'not_sent' });
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

// OpenRouter's keep-alive is white space before the JSON; a gateway may call it HTML, or put a mark in front.
test('an answer is its JSON, whatever stands around it: white space, a byte order mark, a type that lies, single bytes', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=latin1\r\nconnection: close\r\n';
  const bytes = [...Buffer.from('\ufeff \n{"said":"é"}')];
  const raw = createSilentServer((socket) => {
    socket.once('data', () => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      for (const byte of bytes) socket.write(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
      socket.end('0\r\n\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const { port } = raw.address() as AddressInfo;
  expect((await ask(`http://127.0.0.1:${port}/v1`)).body).toEqual({ said: 'é' });
  await new Promise((resolve) => raw.close(resolve));
});
