import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came over the wire, and what it was answered with. */
export interface SeenRequest {
  path: string;
  headers: Record<string, string>;
  /** The body's exact text. */
  text: string;
  /** The body's JSON; undefined when it is none. */
  body: unknown;
  /** The header `x-co-scientist-call`. */
  callId: string | null;
  /** null: no status was ever sent. */
  status: number | null;
  billedTokens: { input: number; output: number } | null;
}

/** What a request is answered with. */
export type RawReply =
  | { kind: 'json'; status?: number; headers?: Record<string, string>; body: unknown; billed?: Billed }
  | { kind: 'text'; status?: number; headers?: Record<string, string>; text: string }
  /** The connection breaks without a word. */
  | { kind: 'reset' }
  /** The connection breaks in the middle of the body. */
  | { kind: 'cut'; text: string }
  /** Headers and half the body come, then nothing more. */
  | { kind: 'stall'; text: string }
  /** Nothing ever comes. */
  | { kind: 'silence' };

type Billed = { input: number; output: number };

export interface RawDouble {
  url: string;
  /** Every request, in the order they came. */
  requests: SeenRequest[];
  stop(): Promise<void>;
}

/** An HTTP server on loopback that answers each request with what `answer` says, and writes down what came. */
export async function startRawDouble(
  answer: (request: SeenRequest) => RawReply | Promise<RawReply>,
): Promise<RawDouble> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    readRequest(incoming)
      .then(async (request) => {
        requests.push(request);
        send(request, await answer(request), response);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, requests, stop };
}

/** An address on loopback at which nobody listens. */
export async function closedPortUrl(): Promise<string> {
  const double = await startRawDouble(() => ({ kind: 'reset' }));
  await double.stop();
  return double.url;
}

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    path: incoming.url ?? '',
    headers,
    text,
    body: parse(text),
    callId: headers['x-co-scientist-call'] ?? null,
    status: null,
    billedTokens: null,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(request: SeenRequest, reply: RawReply, response: ServerResponse): void {
  if (reply.kind === 'silence') return;
  if (reply.kind === 'reset') {
    response.destroy();
    return;
  }
  if (reply.kind === 'cut' || reply.kind === 'stall') {
    request.status = 200;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.text.length * 2 });
    response.write(reply.text, () => reply.kind === 'cut' && response.destroy());
    return;
  }
  const isJson = reply.kind === 'json';
  request.status = reply.status ?? 200;
  request.billedTokens = (isJson && reply.billed) || null;
  response.writeHead(request.status, {
    'content-type': isJson ? 'application/json' : 'text/html',
    ...reply.headers,
  });
  response.end(isJson ? JSON.stringify(reply.body) : reply.text);
}
