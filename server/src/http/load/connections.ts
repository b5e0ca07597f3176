import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOver } from '../response/reply.ts';
import { createShares, type Share } from './connection-shares.ts';
import { measureUnread, type UnreadBytes } from './slow-readers.ts';

/** Connections beyond the bound, for health checks, and the life of each in milliseconds. */
const RESERVE = { connections: 64, forMs: 1000 } as const;
const LOOK_EVERY_MS = 1000;
/**
 * Longest time in milliseconds without reading an answer: in general, and while others wait for a place. Node sets no
 * limit.
 */
const UNREAD_MS = 30_000;
const UNREAD_WHEN_FULL_MS = 5000;

export interface ConnectionBounds {
  readonly maxConnections: number;
  readonly shares: readonly Share[];
  /** Returns whether an address belongs to a proxy. Connections of proxies have no share. */
  readonly isProxy: (address: string) => boolean;
}

/** Reason why a connection is closed without a fault of its caller. */
type CloseReason = 'share' | 'room' | 'full';

/** Number of connections, silent for longest, among which one is closed to make room. */
const CANDIDATES = 16;

/** Use of a connection. */
interface ConnectionState {
  /** Returns the number of connections of its caller. */
  readonly held: () => number;
  /** The last answer, while it may be running. Of pipelined answers the last one ends last. */
  res?: ServerResponse | undefined;
  untaken?: UnreadBytes | undefined;
}

/** Returns whether the service waits for the caller: no answer is running, or the caller does not read it. */
const isSilent = ({ res, untaken }: ConnectionState, now: number): boolean =>
  untaken ? now - untaken.since >= UNREAD_WHEN_FULL_MS : res === undefined;

/**
 * Counts open connections. A connection beyond the share of its network is closed at once. A connection beyond
 * `maxConnections` replaces one that has been silent for long. If none is silent, it gets one answer: a refusal, or the
 * health of the service.
 */
export const createConnections = ({ maxConnections, shares, isProxy }: ConnectionBounds) => {
  const shared = createShares(shares, isProxy);
  /** Ordered by last request, oldest first, to the second. */
  const open = new Map<Socket, ConnectionState>();
  const beyond = new Set<Socket>();
  const closed: Record<CloseReason, number> = { share: 0, room: 0, full: 0 };
  const close = (socket: Socket, reason: CloseReason): void => {
    closed[reason]++;
    open.delete(socket);
    socket.destroy();
  };
  const checkConnections = (): void => {
    const now = performance.now();
    for (const [socket, use] of [...open]) {
      use.untaken = measureUnread(socket, use.untaken, now);
      if (use.untaken && now - use.untaken.since >= UNREAD_MS) socket.destroy();
      if (!use.res || !isOver(use.res)) continue;
      use.res = undefined;
      open.delete(socket);
      open.set(socket, use);
    }
  };
  const timer = setInterval(checkConnections, LOOK_EVERY_MS).unref();
  /** Yields the connections that have been silent for longest. */
  const findCandidates = function* () {
    const now = performance.now();
    let left = CANDIDATES;
    for (const [socket, use] of open) {
      if (beyond.has(socket) || !isSilent(use, now)) continue;
      yield { socket, held: use.held() };
      if (--left === 0) return;
    }
  };
  /** Closes a silent connection of the caller with the most connections, so that newcomers do not pay for others. */
  const makeRoom = (): boolean => {
    let worst: { readonly socket: Socket; readonly held: number } | undefined;
    for (const candidate of findCandidates()) if (!worst || candidate.held > worst.held) worst = candidate;
    if (worst) close(worst.socket, 'room');
    return worst !== undefined;
  };
  const markBeyond = (socket: Socket): void => {
    beyond.add(socket);
    const end = setTimeout(() => socket.destroy(), RESERVE.forMs);
    socket.once('close', () => {
      clearTimeout(end);
      beyond.delete(socket);
    });
  };
  return {
    open: (): number => open.size,
    /** Number of closed connections, by reason. */
    closed: (): Readonly<Record<CloseReason, number>> => closed,
    opened: (socket: Socket): void => {
      const held = shared.take(socket);
      if (!held) {
        close(socket, 'share');
        return;
      }
      const hasPlace = open.size < maxConnections || makeRoom();
      if (!hasPlace && open.size >= maxConnections + RESERVE.connections) {
        close(socket, 'full');
        return;
      }
      open.set(socket, { held });
      socket.once('close', () => open.delete(socket));
      if (!hasPlace) markBeyond(socket);
    },
    /** Notes a request on a connection. */
    asked: (socket: Socket, res: ServerResponse): void => {
      const use = open.get(socket);
      if (use) use.res = res;
    },
    isBeyond: (socket: Socket): boolean => beyond.size > 0 && beyond.has(socket),
    stop: (): void => clearInterval(timer),
  };
};
