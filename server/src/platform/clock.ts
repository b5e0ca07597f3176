/** Returns the current time. Code that depends on time takes a clock, so that tests can fix it. */
export type Clock = () => Date;

/**
 * Creates a clock that runs.
 * @param to the time from which it runs on, or its shift in milliseconds, for tests and rehearsals
 */
export const createClock = (to: Date | number = 0): Clock => {
  const shiftMs = typeof to === 'number' ? to : to.getTime() - Date.now();
  return () => new Date(Date.now() + shiftMs);
};
