import { createServer } from 'node:net';

/**
 * A TCP port on 127.0.0.1 that nobody listens on: the first free one of those wanted, else the system's choice.
 * Another program may take it before it is used, so whoever starts a server on it must bear that.
 */
export async function freePort(...wanted: (number | null | undefined)[]): Promise<number> {
  for (const port of wanted) {
    if (port && (await isPortFree(port))) return port;
  }
  return listenOnce(0);
}

export async function isPortFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  );
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
