import type { ApiResponse } from './api-response.ts';
import { pause, within } from './deadline.ts';
import { AnswerError, ConnectionError, ProblemError, TimeoutError } from './errors.ts';
import { type Attempt, exchange } from './exchange.ts';
import { emit } from './hooks.ts';
import type { PreparedRequest } from './request.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Settings } from './settings.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/**
 * Shortest wait while the API still processes an earlier try. That takes only a moment, and asking more often does not
 * help.
 */
const IN_PROGRESS_DELAY_MS = 1_000;

/** Tells whether a request is sent again after this status: a GET, or any other. */
const isRetried = ({ status, request }: AnswerError): boolean =>
  (request.method === 'GET' ? /408|429|5(?!0[15])../ : /408|429|50[2-4]/).test(`${status}`);

/** Tells whether the same request may be answered later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof AnswerError ? isRetried(error) : error instanceof ConnectionError || error instanceof TimeoutError;

/**
 * Returns the milliseconds until the next try: what Retry-After says, or otherwise a random time below a bound that
 * doubles ("full jitter"). Clients that failed together thus do not return together. A Retry-After of 0 counts once.
 * Returns undefined if trying again does not help.
 * @param retried number of earlier retries
 */
const delayAfter = (error: unknown, retried: number): number | undefined => {
  if (!isTemporary(error)) return undefined;
  const asked = error instanceof AnswerError ? retryAfterMs(error.response.headers) : undefined;
  return asked || (asked === 0 && retried === 0)
    ? asked
    : Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retried);
};

const hasCode = (error: unknown, code: string): error is ProblemError =>
  error instanceof ProblemError && error.code === code;

/**
 * Makes a call: sends its request until there is an answer, the retries are used up or the next try would come too
 * late.
 * @param isPaced true if the call waits for its budget. These waits do not count against `timeoutMs`
 * @throws RequestError, the reason of the caller's signal, or an error of the caller's own functions
 */
export const send = async (
  prepared: PreparedRequest,
  settings: Settings,
  isPaced = settings.pace === true,
): Promise<ApiResponse<object>> => {
  const { call, sent, signal, limits, rateLimiter } = prepared;
  /** End of the call's time, by `performance.now()`. */
  let end = performance.now() + limits.timeoutMs;
  let waitLeftMs = isPaced ? limits.maxWaitMs : 0;
  let tried: Attempt = { attempt: 1, refused: undefined };
  let retried = 0;

  /** Adds a wait for the budget to the call's time. Returns false if the call may not wait that long. */
  const allowWait = (ms: number): boolean => {
    if (ms > waitLeftMs) return false;
    waitLeftMs -= ms;
    end += ms;
    return true;
  };

  /** Runs work within the call's time, or within less. */
  const inTime = <T>(mostMs: number, run: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    const leftMs = end - performance.now();
    const late = () => {
      const timeoutMs = leftMs <= mostMs ? limits.timeoutMs : mostMs;
      return Promise.reject(new TimeoutError(sent, timeoutMs, { response: tried.response }));
    };
    return within(Math.min(leftMs, mostMs), signal, late, run);
  };

  const tryOnce = () => inTime(limits.tryTimeoutMs, (stop) => exchange(prepared, tried, settings, stop));

  /** Waits while the budget is unknown or used up. A request that may not wait any more is sent: the API decides. */
  const tryPaced = async () => {
    for (;;) {
      const { scout } = rateLimiter;
      const waitMs = scout ? 0 : rateLimiter.take(Date.now());
      if (scout) await inTime(Infinity, () => scout);
      else if (waitMs === 0 || !allowWait(waitMs)) return rateLimiter.follow(tryOnce(), Date.now());
      else await pause(waitMs, signal);
    }
  };

  /** Returns the milliseconds until the next try, or undefined if there is none. */
  const nextAfter = (error: unknown): number | undefined => {
    // Follows a redirect once, replaces a refused token once, and waits while an earlier try is in progress. None of
    // them counts as a retry.
    if (error === prepared.moved) return 0;
    if (tried.token !== undefined && tried.refused === undefined && hasCode(error, 'invalid_token')) return 0;
    if (limits.retries > 0 && hasCode(error, 'idempotency_in_progress'))
      return Math.max(IN_PROGRESS_DELAY_MS, retryAfterMs(error.response.headers) ?? 0);
    return retried < limits.retries ? delayAfter(error, retried++) : undefined;
  };

  try {
    for (;;)
      try {
        if (isPaced) return await tryPaced();
        rateLimiter.take(Date.now());
        return await tryOnce();
      } catch (error) {
        const delayMs = nextAfter(error);
        if (delayMs === undefined) throw error;
        if (!(hasCode(error, 'rate_limited') && allowWait(delayMs)) && performance.now() + delayMs >= end) throw error;
        const { attempt, token, refused } = tried;
        emit(settings.hooks, 'retry', { call, request: sent, attempt, error, delayMs });
        tried = { attempt: attempt + 1, refused: hasCode(error, 'invalid_token') ? { token, error } : refused };
        if (delayMs > 0) await pause(delayMs, signal);
      }
  } catch (error) {
    emit(settings.hooks, 'error', { call, request: sent, attempt: tried.attempt, error });
    throw error;
  }
};
