import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Returns `wanted` if it is free on loopback, otherwise another free port below the range of outgoing connections. */
export async function freePort(wanted?: number) {
  if (wanted && (await isFree(wanted))) return wanted;
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
