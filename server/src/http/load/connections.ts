import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOver } from '../response/reply.ts';
import { createShares, type Share } from './connection-shares.ts';
import { measureUnread, type UnreadBytes } from './slow-readers.ts';

/** Connections beyond the bound, for those who ask for health, and how long each may last. */
const RESERVE = { connections: 64, forMs: 1000 } as const;
const LOOK_EVERY_MS = 1000;
/** How long a caller may read nothing of an answer: at all, and while others wait for a place. Node waits for ever. */
const UNREAD_MS = 30_000;
const UNREAD_WHEN_FULL_MS = 5000;

export interface ConnectionBounds {
  readonly maxConnections: number;
  readonly shares: readonly Share[];
  /** Whether an address is that of a proxy. Connections of proxies have no share. */
  readonly isProxy: (address: string) => boolean;
}

/** Why a connection is closed though its caller did nothing wrong. */
type CloseReason = 'share' | 'room' | 'full';

/** Among this many connections, silent for longest, one is chosen to make room for a new one. */
const CANDIDATES = 16;

/** What a connection is used for. */
interface ConnectionState {
  /** How many connections its caller has. */
  readonly held: () => number;
  /** The last answer, while it may be under way. Of pipelined answers the last one ends last. */
  res?: ServerResponse | undefined;
  untaken?: UnreadBytes | undefined;
}

/** Whether it is the caller's turn: no answer is under way, or the caller reads nothing of it. */
const isSilent = ({ res, untaken }: ConnectionState, now: number): boolean =>
  untaken ? now - untaken.since >= UNREAD_WHEN_FULL_MS : res === undefined;

/**
 * Counts open connections. A connection from a network that has its share already is closed at once. A connection
 * beyond `maxConnections` takes the place of one that has been silent for long. Where none is silent, it gets one
 * answer: a refusal, or the health of the service.
 */
export const createConnections = ({ maxConnections, shares, isProxy }: ConnectionBounds) => {
  const shared = createShares(shares, isProxy);
  /** In the order of their last requests, the oldest first, to the second. */
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
  /** Connections that have been silent for longest. */
  const findCandidates = function* () {
    const now = performance.now();
    let left = CANDIDATES;
    for (const [socket, use] of open) {
      if (beyond.has(socket) || !isSilent(use, now)) continue;
      yield { socket, held: use.held() };
      if (--left === 0) return;
    }
  };
  /** Closes a connection of the caller who holds most, so that a newcomer does not pay for callers who hold many. */
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
    /** How many connections were closed so far, by reason. */
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
    /** A request came on a connection. */
    asked: (socket: Socket, res: ServerResponse): void => {
      const use = open.get(socket);
      if (use) use.res = res;
    },
    isBeyond: (socket: Socket): boolean => beyond.size > 0 && beyond.has(socket),
    stop: (): void => clearInterval(timer),
  };
};
