/** Tells the time. Everything that depends on time takes one, so that tests can fix it. */
export type Clock = () => Date;

let shiftMs = 0;

/** The clock of this process. */
export const systemClock: Clock = () => new Date(Date.now() + shiftMs);

/** Moves the clock of this process, for tests and rehearsals: to a time from which it runs on, or by milliseconds. Once, at start. */
export const moveClock = (to: Date | number): void => {
  shiftMs = typeof to === 'number' ? to : to.getTime() - Date.now();
};
