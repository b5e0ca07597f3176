import type { ServerResponse } from 'node:http';
import type { Log } from '../observe/log.ts';
import { type ConnectionBounds, createConnections } from './connections.ts';
import { createDoor } from './door.ts';
import { createInFlight } from './in-flight.ts';
import { refuse } from './refuse.ts';
import { nextRoom } from './room.ts';

/** How much a process takes on at once. */
export interface Bounds extends ConnectionBounds {
  /** Requests that wait for more than bytes that are ready. */
  readonly maxInFlight: number;
}

/** Whoever watches the service has to see how it is when it is worst. */
export const WATCHED_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

const LOOK_MS = 50;
/** The share of requests that is let in is that of so long. */
const SHARE_MS = 1000;
/** Refusals are over when there was none for so long. */
const QUIET_MS = 5000;
/** Callers who are refused at the same time come back over so many seconds. */
const BACK_OVER_S = 3;

/** Looks at the event loop. A timer of our own: perf_hooks' histogram misses whole seconds of a loop that is busy with timers. */
const watchLoop = (maxInFlight: number, onLook: (elapsedMs: number) => void) => {
  let room = maxInFlight;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    const elapsedMs = now - last;
    last = now;
    room = nextRoom(room, maxInFlight, elapsedMs - LOOK_MS);
    onLook(elapsedMs);
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    /** How many requests may be worked on at once, for now. */
    room: (): number => room,
    /** Forgets how late it was. */
    forget: (): void => {
      room = maxInFlight;
      last = performance.now();
    },
    stop: (): void => clearInterval(timer),
  };
};

/** Counts what is asked for and what is refused. */
const createShare = () => {
  let [asked, refused, share] = [0, 0, 1];
  let [askedBefore, refusedBefore, sinceMs] = [0, 0, 0];
  return {
    asked: (): void => {
      asked++;
    },
    refuse: (): number => ++refused,
    refused: (): number => refused,
    /** What part of the requests of the last second was let in. */
    share: (): number => share,
    look: (elapsedMs: number): void => {
      sinceMs += elapsedMs;
      if (sinceMs < SHARE_MS) return;
      share = asked > askedBefore ? 1 - (refused - refusedBefore) / (asked - askedBefore) : 1;
      [askedBefore, refusedBefore, sinceMs] = [asked, refused, 0];
    },
  };
};

/** Says when refusals begin and when they have ended, not each. */
const createTelling = (log: Log, refused: () => number, state: () => object) => {
  let told = 0;
  let quietMs = QUIET_MS;
  return (elapsedMs: number): void => {
    const isOver = quietMs >= QUIET_MS;
    quietMs = refused() > told ? 0 : quietMs + elapsedMs;
    told = refused();
    if (isOver && quietMs === 0) log.warn(state(), 'overloaded: requests are refused');
    if (!isOver && quietMs >= QUIET_MS) log.warn(state(), 'no longer overloaded');
  };
};

/**
 * What this process lets in: by how long callers wait for the event loop, by what is in flight, by connections. A refusal comes before
 * the limiter: counting would cost more than refusing does, and nobody pays for what they did not get.
 */
export const createOverload = (bounds: Bounds, log: Log, alwaysAnswered = WATCHED_PATHS) => {
  const { maxInFlight, maxConnections } = bounds;
  const isOpen = createDoor();
  const counted = createShare();
  const connections = createConnections(bounds);
  const state = () => ({
    share: counted.share(),
    room: loop.room(),
    inFlight: inFlight.count(),
    awaited: inFlight.awaited(),
    connections: connections.open(),
    maxConnections,
    closed: connections.closed(),
    refused: counted.refused(),
  });
  const tell = createTelling(log, counted.refused, state);
  const loop = watchLoop(maxInFlight, (elapsedMs) => {
    counted.look(elapsedMs);
    tell(elapsedMs);
  });
  const inFlight = createInFlight(maxInFlight, loop.room);
  return {
    connections,
    inFlight,
    isAlwaysAnswered: (target: string): boolean => alwaysAnswered.has(target.split('?', 1)[0] as string),
    /** Whether a request that is read now is let in. Asked once for each. */
    admits: (): boolean => {
      counted.asked();
      return isOpen();
    },
    /** As it is now: share of requests let in, room for work, requests in flight and those that wait for their bodies, connections, refusals so far. */
    state,
    /** Answers a request that is not let in. */
    refuse: (res: ServerResponse, baseUrl: string): void => {
      const backAfterS = 1 + (counted.refuse() % BACK_OVER_S);
      refuse(res, 'unavailable', 'The service has more to do than it can. Nothing was done for this request.', {
        baseUrl,
        path: (res.req.url as string).split('?', 1)[0] as string,
        headers: { 'Retry-After': String(backAfterS) },
      });
    },
    /** The process begins to serve: that it was busy until now is no overload. */
    begin: loop.forget,
    stop: (): void => {
      loop.stop();
      connections.stop();
    },
  };
};
export type Overload = ReturnType<typeof createOverload>;
