import {
  burnRate,
  burnWindows,
  isUp,
  type MinuteState,
  minuteNumber,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
  type ProbeResult,
} from '@broker-transparency/service-level';

/** Minutes of the longest window of an alert. */
const LONGEST = Math.max(...burnWindows().values());

/**
 * Returns a prober's view of the minutes up to now. A minute that it did not measure counts as up here, since its own
 * downtime must not raise an alert. The service's figures count it as no vote.
 */
export const toOwnStates = (results: readonly ProbeResult[], now: Date): MinuteState[] => {
  const end = minuteNumber(now.toISOString()) + 1;
  const down = new Set(results.filter((result) => !isUp(result)).map(({ minute }) => minuteNumber(minute)));
  return Array.from({ length: LONGEST }, (_, at) => (down.has(end - LONGEST + at) ? 'down' : 'up'));
};

/** Returns the burn rate of each window that an alert uses. */
export const computeOwnBurnRates = (states: readonly MinuteState[]): ReadonlyMap<string, number> =>
  new Map(
    [...burnWindows()].map(([window, minutes]) => [
      window,
      burnRate(states, minutes, OBJECTIVES[OBJECTIVES_VERSION] as Objectives),
    ]),
  );
