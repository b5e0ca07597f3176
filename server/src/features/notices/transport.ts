import { computeDelay } from '../../platform/delivery/retry.rule.ts';
import type { Log } from '../../platform/observe/log.ts';
import { TRANSPORT_RETRIES } from './policy.rule.ts';

/** Knows whether the mail server takes mail at all. While it does not, one message asks for it now and then. */
export const createTransport = (log: Log) => {
  let failures = 0;
  let restsUntil = 0;
  const isResting = (): boolean => performance.now() < restsUntil;
  return {
    isResting,
    /** Returns whether the next message asks if the server is back. */
    isFailing: (): boolean => failures > 0,
    succeed: (): void => {
      failures = 0;
    },
    fail: (problem: string): void => {
      if (isResting()) return;
      const delay = computeDelay(TRANSPORT_RETRIES, ++failures, Math.random());
      restsUntil = performance.now() + delay;
      log.error({ problem, againInMs: delay }, 'the mail server takes no mail; it is tried again');
    },
  };
};
export type Transport = ReturnType<typeof createTransport>;
