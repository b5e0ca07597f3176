/** A caller's place in its window. Times in milliseconds. */
export interface Place {
  /** Requests in this window, this one included. */
  readonly count: number;
  readonly msLeft: number;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** 19 MB of IPv6 networks, per budget. */
const MAX_KEYS = 100_000;

/**
 * Counts in memory, in windows of one length that begin with a key's first request. Two generations are kept, of half of `maxKeys`
 * each: the older one goes when all its windows have ended, or when the younger one is full. So whoever sends from a million
 * networks pushes out windows, and not the process.
 */
export const createFixedWindows = (windowMs: number, maxKeys = MAX_KEYS) => {
  let older = new Map<string, Window>();
  let younger = new Map<string, Window>();
  let turnsAt = Number.NEGATIVE_INFINITY;

  const find = (key: string, now: number): Window | undefined => {
    const window = younger.get(key) ?? older.get(key);
    return window && window.endsAt > now ? window : undefined;
  };
  const begin = (key: string, now: number): Window => {
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
    count: (key: string): Place => {
      const now = Math.floor(performance.now()); // in whole milliseconds, so that a window is as long as it says
      const window = find(key, now) ?? begin(key, now);
      window.count += 1;
      return { count: window.count, msLeft: window.endsAt - now };
    },
    /** Requests that were counted in the key's window. */
    counted: (key: string): number => find(key, performance.now())?.count ?? 0,
    /** Keys that are held, some of them twice. */
    size: (): number => older.size + younger.size,
  };
};
