import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A raw HTTP server on 127.0.0.1 that answers as it is told and remembers what it was asked. */
export interface LiteratureDouble {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  port: number;
  /** In the order of arrival. */
  requests: DoubleRequest[];
  /** The most connections and the most unanswered requests it has had at once. */
  most: { connections: number; inFlight: number };
  /**
   * Answers a path from now on: with one reply for ever, with one reply after the other (the last one stays), or as a
   * function says. Other paths get 404.
   */
  answer(path: string, reply: Reply | Reply[] | ((request: DoubleRequest) => Reply)): void;
  requestsTo(path: string): DoubleRequest[];
  close(): Promise<void>;
}

export interface DoubleRequest {
  /** `performance.now()` of this process. */
  at: number;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  delayMs?: number;
  /** `silent`: takes the request and never answers. `cut`: ends the connection in the middle of the body. */
  fault?: 'silent' | 'cut';
}

export async function startLiteratureDouble(): Promise<LiteratureDouble> {
  const replies = new Map<string, (request: DoubleRequest) => Reply>();
  const requests: DoubleRequest[] = [];
  const sockets = new Set<Socket>();
  const most = { connections: 0, inFlight: 0 };
  let inFlight = 0;
  const server = createServer((message, response) => {
    const at = performance.now();
    inFlight += 1;
    most.inFlight = Math.max(most.inFlight, inFlight);
    response.on('close', () => {
      inFlight -= 1;
    });
    void readRequest(message, at).then((request) => {
      requests.push(request);
      send(response, (replies.get(request.path) ?? (() => ({ status: 404 })))(request));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    most.connections = Math.max(most.connections, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    most,
    answer: (path, reply) => replies.set(path, inTurn(reply)),
    requestsTo: (path) => requests.filter((request) => request.path === path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Bodies of a double, with the headers a source would send. */
export const asJson = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});
export const asXml = (body: string, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body,
});
export const asHtml = (body: string | Uint8Array, contentType = 'text/html'): Reply => ({
  headers: { 'content-type': contentType },
  body,
});
export const asRedirect = (location: string, status = 302): Reply => ({ status, headers: { location } });

function inTurn(
  reply: Reply | Reply[] | ((request: DoubleRequest) => Reply),
): (request: DoubleRequest) => Reply {
  if (typeof reply === 'function') return reply;
  if (!Array.isArray(reply)) return () => reply;
  let next = 0;
  return () => {
    const current = reply[Math.min(next, reply.length - 1)] ?? { status: 404 };
    next += 1;
    return current;
  };
}

async function readRequest(message: IncomingMessage, at: number): Promise<DoubleRequest> {
  const url = new URL(message.url ?? '/', 'http://double');
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return {
    at,
    method: message.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function send(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', delayMs = 0, fault }: Reply,
): void {
  if (fault === 'silent') return;
  setTimeout(() => {
    response.writeHead(status, headers);
    if (fault === 'cut') {
      response.write(body);
      setImmediate(() => response.destroy());
      return;
    }
    response.end(body);
  }, delayMs);
}
