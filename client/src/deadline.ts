/** The longest delay of a timer in milliseconds, about 24 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns a time that a timer can measure. `Infinity` becomes the longest one.
 * @throws RangeError if `ms` is not above 0, or is too long
 */
export const checkedTimeout = (name: string, ms: number): number => {
  if (ms > 0 && (ms <= LONGEST || ms === Infinity)) return Math.min(ms, LONGEST);
  throw new RangeError(`${name} must be above 0 and at most ${LONGEST}, or Infinity`);
};

/** The callbacks of one signal. They share one listener, because platforms warn of a signal with many listeners. */
class Stops extends Set<() => void> {
  handleEvent(): void {
    for (const stop of this) stop();
  }
}

const allStops = new WeakMap<AbortSignal, Stops>();

/**
 * Calls `stop` when a signal is aborted.
 * @returns a function that removes the callback
 */
const onAbort = (signal: AbortSignal, stop: () => void): (() => void) => {
  const stops = allStops.get(signal) ?? new Stops();
  if (stops.size === 0) {
    allStops.set(signal, stops);
    signal.addEventListener('abort', stops);
  }
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size === 0) signal.removeEventListener('abort', stops);
  };
};

/**
 * Runs work that a time limit or the caller can stop. It does not use AbortSignal.any, which Node 18 lacks. The caller
 * does not have to wait for a `fetch` that ignores its signal.
 * @param ms the limit; a longer one than a timer can measure becomes the longest that it can
 * @param late gives the result if the time runs out
 * @throws the caller's reason, or what `run` or `late` rejects with
 */
export const within = <T>(
  ms: number,
  caller: AbortSignal | undefined,
  late: () => T | Promise<T>,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    caller?.throwIfAborted();
    const controller = new AbortController();
    const end = () => {
      clearTimeout(timer);
      forget?.();
    };
    /** Settles the promise early, then aborts the work. */
    const stop = (settle: () => void) => {
      end();
      settle();
      controller.abort();
    };
    const timer = setTimeout(() => stop(() => resolve(late())), Math.min(ms, LONGEST));
    const forget = caller && onAbort(caller, () => stop(() => reject(caller.reason)));
    run(controller.signal).then(resolve, reject).then(end);
  });

/** Waits for a time, at most as long as a timer can. Rejects if the caller aborts. */
export const pause = (ms: number, caller: AbortSignal | undefined): Promise<void> =>
  within(
    ms,
    caller,
    () => undefined,
    () => new Promise(() => {}),
  );
