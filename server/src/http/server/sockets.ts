import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Number of connections that may wait to be accepted, on all sockets together. With Node's 511, callers who arrive at
 * once are dropped and retry after seconds.
 */
const BACKLOG = 4096;

/**
 * Number of listening sockets. Node accepts one connection per socket and turn of the event loop, and a busy turn is
 * long. With one socket, new callers and health checks would wait for seconds. The kernel spreads connections over the
 * sockets. Each worker has its own sockets.
 */
export const SOCKETS = process.platform === 'linux' ? 256 : 1;

const close = async (server: Server, patienceMs: number): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 50); // a finished request leaves its connection open
  await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
};

/** Names of the settings of an address, for error messages. */
export interface AddressSettings {
  readonly port: string;
  readonly host: string;
}

interface ListenAddress {
  readonly port: number;
  readonly host: string;
  readonly settings?: AddressSettings | undefined;
}

const PUBLIC_ADDRESS: AddressSettings = { port: 'PORT', host: 'HOST' };

const listenOn = (
  server: NetServer,
  { port, host, settings = PUBLIC_ADDRESS }: ListenAddress,
  options: ListenOptions = {},
): Promise<number> => {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `port ${port} on ${host} is taken: stop what uses it or set ${settings.port}`,
        EACCES: `port ${port} needs privileges that this process lacks: set ${settings.port}`,
        EADDRNOTAVAIL: `${host} is not an address of this machine: set ${settings.host}`,
        ENOTFOUND: `${host} is not an address of this machine: set ${settings.host}`,
      };
      reject(new Error(reasons[error.code ?? ''] ?? error.message, { cause: error }));
    });
    server.listen({ port, host, ...options }, () => resolve((server.address() as AddressInfo).port));
  });
};

/**
 * Returns a free port. Sockets that share a port do not fail if another process uses it.
 * @throws Error with one clear line if the port is not available
 */
export const findPort = async (address: ListenAddress): Promise<number> => {
  const probe = createServer();
  const found = await listenOn(probe, address);
  probe.close();
  await once(probe, 'close');
  return found;
};

/**
 * Listens with all servers on one port, and returns the port.
 * @throws Error with one clear line if the address is not available
 */
export const listenAll = async (servers: readonly Server[], address: ListenAddress): Promise<number> => {
  const [only, ...others] = servers as [Server, ...Server[]];
  if (others.length === 0) return listenOn(only, address, { backlog: BACKLOG });
  const port = cluster.isWorker ? address.port : await findPort(address); // workers share the port of their primary
  const backlog = BACKLOG / servers.length;
  for (const server of servers) await listenOn(server, { ...address, port }, { backlog, reusePort: true });
  return port;
};

/**
 * Ends the connections of all servers: idle ones at once, the others at the latest after `patienceMs`. A connection
 * that waits on a socket is reset when the socket closes, so each socket closes in its own turn, just after waiting
 * connections were accepted.
 */
export const closeAll = async (servers: readonly Server[], patienceMs: number): Promise<void> => {
  const closing: Promise<void>[] = [];
  for (const server of servers) {
    await nextTurn();
    closing.push(close(server, patienceMs));
  }
  await Promise.all(closing);
};
