import type { RequestHandler } from 'express';
import { runWhileAwaited } from '../../platform/waiting.ts';
import { unavailable } from '../problem/error-handler.ts';
import { isAnswered, onClosed } from '../response/reply.ts';

/**
 * Deadline of a request in milliseconds, because commands to a stopped database hang. With half a second for a busy
 * process, a caller gets an answer within two seconds.
 */
const DEADLINE_MS = 1500;

/** Arrival of a request, by the clock of `performance`, and its time limit; undefined for the default. */
interface WaitLimit {
  readonly start: number;
  readonly patienceMs?: number | undefined;
}

/** Returns the milliseconds left for a request. */
export const timeLeft = ({ start, patienceMs = DEADLINE_MS }: WaitLimit): number =>
  patienceMs - (performance.now() - start);

/** The clock of a request. It pauses while the request waits for its own caller. */
export interface Deadline {
  readonly pause: () => void;
  readonly resume: () => void;
}

const startClock = (ms: number, onOver: () => void): Deadline => {
  let left = ms;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const resume = (): void => {
    since = performance.now();
    timer = setTimeout(onOver, Math.max(0, left));
  };
  const pause = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - since;
  };
  resume();
  return { pause, resume };
};

/** Waits for `work`, but no longer than `ms`. Longer work is abandoned. @throws ProblemError unavailable */
export const withTimeout = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const over = new AbortController();
    const clock = startClock(ms, () => {
      reject(unavailable());
      over.abort();
    });
    runWhileAwaited(over.signal, work).then(resolve, reject).finally(clock.pause);
  });

/** How long a request may wait for another service, in milliseconds. */
const OTHERS_MS = 12_000;

/**
 * Answers 503 if `handler` has not answered when the clock runs out; the outcome of its work is then unknown. A later
 * answer of the handler is dropped: Express would close the connection for it, on which the caller may wait for another
 * answer.
 * @param waitsForOthers true if it waits for another service, and so for longer
 */
export const withDeadline =
  (handler: RequestHandler, waitsForOthers = false): RequestHandler =>
  (req, res, next) => {
    const over = new AbortController();
    const done = (error?: unknown): void => {
      if (over.signal.aborted) return;
      over.abort();
      next(error);
    };
    const left = timeLeft(waitsForOthers ? { ...req.context, patienceMs: OTHERS_MS } : req.context);
    const deadline = startClock(left, () => {
      if (!isAnswered(res)) done(unavailable());
    });
    req.context.deadline = deadline;
    onClosed(res, deadline.pause);
    runWhileAwaited(over.signal, () => handler(req, res, done));
  };
