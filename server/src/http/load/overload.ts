import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../platform/observe/log.ts';
import type { CountRequest } from '../../platform/observe/requests.ts';
import { type RequestRefusal, sendRefusal } from '../problem/refuse.ts';
import { addRequest, adjustAdmission, createIdleAdmission, isAdmitted, LOOK_MS } from './admission.rule.ts';
import { createInFlight } from './concurrency-limit.ts';
import { type ConnectionBounds, createConnections } from './connections.ts';
import { followLoopTicks } from './loop-turns.ts';

/** Limits of the load of a process. */
export interface OverloadBounds extends ConnectionBounds {
  /** Bound of the concurrency limit. Requests whose answers are ready do not count. */
  readonly maxInFlight: number;
}

/** Paths that are always answered: operators need them most during overload. */
export const WATCHED_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Period in milliseconds of the share of admitted requests. */
const SHARE_MS = 1000;
/** Time in milliseconds without a refusal after which overload is over. */
const QUIET_MS = 5000;
/** Number of seconds over which retries of refused callers are spread. */
const BACK_OVER_S = 3;

/**
 * Checks the event loop by a timer: the histogram of `perf_hooks` misses whole seconds of a loop that is busy with
 * timers.
 */
const watchLoop = (onLook: (elapsedMs: number) => void) => {
  let last = performance.now();
  const checkTick = (): void => {
    const now = performance.now();
    onLook(now - last);
    last = now;
  };
  const timer = setInterval(checkTick, LOOK_MS).unref();
  return {
    /** Resets the measured delay of the loop. */
    forget: (): void => {
      last = performance.now();
    },
    stop: (): void => clearInterval(timer),
  };
};

/** Counts requests and refusals. */
const createAdmissionShare = () => {
  let [asked, refused, share] = [0, 0, 1];
  let [askedBefore, refusedBefore, sinceMs] = [0, 0, 0];
  return {
    asked: (): void => {
      asked++;
    },
    refuse: (): number => ++refused,
    refused: (): number => refused,
    /** Share of the requests of the last second that were admitted. */
    share: (): number => share,
    look: (elapsedMs: number): void => {
      sinceMs += elapsedMs;
      if (sinceMs < SHARE_MS) return;
      share = asked > askedBefore ? 1 - (refused - refusedBefore) / (asked - askedBefore) : 1;
      [askedBefore, refusedBefore, sinceMs] = [asked, refused, 0];
    },
  };
};

/** Logs the beginning and the end of overload, not each refusal. */
const createOverloadReport = (log: Log, refused: () => number, state: () => object) => {
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
 * Decides which requests this process admits, by the delay of the event loop, requests in flight and connections. A
 * refused request is not counted against a budget: counting costs more than refusing, and a refusal should cost the
 * caller nothing.
 */
export const createOverload = (
  bounds: OverloadBounds,
  log: Log,
  countRequest: CountRequest,
  alwaysAnswered = WATCHED_PATHS,
) => {
  const { maxInFlight, maxConnections } = bounds;
  const read = followLoopTicks();
  let admission = createIdleAdmission(maxInFlight);
  const counted = createAdmissionShare();
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
  const reportOverload = createOverloadReport(log, counted.refused, state);
  const loop = watchLoop((elapsedMs) => {
    admission = adjustAdmission(admission, maxInFlight, elapsedMs);
    counted.look(elapsedMs);
    reportOverload(elapsedMs);
  });
  const inFlight = createInFlight(maxInFlight, () => admission.limit);
  return {
    connections,
    inFlight,
    isAlwaysAnswered: (target: string): boolean => alwaysAnswered.has(target.split('?', 1)[0] as string),
    /** Returns whether the request that is being read is admitted. Call it once per request. */
    admits: (): boolean => {
      counted.asked();
      admission = addRequest(admission);
      return isAdmitted(admission, maxInFlight, read());
    },
    /** The current load, for metrics and logs. */
    state,
    /** Answers a request that is not admitted. */
    refuse: (req: IncomingMessage, res: ServerResponse, baseUrl: string): void => {
      const backAfterS = 1 + (counted.refuse() % BACK_OVER_S);
      const refusal: RequestRefusal = {
        code: 'unavailable',
        detail: 'The service has more to do than it can. Nothing was done for this request.',
        baseUrl,
        path: req.context.target.split('?', 1)[0],
        headers: { 'Retry-After': String(backAfterS) },
      };
      sendRefusal(req, res, refusal, countRequest);
    },
    /** Resets the limits when the process begins to serve: its load until now was no overload. */
    begin: (): void => {
      admission = createIdleAdmission(maxInFlight);
      loop.forget();
    },
    stop: (): void => {
      loop.stop();
      connections.stop();
    },
  };
};
export type Overload = ReturnType<typeof createOverload>;
