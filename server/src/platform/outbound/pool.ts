import type { Dispatcher } from 'undici';
import { checkedLookup } from './fetch.ts';
import { checkUrl, OutboundError, type OutboundRules } from './rules.ts';

/** What came of a request whose answer is not read. */
export interface PostOutcome {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

/** No answer came. */
export class NoAnswerError extends OutboundError {
  /** Whether the other side was reached at all. */
  readonly isReached: boolean;

  constructor(message: string, isReached: boolean, cause: unknown) {
    super(message, { cause });
    this.isReached = isReached;
  }
}

/** Bytes of an answer that are thrown away to use the connection again. One with more closes it. */
const MOST_DUMPED = 16_384;

/** How long a connection without requests stays open: its address was checked when it was opened. */
const KEPT_MS = 4000;

/** Codes of faults that happen after a connection was made. */
const REACHED = new Set(['UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ECONNRESET', 'EPIPE']);

const readFirstHeader = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const explain = (error: unknown, late: string | undefined): unknown => {
  if (late !== undefined) return new NoAnswerError(late, true, error);
  const { cause, code } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (error instanceof OutboundError || cause instanceof OutboundError)
    return new NoAnswerError((cause instanceof OutboundError ? cause : (error as Error)).message, false, error);
  if (typeof code !== 'string') return error;
  const isReached = REACHED.has(code) || code.startsWith('HPE_');
  return new NoAnswerError(isReached ? `breaks off (${code})` : `cannot be reached (${code})`, isReached, error);
};

/**
 * Posts to untrusted addresses over connections that are used again. Each connection goes to an address that was
 * checked when it was opened; redirects are not followed, and bodies of answers are thrown away.
 */
export const createPool = (rules: OutboundRules) => {
  const open = async () => {
    const { Agent, request } = await import('undici');
    const agent = new Agent({
      connect: { lookup: checkedLookup(rules), timeout: 10_000 },
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MS,
      pipelining: 1,
      allowH2: false, // one slow answer must not hold up others on its connection
      maxHeaderSize: 16_384,
    });
    return { agent, request };
  };
  /** Opened by the first request: many processes never send one. */
  let opened: ReturnType<typeof open> | undefined;
  return {
    /**
     * @param timeoutMs for everything: name look-up, connection and answer; a status that came in time counts
     * @throws NoAnswerError; the reason of `signal`
     */
    post: async (
      address: string,
      sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
      { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
    ): Promise<PostOutcome> => {
      const ending = new AbortController();
      const late = `gives no answer within ${timeoutMs / 1000} s`;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        ending.abort(new Error(late));
      }, timeoutMs);
      const stop = (): void => ending.abort(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const url = new URL(address);
        checkUrl(url, rules);
        opened ??= open();
        const { agent, request } = await opened;
        const answer = await request(url, { dispatcher: agent, method: 'POST', signal: ending.signal, ...sent });
        answer.body.on('error', () => {}); // nobody reads it
        await answer.body.dump({ limit: MOST_DUMPED }).catch(() => {}); // or the next request needs a new connection
        return { status: answer.statusCode, header: (name) => readFirstHeader(answer.headers, name) };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw explain(error, isLate ? late : undefined);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    },
    close: async (): Promise<void> => (await opened)?.agent.destroy(),
  };
};
export type Pool = ReturnType<typeof createPool>;
