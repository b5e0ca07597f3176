import { createHash } from 'node:crypto';
import { minuteNumber } from '@broker-transparency/contract/service-level';

const MINUTE_MS = 60_000;
/** Probers ask within the first seconds of a minute, each at its own: whatever hangs is over before the next minute. */
const SPREAD_SECONDS = 20;
/** Longest sleep: a clock that is set while the process sleeps is seen soon. */
const MOST_SLEEP_MS = 10_000;

/** Returns the millisecond of each minute at which a prober asks. It is fixed for its name, so that probers spread. */
export const computeOffset = (prober: string): number =>
  (createHash('sha256').update(prober).digest().readUInt32BE(0) % SPREAD_SECONDS) * 1000;

/**
 * Returns how long to wait until a minute is to be measured; 0: measure the one that it is now. It is measured once,
 * and again if the clock goes back to it.
 * @param last number of the minute that was measured last
 */
export const computeWait = (now: Date, last: number | undefined, offsetMs: number): number => {
  const passed = now.getTime() % MINUTE_MS;
  const isMeasured = minuteNumber(now.toISOString()) === last;
  if (!isMeasured && passed >= offsetMs) return 0;
  const until = isMeasured ? MINUTE_MS - passed + offsetMs : offsetMs - passed;
  return Math.min(until, MOST_SLEEP_MS);
};

/** Whether the one write of so many minutes is due. Probers spread here, too. */
export const isCanaryDue = (minute: number, every: number, prober: string): boolean =>
  minute % every === (computeOffset(prober) / 1000) % every;
