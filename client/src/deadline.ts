/** Longest delay timers can wait: about 24 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * Refuses times that no timer can measure.
 * @throws RangeError
 */
export const checkedTimeout = (name: string, ms: number): number => {
  if (ms > 0 && (ms <= LONGEST || ms === Number.POSITIVE_INFINITY)) return ms;
  throw new RangeError(`${name} must be above 0 and at most ${LONGEST}, or Infinity`);
};

/**
 * Runs work that a time limit or the caller can stop. Written out, since AbortSignal.any is missing on Node 18; and a
 * `fetch` that ignores its signal must not keep the caller waiting.
 * @param late what to answer when the time is over
 * @throws the caller's reason, or what `run` or `late` throws
 */
export const within = async <T>(
  ms: number,
  caller: AbortSignal | undefined,
  late: () => T,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  caller?.throwIfAborted();
  const controller = new AbortController();
  let end = () => {};
  const stopped = new Promise<T>((resolve, reject) => {
    const abort = () => {
      reject(caller?.reason);
      controller.abort();
    };
    const expire = () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
      controller.abort();
    };
    const timer = ms <= LONGEST ? setTimeout(expire, ms) : undefined;
    caller?.addEventListener('abort', abort);
    end = () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([run(controller.signal), stopped]);
  } finally {
    end();
  }
};

/** Waits, unless the caller aborts. */
export const pause = (ms: number, caller: AbortSignal | undefined): Promise<void> =>
  within(
    ms,
    caller,
    () => undefined,
    () => new Promise(() => {}),
  );
