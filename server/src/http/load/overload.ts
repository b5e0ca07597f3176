import type { ServerResponse } from 'node:http';
import type { Log } from '../../platform/observe/log.ts';
import { refuse } from '../problem/refuse.ts';
import { afterLook, idle, isAdmitted, LOOK_MS, withOneMore } from './admission.rule.ts';
import { createInFlight } from './concurrency-limit.ts';
import { type ConnectionBounds, createConnections } from './connections.ts';
import { followTurns } from './loop-turns.ts';

/** How much a process takes on at once. */
export interface Bounds extends ConnectionBounds {
  /** Requests that wait for more than bytes that are ready. */
  readonly maxInFlight: number;
}

/** Whoever watches the service has to see how it is when it is worst. */
export const WATCHED_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** The share of requests that is let in is that of so long. */
const SHARE_MS = 1000;
/** Refusals are over when there was none for so long. */
const QUIET_MS = 5000;
/** Callers who are refused at the same time come back over so many seconds. */
const BACK_OVER_S = 3;

/** Looks at the event loop. A timer of our own: perf_hooks' histogram misses whole seconds of a loop that is busy with timers. */
const watchLoop = (onLook: (elapsedMs: number) => void) => {
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    onLook(now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    /** Forgets how late it was. */
    forget: (): void => {
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
  const read = followTurns();
  let admission = idle(maxInFlight);
  const counted = createShare();
  const connections = createConnections(bounds);
  const state = () => ({
    share: counted.share(),
    limit: admission.limit,
    inFlight: inFlight.count(),
    awaited: inFlight.awaited(),
    connections: connections.open(),
    maxConnections,
    closed: connections.closed(),
    refused: counted.refused(),
  });
  const tell = createTelling(log, counted.refused, state);
  const loop = watchLoop((elapsedMs) => {
    admission = afterLook(admission, maxInFlight, elapsedMs);
    counted.look(elapsedMs);
    tell(elapsedMs);
  });
  const inFlight = createInFlight(maxInFlight, () => admission.limit);
  return {
    connections,
    inFlight,
    isAlwaysAnswered: (target: string): boolean => alwaysAnswered.has(target.split('?', 1)[0] as string),
    /** Whether a request that is read now is let in. Asked once for each. */
    admits: (): boolean => {
      counted.asked();
      admission = withOneMore(admission);
      return isAdmitted(admission, maxInFlight, read());
    },
    /** As it is now: share of requests let in, concurrency limit, requests in flight and those that wait for their bodies, connections, refusals so far. */
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
    begin: (): void => {
      admission = idle(maxInFlight);
      loop.forget();
    },
    stop: (): void => {
      loop.stop();
      connections.stop();
    },
  };
};
export type Overload = ReturnType<typeof createOverload>;
