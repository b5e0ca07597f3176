import { setTimeout as sleep } from 'node:timers/promises';

/** Delay in milliseconds that a late sender may catch up. */
const LATE_MS = 20;
/** Shortest wait of a timer, in milliseconds. */
const LEAST_MS = 1;

/** Waits until `bytes` more bytes may be sent. */
export type Pace = (bytes: number) => Promise<void>;

/**
 * Limits all senders together to a rate in bytes per second, evenly, so that bulk downloads leave processor and network
 * to others.
 */
export const createPace = (bytesPerSecond: number): Pace => {
  let until = 0;
  return async (bytes) => {
    const now = performance.now();
    until = Math.max(until, now - LATE_MS) + (bytes * 1000) / bytesPerSecond;
    if (until - now >= LEAST_MS) await sleep(until - now);
  };
};
