import { setImmediate as turn } from 'node:timers/promises';
import { DomainError } from '../../platform/domain-error.ts';

/** How long a request waits for an index: that is made when somebody first asks. */
const PATIENCE_MS = 1000;
/** Work between two turns of the event loop, in milliseconds: other requests are answered meanwhile. */
const TURN_MS = 10;

/** @throws DomainError unavailable while it is being made */
export const inTime = async <T>(made: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(new DomainError('unavailable', 'The index is being made. Try again in some seconds.', { retryAfter: 3 })),
    PATIENCE_MS,
  );
  made.catch(() => undefined); // it may fail when nobody waits any more
  return Promise.race([made, late]).finally(() => clearTimeout(timer));
};

/** Gives others their turn where the last one was long ago. */
export const createTurns = () => {
  let since = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - since < TURN_MS) return;
    await turn();
    since = performance.now();
  };
};
