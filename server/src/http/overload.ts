import type { ServerResponse } from 'node:http';
import type { Log } from '../observe/log.ts';
import { type Admission, ALL, nextAdmission } from './admission.ts';
import { createConnections } from './connections.ts';
import { refuse } from './refuse.ts';

/** How much a process takes on at once. */
export interface Bounds {
  /** Requests that wait for more than bytes that are ready. */
  readonly maxInFlight: number;
  readonly maxConnections: number;
  /** Of one address. */
  readonly connectionsPerAddress: number;
}

/** Whoever watches the service has to see how it is when it is worst. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);
export const isAlwaysAnswered = (target: string): boolean => ALWAYS.has(target.split('?', 1)[0] as string);

const LOOK_MS = 50;
/** After its deadline a request has its answer: what is left is a caller who reads it slowly. */
const HELD_MS = 2000;
/** Refusals are over when there was none for so long. */
const QUIET_MS = 5000;
/** Callers who are refused at the same time come back over so many seconds. */
const BACK_OVER_S = 3;

/** Looks at the event loop. A timer of our own: perf_hooks' histogram misses whole seconds of a loop that is busy with timers. */
const watchLoop = (onLook: (elapsedMs: number) => void) => {
  let admission: Admission = ALL;
  let credit = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    const elapsedMs = now - last;
    last = now;
    admission = nextAdmission(admission, { lagMs: elapsedMs - LOOK_MS, elapsedMs });
    onLook(elapsedMs);
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    share: (): number => admission.share,
    /** Lets in the share that can be, evenly. */
    admits: (): boolean => {
      if (admission.share === 1) return true;
      credit += admission.share;
      if (credit < 1) return false;
      credit--;
      return true;
    },
    /** Forgets how late it was. */
    forget: (): void => {
      admission = ALL;
    },
    stop: (): void => clearInterval(timer),
  };
};

/** Counts requests that are worked on. */
const createInFlight = (bound: number) => {
  let count = 0;
  return {
    count: (): number => count,
    isFull: (): boolean => count >= bound,
    /** Counts one until it is answered, which the returned function tells, or its deadline has passed. */
    begin: (): (() => void) => {
      count++;
      let counted = true;
      const end = (): void => {
        if (!counted) return;
        counted = false;
        count--;
        clearTimeout(held);
      };
      const held = setTimeout(end, HELD_MS).unref();
      return end;
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
 * What this process lets in: by how late the event loop is, by what is in flight, by connections. A refusal comes before the
 * limiter: counting would cost more than refusing does, and nobody pays for what they did not get.
 */
export const createOverload = ({ maxInFlight, maxConnections, connectionsPerAddress }: Bounds, log: Log) => {
  let refused = 0;
  const connections = createConnections(maxConnections, connectionsPerAddress);
  const inFlight = createInFlight(maxInFlight);
  const state = () => ({ share: loop.share(), inFlight: inFlight.count(), connections: connections.open(), refused });
  const loop = watchLoop(createTelling(log, () => refused, state));
  return {
    connections,
    inFlight,
    admits: loop.admits,
    /** As it is now: share of requests let in, requests in flight, connections, refusals so far. */
    state,
    /** Answers a request that is not let in. */
    refuse: (res: ServerResponse, baseUrl: string): void => {
      refused++;
      refuse(res, 'unavailable', 'The service has more to do than it can. Nothing was done for this request.', {
        baseUrl,
        path: (res.req.url as string).split('?', 1)[0] as string,
        headers: { 'Retry-After': String(1 + (refused % BACK_OVER_S)) },
      });
    },
    /** The process begins to serve: that it was busy until now is no overload. */
    begin: loop.forget,
    stop: loop.stop,
  };
};
export type Overload = ReturnType<typeof createOverload>;
