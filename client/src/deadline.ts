/** Longest delay timers can wait: about 24 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * Refuses times that no timer can measure.
 * @throws RangeError
 */
export const checkedTimeout = (timeoutMs: number): number => {
  if (timeoutMs > 0 && (timeoutMs <= LONGEST || timeoutMs === Number.POSITIVE_INFINITY)) return timeoutMs;
  throw new RangeError(`timeoutMs must be above 0 and at most ${LONGEST}, or Infinity`);
};

/**
 * Runs work that a time limit or the caller can stop. Written out, since AbortSignal.any is missing on Node 18.
 * @param stop makes the reason of an abort by time
 * @throws the caller's reason, that of `stop`, or what `run` throws otherwise
 */
export const withDeadline = async <T>(
  run: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  stop: () => Error,
  caller: AbortSignal | undefined,
): Promise<T> => {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  // A `fetch` that ignores its signal must not keep the caller waiting.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const abort = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', abort, { once: true });
  const timer = timeoutMs <= LONGEST ? setTimeout(() => controller.abort(stop()), timeoutMs) : undefined;
  try {
    return await Promise.race([run(signal), aborted]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  }
};
