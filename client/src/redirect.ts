import type { AnswerError } from './errors.ts';
import type { PreparedRequest } from './request.ts';
import type { Settings } from './settings.ts';

/**
 * Moves a request to where its answer says, if that is a 308 to an address below the base address of the call. The
 * token thus stays with the server that the caller chose.
 */
export const follow = async (
  prepared: PreparedRequest,
  error: AnswerError,
  settings: Settings,
  signal: AbortSignal,
): Promise<void> => {
  const { sent } = prepared;
  try {
    // A browser reports status 0 and hides where a redirect leads. It follows this request to the end, which has no
    // headers, since browsers before 2024 send a token on to other origins; its cache keeps the answer for the next
    // try.
    const location = error.status
      ? error.status === 308 && error.response.headers.get('location')
      : (await settings.fetch(sent.url, { ...prepared.fetchOptions, signal })).url;
    const { href } = new URL(location || '//', sent.url); // `//` is no address
    if (href.startsWith(`${prepared.base}/`)) {
      sent.url = href;
      prepared.moved = error;
    }
  } catch {
    // There is no such address, and the call ends with the error.
  }
};
