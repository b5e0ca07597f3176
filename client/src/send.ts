import { readAnswer } from './answer.ts';
import { checkedTimeout, withDeadline } from './deadline.ts';
import { ConnectionError, type SentRequest, TimeoutError } from './errors.ts';
import type { PreparedRequest } from './request.ts';
import type { Settings } from './settings.ts';

/** The innermost message says most: Node's own is "fetch failed". */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
};

const connectionError = (sent: SentRequest, cause: unknown): ConnectionError =>
  new ConnectionError(`${sent.method} ${sent.url} got no complete answer: ${reasonOf(cause)}`, sent, { cause });

/**
 * Sends a request and reads its answer.
 * @throws BrokerTransparencyError, or the reason of the caller's signal
 */
export const send = async ({ sent, init, options }: PreparedRequest, settings: Settings): Promise<object> => {
  const timeoutMs = checkedTimeout(options.timeoutMs ?? settings.timeoutMs);
  const exchange = async (signal: AbortSignal) => {
    try {
      const response = await settings.fetch(sent.url, { ...init, signal });
      return { response, text: await response.text() };
    } catch (cause) {
      throw connectionError(sent, cause);
    }
  };
  const { response, text } = await withDeadline(
    exchange,
    timeoutMs,
    () => new TimeoutError(sent, timeoutMs),
    options.signal,
  );
  return readAnswer(text, sent, { status: response.status, headers: response.headers });
};
