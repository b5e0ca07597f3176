import { setTimeout as sleep } from 'node:timers/promises';

/** How much of its time a sender that was late may catch up, in milliseconds. */
const LATE_MS = 20;
/** The least that a timer waits. */
const LEAST_MS = 1;

/** Waits until so many more bytes may be sent. */
export type Pace = (bytes: number) => Promise<void>;

/**
 * Keeps senders to so many bytes per second, all together and evenly: bulk downloads leave processor and network to
 * others.
 */
export const createPace = (bytesPerSecond: number): Pace => {
  let until = 0;
  return async (bytes) => {
    const now = performance.now();
    until = Math.max(until, now - LATE_MS) + (bytes * 1000) / bytesPerSecond;
    if (until - now >= LEAST_MS) await sleep(until - now);
  };
};
