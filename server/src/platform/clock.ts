/** Returns the current time. Code that depends on time takes a clock, so that tests can fix it. */
export type Clock = () => Date;

/**
 * Creates a running clock.
 * @param to the time at which it starts, or its shift in milliseconds, for tests and rehearsals
 */
export const createClock = (to: Date | number = 0): Clock => {
  const shiftMs = typeof to === 'number' ? to : to.getTime() - Date.now();
  return () => new Date(Date.now() + shiftMs);
};
