import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './limits.ts';

/** More than any browser or pool opens, and few enough that one address cannot use up the files of the process. */
const PER_ADDRESS = 256;

/** How long a caller may take to take an answer, and how often that is looked at. Node waits for ever. Milliseconds. */
const TAKEN_WITHIN = 30_000;
const LOOK_EVERY = 1000;

/** How many connections an address may have at once, unless it may send more requests than that. Behind proxies all are theirs. */
export const connectionsOf = (publicRequests: number, hasProxies: boolean): number =>
  hasProxies ? Number.POSITIVE_INFINITY : Math.max(PER_ADDRESS, publicRequests);

/** An answer, or a part of it, that waits for its caller. */
interface Waiting {
  readonly taken: number;
  readonly since: number;
}

const takenOf = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;

/** What is waiting on a connection now; since when, if nothing was taken in between. */
const waitingOn = (socket: Socket, before: Waiting | undefined, now: number): Waiting | undefined => {
  if (socket.writableLength === 0) return undefined;
  const taken = takenOf(socket);
  return before?.taken === taken ? before : { taken, since: now };
};

/** Closes at once what an address (IPv6: a /64) opens beyond its number of connections, and later those that take no answer. */
export const limitConnections = (server: Server, perAddress: number): void => {
  const counts = new Map<string, number>();
  const open = new Map<Socket, Waiting | undefined>();
  const leave = (key: string): void => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
  server.on('connection', (socket: Socket) => {
    const key = addressKey({ ip: socket.remoteAddress });
    const others = counts.get(key) ?? 0;
    if (others >= perAddress) {
      socket.destroy();
      return;
    }
    counts.set(key, others + 1);
    open.set(socket, undefined);
    socket.once('close', () => {
      open.delete(socket);
      leave(key);
    });
  });
  const look = setInterval(() => {
    const now = performance.now();
    for (const [socket, before] of open) {
      const waiting = waitingOn(socket, before, now);
      if (waiting && now - waiting.since >= TAKEN_WITHIN) socket.destroy();
      else open.set(socket, waiting);
    }
  }, LOOK_EVERY);
  look.unref();
  server.once('close', () => clearInterval(look));
};
