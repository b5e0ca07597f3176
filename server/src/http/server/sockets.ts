import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Connections that wait to be accepted, on all sockets. With Node's 511, callers who come at once are dropped, and try again after seconds. */
const BACKLOG = 4096;

/**
 * Node takes one connection off a listening socket in each turn of its event loop, and a busy turn is long: callers who come then would
 * wait for seconds, health checks among them, and be neither answered nor refused. On many sockets, over which the kernel spreads them, a
 * turn takes as many. Each worker has its own.
 */
export const SOCKETS = process.platform === 'linux' ? 256 : 1;

const close = async (server: Server, patienceMs: number): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 50); // a request that ends leaves its connection open
  await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
};

/** Names of the variables that hold an address, for whoever has to correct them. */
export interface AddressSettings {
  readonly port: string;
  readonly host: string;
}

interface Address {
  readonly port: number;
  readonly host: string;
  readonly settings?: AddressSettings | undefined;
}

const PUBLIC_ADDRESS: AddressSettings = { port: 'PORT', host: 'HOST' };

const listenOn = (
  server: NetServer,
  { port, host, settings = PUBLIC_ADDRESS }: Address,
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
 * Whether a port is free, and which one it is: sockets that share a port do not say that somebody has it.
 * @throws Error with one clear line where it cannot be had
 */
export const findPort = async (address: Address): Promise<number> => {
  const probe = createServer();
  const found = await listenOn(probe, address);
  probe.close();
  await once(probe, 'close');
  return found;
};

/** Starts to listen with all of them on one port, which it returns. @throws Error with one clear line where the address cannot be had */
export const listenAll = async (servers: readonly Server[], address: Address): Promise<number> => {
  const [only, ...others] = servers as [Server, ...Server[]];
  if (others.length === 0) return listenOn(only, address, { backlog: BACKLOG });
  const port = cluster.isWorker ? address.port : await findPort(address); // workers share the one that their primary found
  const backlog = BACKLOG / servers.length;
  for (const server of servers) await listenOn(server, { ...address, port }, { backlog, reusePort: true });
  return port;
};

/**
 * Ends the connections of all: at once where nothing is in flight, at the latest after `patienceMs`. What waits on a socket as it is closed is
 * reset: each is closed in a turn of its own, just after what waited was taken.
 */
export const closeAll = async (servers: readonly Server[], patienceMs: number): Promise<void> => {
  const closing: Promise<void>[] = [];
  for (const server of servers) {
    await nextTurn();
    closing.push(close(server, patienceMs));
  }
  await Promise.all(closing);
};
