import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Connections that wait to be accepted, on all sockets. With Node's 511, callers who come at once are dropped, and try again after seconds. */
const BACKLOG = 4096;

/**
 * Node takes one connection off a listening socket in each turn of its event loop, and a busy turn is long: callers who come then would
 * wait for seconds, health checks among them, and be neither answered nor refused. On many sockets, over which the kernel spreads them, a
 * turn takes as many. Workers share the one of their primary.
 */
export const SOCKETS = process.platform === 'linux' && !cluster.isWorker ? 256 : 1;

const close = async (server: Server, patienceMs: number): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 50); // a request that ends leaves its connection open
  await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
};

const listenOn = (server: NetServer, options: ListenOptions): Promise<number> => {
  const { port, host } = options;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `port ${port} on ${host} is taken: stop what uses it or set PORT`,
        EACCES: `port ${port} needs privileges that this process lacks: set PORT`,
        EADDRNOTAVAIL: `${host} is not an address of this machine: set HOST`,
        ENOTFOUND: `${host} is not an address of this machine: set HOST`,
      };
      reject(new Error(reasons[error.code ?? ''] ?? error.message, { cause: error }));
    });
    server.listen(options, () => resolve((server.address() as AddressInfo).port));
  });
};

/** Whether a port is free, and which one it is: sockets that share a port do not say that somebody has it. */
const findPort = async (port: number, host: string): Promise<number> => {
  const probe = createServer();
  const found = await listenOn(probe, { port, host });
  probe.close();
  await once(probe, 'close');
  return found;
};

/** Starts to listen with all of them on one port, which it returns. @throws Error with one clear line where the address cannot be had */
export const listenAll = async (servers: readonly Server[], port: number, host: string): Promise<number> => {
  const [only, ...others] = servers as [Server, ...Server[]];
  if (others.length === 0) return listenOn(only, { port, host, backlog: BACKLOG });
  const found = await findPort(port, host);
  const backlog = BACKLOG / servers.length;
  for (const server of servers) await listenOn(server, { port: found, host, backlog, reusePort: true });
  return found;
};

/** Ends the connections of all: at once where nothing is in flight, at the latest after `patienceMs`. */
export const closeAll = (servers: readonly Server[], patienceMs: number): Promise<unknown> =>
  Promise.all(servers.map((server) => close(server, patienceMs)));
