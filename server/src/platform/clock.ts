/** Tells the time. Everything that depends on time takes one, so that tests can fix it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
