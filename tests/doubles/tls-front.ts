import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A Temporal server that wants TLS and a key, as a cloud's does: in front of the test's own, which wants neither. */
export interface TlsFront {
  /** `localhost:port` */
  address: string;
  /** PEM of the authority that its certificate is from. */
  authority: string;
  /** What was asked for, without what was refused. */
  served: { method: string; namespace: string }[];
  /** Requests that had another key, or none. */
  refused: number;
  stop(): Promise<void>;
}

/** @param behind `host:port` of a server without TLS */
export async function startTlsFront(behind: string, apiKey: string): Promise<TlsFront> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  const inner = connect(`http://${behind}`);
  const server = createSecureServer({ key, cert, ALPNProtocols: ['h2'] });
  const sessions = new Set<{ destroy(): void }>();
  const front: TlsFront = {
    address: '',
    authority: cert,
    served: [],
    refused: 0,
    async stop() {
      for (const session of sessions) session.destroy();
      inner.destroy();
      server.close();
    },
  };
  server.on('session', (session) => sessions.add(session).add(session));
  server.on('stream', (stream, headers) => {
    if (headers.authorization !== `Bearer ${apiKey}`) {
      front.refused += 1;
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' },
        { endStream: true },
      );
      return;
    }
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    front.served.push({ method, namespace: String(headers['temporal-namespace'] ?? '') });
    pass(stream, headers, inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  front.address = `localhost:${(server.address() as AddressInfo).port}`;
  return front;
}

/** gRPC: headers, messages, and trailers with the status; or the status at once. */
function pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, inner: ClientHttp2Session): void {
  const { authorization: _, ...rest } = headers;
  const request = inner.request({ ...rest, ':scheme': 'http' });
  let trailers: IncomingHttpHeaders = {};
  stream.pipe(request);
  stream.on('error', () => request.close());
  stream.on('aborted', () => request.close());
  request.on('error', () => stream.destroy());
  request.on('trailers', (given) => {
    trailers = given;
  });
  request.on('response', (given, flags) => {
    if (stream.destroyed) return;
    const isAll = (flags & 1) !== 0; // END_STREAM
    stream.respond(given, isAll ? { endStream: true } : { waitForTrailers: true });
    if (!isAll) request.pipe(stream);
  });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
}
