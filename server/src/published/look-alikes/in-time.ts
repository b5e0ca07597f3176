import { DomainError } from '../../platform/domain-error.ts';

/** Time in milliseconds that a request waits for an index, which is built on first use. */
const PATIENCE_MS = 1000;

/** @throws DomainError unavailable while the index is being built */
export const inTime = async <T>(made: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(new DomainError('unavailable', 'The index is being made. Try again in some seconds.', { retryAfter: 3 })),
    PATIENCE_MS,
  );
  made.catch(() => undefined); // it may fail after the caller has stopped waiting
  return Promise.race([made, late]).finally(() => clearTimeout(timer));
};
