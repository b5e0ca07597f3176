import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createShares, type Share } from './connection-shares.ts';
import { type Untaken, untakenOf } from './slow-readers.ts';

/** Connections beyond the bound, so that health can be asked for, and how long each may take. */
const RESERVE = { connections: 64, forMs: 1000 } as const;
const LOOK_EVERY_MS = 1000;
/** How long a caller may take nothing of an answer: in any case, and where others wait for a place. Node waits for ever. */
const UNTAKEN_MS = 30_000;
const UNTAKEN_WHEN_FULL_MS = 5000;

export interface ConnectionBounds {
  readonly maxConnections: number;
  readonly shares: readonly Share[];
  /** Whose connections have no share. */
  readonly isProxy: (address: string) => boolean;
}

/** Why a connection was closed though its caller did nothing wrong. */
type ClosedFor = 'share' | 'room' | 'full';

/** Of so many that have been silent for longest one is closed for a new connection. */
const CANDIDATES = 16;

/** What a connection is used for. */
interface Use {
  /** How many connections its caller has. */
  readonly held: () => number;
  /** The last answer, for as long as it may be under way; a pipelined one ends last. */
  answer?: ServerResponse | undefined;
  untaken?: Untaken | undefined;
}

const isOver = ({ answer }: Use): boolean => answer !== undefined && (answer.writableFinished || answer.destroyed);

/** Whether it is the caller who has to do something: there is no answer under way, or nothing of it is taken. */
const isSilent = ({ answer, untaken }: Use, now: number): boolean =>
  untaken ? now - untaken.since >= UNTAKEN_WHEN_FULL_MS : answer === undefined;

/**
 * Counts open connections. One whose network has its share is closed at once. One beyond `maxConnections` takes the place of one
 * that has been silent for long; where none is silent it gets one answer: a refusal, or how the service is.
 */
export const createConnections = ({ maxConnections, shares, isProxy }: ConnectionBounds) => {
  const shared = createShares(shares, isProxy);
  /** Those that had no request for longest come first, to the second. */
  const open = new Map<Socket, Use>();
  const beyond = new Set<Socket>();
  const closed: Record<ClosedFor, number> = { share: 0, room: 0, full: 0 };
  const close = (socket: Socket, reason: ClosedFor): void => {
    closed[reason]++;
    open.delete(socket);
    socket.destroy();
  };
  const look = (): void => {
    const now = performance.now();
    for (const [socket, use] of [...open]) {
      use.untaken = untakenOf(socket, use.untaken, now);
      if (use.untaken && now - use.untaken.since >= UNTAKEN_MS) socket.destroy();
      if (!isOver(use)) continue;
      use.answer = undefined; // not kept for longer than it is of use
      open.delete(socket);
      open.set(socket, use);
    }
  };
  const looking = setInterval(look, LOOK_EVERY_MS).unref();
  /** Those that have been silent for longest. */
  const candidates = function* () {
    const now = performance.now();
    let left = CANDIDATES;
    for (const [socket, use] of open) {
      if (beyond.has(socket) || !isSilent(use, now)) continue;
      yield { socket, held: use.held() };
      if (--left === 0) return;
    }
  };
  /** Closes one of the caller who holds most: whoever has just come and has yet to ask does not pay for those who hold many. */
  const makeRoom = (): boolean => {
    let worst: { readonly socket: Socket; readonly held: number } | undefined;
    for (const candidate of candidates()) if (!worst || candidate.held > worst.held) worst = candidate;
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
    /** How many were closed so far, by reason. */
    closed: (): Readonly<Record<ClosedFor, number>> => closed,
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
    asked: (socket: Socket, answer: ServerResponse): void => {
      const use = open.get(socket);
      if (use) use.answer = answer;
    },
    isBeyond: (socket: Socket): boolean => beyond.size > 0 && beyond.has(socket),
    stop: (): void => clearInterval(looking),
  };
};
