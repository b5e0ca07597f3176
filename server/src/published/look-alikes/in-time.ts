import { DomainError } from '../../platform/domain-error.ts';

/** How long a request waits for an index: that is made when somebody first asks. */
const PATIENCE_MS = 1000;

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
