/** Returns the current time. Code that depends on time takes a clock, so that tests can fix it. */
export type Clock = () => Date;

let shiftMs = 0;

/** The clock of this process. */
export const systemClock: Clock = () => new Date(Date.now() + shiftMs);

/**
 * Moves the clock of this process, for tests and rehearsals. Call it once, at the start.
 * @param to the time from which the clock runs on, or a shift in milliseconds
 */
export const moveClock = (to: Date | number): void => {
  shiftMs = typeof to === 'number' ? to : to.getTime() - Date.now();
};
