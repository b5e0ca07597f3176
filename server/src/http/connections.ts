import type { Socket } from 'node:net';
import { addressKey } from './limits.ts';

/** More than any browser or pool opens, and few enough that one address cannot use up the files of the process. */
const PER_ADDRESS = 256;

/** How many connections an address may have at once, unless it may send more requests than that. Behind proxies all are theirs. */
export const connectionsOf = (publicRequests: number, hasProxies: boolean): number =>
  hasProxies ? Number.POSITIVE_INFINITY : Math.max(PER_ADDRESS, publicRequests);

/** Connections beyond the bound, so that health can be asked for, and how long each may take. */
const RESERVE = { connections: 64, forMs: 1000 } as const;

/** Counts by address (IPv6: a /64). */
const createShares = (perAddress: number) => {
  const counts = new Map<string, number>();
  return {
    /** Counts a connection until it closes; false where its address has its share. */
    take: (socket: Socket): boolean => {
      const key = addressKey({ ip: socket.remoteAddress });
      const others = counts.get(key) ?? 0;
      if (others >= perAddress) return false;
      counts.set(key, others + 1);
      socket.once('close', () => {
        const left = (counts.get(key) as number) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      });
      return true;
    },
  };
};

/**
 * Counts open connections. One that its address has no share for is closed at once. One beyond `bound` gets one answer: a refusal,
 * or how the service is.
 */
export const createConnections = (bound: number, perAddress: number) => {
  const shares = createShares(perAddress);
  const beyond = new Set<Socket>();
  let open = 0;
  return {
    open: (): number => open,
    opened: (socket: Socket): void => {
      if (!shares.take(socket) || open >= bound + RESERVE.connections) {
        socket.destroy();
        return;
      }
      open++;
      socket.once('close', () => open--);
      if (open <= bound) return;
      beyond.add(socket);
      const end = setTimeout(() => socket.destroy(), RESERVE.forMs);
      socket.once('close', () => {
        clearTimeout(end);
        beyond.delete(socket);
      });
    },
    isBeyond: (socket: Socket): boolean => beyond.size > 0 && beyond.has(socket),
  };
};
