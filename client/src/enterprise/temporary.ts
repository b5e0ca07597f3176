import { BrokerTransparencyError } from '../base-error.ts';
import { pause } from '../deadline.ts';
import { AnswerError, ConnectionError, InvalidResponseError, TimeoutError } from '../errors.ts';
import { retryAfterMs } from '../retry-after.ts';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 15_000;
/** Answers in a row that are cut or come from somebody else, until it is not worth to ask again. */
const MOST_INVALID = 5;

const isTemporary = (error: unknown, failed: number): boolean => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (!(error instanceof AnswerError)) return false;
  const { status } = error;
  if (error instanceof InvalidResponseError && status < 500) return status === 200 && failed < MOST_INVALID;
  return status === 408 || status === 429 || status >= 500;
};

/** The service could not answer many requests in a row. `cause` is the last refusal. */
export class StalledError extends BrokerTransparencyError {}
StalledError.prototype.name = 'StalledError';

/**
 * Calls again and again until it succeeds, as long as what fails can pass: a lost connection, an overloaded or
 * restarted server.
 * @param most failures in a row that are too many; by default none are
 * @throws StalledError after too many failures, and any other error at once
 */
export const untilAnswered = async <T>(
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  most = Number.POSITIVE_INFINITY,
): Promise<T> => {
  for (let failed = 0; ; failed++)
    try {
      return await call();
    } catch (error) {
      if (!isTemporary(error, failed)) throw error;
      if (failed + 1 >= most) throw new StalledError((error as Error).message, { cause: error });
      const asked = error instanceof AnswerError ? retryAfterMs(error.response.headers) : undefined;
      // clients that failed together shall not return together
      const delayMs = Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failed, 10));
      await pause((asked ?? 0) + delayMs, signal);
    }
};
