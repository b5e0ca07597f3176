/** Use of a window by a caller. Times in milliseconds. */
export interface WindowUsage {
  /** Requests in this window, this one included. */
  readonly count: number;
  readonly msLeft: number;
}

interface FixedWindow {
  count: number;
  readonly endsAt: number;
}

/** Maximum number of keys: this many IPv6 networks take 19 MB per budget. */
const MAX_KEYS = 100_000;

/**
 * Counts in memory, in windows of one length. A window begins with the first request of a key. There are two
 * generations of half of `maxKeys` each: the older one is dropped when all its windows have ended, or when the younger
 * one is full. A caller who sends from a million networks thus displaces windows instead of filling the memory.
 */
export const createFixedWindows = (windowMs: number, maxKeys = MAX_KEYS) => {
  let older = new Map<string, FixedWindow>();
  let younger = new Map<string, FixedWindow>();
  let turnsAt = Number.NEGATIVE_INFINITY;

  const find = (key: string, now: number): FixedWindow | undefined => {
    const window = younger.get(key) ?? older.get(key);
    return window && window.endsAt > now ? window : undefined;
  };
  const begin = (key: string, now: number): FixedWindow => {
    if (now >= turnsAt || younger.size >= maxKeys / 2) {
      older = younger;
      younger = new Map();
      turnsAt = now + windowMs;
    }
    const window = { count: 0, endsAt: now + windowMs };
    younger.set(key, window);
    return window;
  };

  return {
    /** Counts a request. */
    count: (key: string): WindowUsage => {
      const now = Math.floor(performance.now()); // in whole milliseconds, so that a window has its exact length
      const window = find(key, now) ?? begin(key, now);
      window.count += 1;
      return { count: window.count, msLeft: window.endsAt - now };
    },
    /** Number of requests counted in the key's window. */
    counted: (key: string): number => find(key, performance.now())?.count ?? 0,
    /** Number of stored keys. A key may be stored twice. */
    size: (): number => older.size + younger.size,
  };
};
