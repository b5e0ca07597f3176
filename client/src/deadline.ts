/** Longest delay timers can wait: about 24 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * A time that a timer can measure; `Infinity` is as long as that.
 * @throws RangeError
 */
export const checkedTimeout = (name: string, ms: number): number => {
  if (ms > 0 && (ms <= LONGEST || ms === Number.POSITIVE_INFINITY)) return Math.min(ms, LONGEST);
  throw new RangeError(`${name} must be above 0 and at most ${LONGEST}, or Infinity`);
};

/** What a signal stops: one listener for all, since platforms warn of a signal that many listen to. */
class Stops extends Set<() => void> {
  handleEvent(): void {
    for (const stop of this) stop();
  }
}

const allStops = new WeakMap<AbortSignal, Stops>();

/** Calls back when a signal is aborted. @returns what ends that */
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
 * Runs work that a time limit or the caller can stop. Written out, since AbortSignal.any is missing on Node 18; and a
 * `fetch` that ignores its signal must not keep the caller waiting.
 * @param late what to answer when the time is over
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
    /** Ends it before its time, and then the work. */
    const stop = (settle: () => void) => {
      end();
      settle();
      controller.abort();
    };
    const timer = setTimeout(() => stop(() => resolve(late())), ms);
    const forget = caller && onAbort(caller, () => stop(() => reject(caller.reason)));
    run(controller.signal).then(
      (value) => {
        end();
        resolve(value);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  });

/** Waits, unless the caller aborts. */
export const pause = (ms: number, caller: AbortSignal | undefined): Promise<void> =>
  within(
    ms,
    caller,
    () => undefined,
    () => new Promise(() => {}),
  );
