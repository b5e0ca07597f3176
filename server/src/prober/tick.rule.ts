import { createHash } from 'node:crypto';
import { minuteNumber } from '@broker-transparency/service-level';

const MINUTE_MS = 60_000;
/**
 * Probers begin within the first seconds of a minute, each at its own second, so that a hanging check ends before the
 * next minute.
 */
const SPREAD_SECONDS = 20;
/** Maximum sleep in milliseconds, so that a change of the clock is noticed soon. */
const MOST_SLEEP_MS = 10_000;

/**
 * Returns the millisecond of each minute at which a prober begins. It is derived from the name, so that probers spread.
 */
export const computeOffset = (prober: string): number =>
  (createHash('sha256').update(prober).digest().readUInt32BE(0) % SPREAD_SECONDS) * 1000;

/**
 * Returns the milliseconds until a minute is to be measured; 0 to measure the current one. A minute is measured once,
 * and again if the clock goes back to it.
 * @param last number of the last measured minute
 */
export const computeWait = (now: Date, last: number | undefined, offsetMs: number): number => {
  const passed = now.getTime() % MINUTE_MS;
  const isMeasured = minuteNumber(now.toISOString()) === last;
  if (!isMeasured && passed >= offsetMs) return 0;
  const until = isMeasured ? MINUTE_MS - passed + offsetMs : offsetMs - passed;
  return Math.min(until, MOST_SLEEP_MS);
};

/** Returns true if the canary of every `every` minutes is due. Probers spread here, too. */
export const isCanaryDue = (minute: number, every: number, prober: string): boolean =>
  minute % every === (computeOffset(prober) / 1000) % every;
