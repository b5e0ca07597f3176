import { pause, within } from './deadline.ts';
import { AnswerError, ConnectionError, ProblemError, TimeoutError } from './errors.ts';
import { type Answered, exchange } from './exchange.ts';
import { emit } from './hooks.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { PreparedRequest } from './request.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Settings } from './settings.ts';

const RETRIED = [408, 429, 502, 503, 504];
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/** A first try that is still at work is done in a moment: to ask more often than this helps nobody. */
const IN_PROGRESS_DELAY_MS = 1_000;

/**
 * Milliseconds until the next try: what Retry-After says, else by chance up to a bound that doubles ("full jitter"), so
 * that clients that failed together do not come back together. Undefined: trying again does not help.
 * @param retried how often the call was tried again
 */
const delayAfter = (error: unknown, retried: number): number | undefined => {
  const answered = error instanceof AnswerError;
  if (answered ? !RETRIED.includes(error.status) : !(error instanceof ConnectionError || error instanceof TimeoutError))
    return undefined;
  const asked = answered ? retryAfterMs(error.response.headers) : undefined;
  return asked ?? Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retried);
};

/** Whether an earlier try of the same write is still at work: to ask again does not write again. */
const isInProgress = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && error.code === 'idempotency_in_progress';

/**
 * Waits for the next window while the budget is used up. What cannot wait is sent: the API has the last word.
 * @param end of the call's time, by `performance.now()`
 */
const keepPace = async (rateLimiter: RateLimiter, signal: AbortSignal | undefined, end: number): Promise<void> => {
  for (;;) {
    const wait = rateLimiter.take(Date.now());
    if (wait === 0 || performance.now() + wait >= end) return;
    await pause(wait, signal);
  }
};

const tryOnce = (prepared: PreparedRequest, attempt: number, settings: Settings, end: number) => {
  const { sent, signal, limits } = prepared;
  const left = end - performance.now();
  const late = () =>
    Promise.reject(new TimeoutError(sent, left <= limits.tryTimeoutMs ? limits.timeoutMs : limits.tryTimeoutMs));
  return within(Math.min(left, limits.tryTimeoutMs), signal, late, (stop) =>
    exchange(prepared, attempt, settings, stop),
  );
};

/**
 * Makes a call: sends its request until there is an answer, the tries are used up or the next one would come too late.
 * @throws BrokerTransparencyError, the reason of the caller's signal, or what functions of the caller throw
 */
export const send = async (prepared: PreparedRequest, settings: Settings): Promise<Answered<object>> => {
  const { call, sent, signal, limits } = prepared;
  const end = performance.now() + limits.timeoutMs;
  let attempt = 1;
  let retried = 0;
  /** Milliseconds until the next try; undefined: there is none. */
  const nextAfter = (error: unknown): number | undefined => {
    if (limits.retries > 0 && isInProgress(error))
      return Math.max(IN_PROGRESS_DELAY_MS, retryAfterMs(error.response.headers) ?? 0);
    return retried < limits.retries ? delayAfter(error, retried++) : undefined;
  };
  try {
    for (; ; attempt += 1)
      try {
        if (settings.pace) await keepPace(settings.rateLimiter, signal, end);
        else settings.rateLimiter.take(Date.now());
        return await tryOnce(prepared, attempt, settings, end);
      } catch (error) {
        const delayMs = nextAfter(error);
        if (delayMs === undefined || performance.now() + delayMs >= end) throw error;
        emit(settings.hooks, 'retry', { call, request: sent, attempt, error, delayMs });
        await pause(delayMs, signal);
      }
  } catch (error) {
    emit(settings.hooks, 'error', { call, request: sent, attempt, error });
    throw error;
  }
};
