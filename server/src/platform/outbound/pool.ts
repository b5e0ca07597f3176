import type { Dispatcher } from 'undici';
import { checkedLookup } from './fetch.ts';
import { checkUrl, OutboundError, type OutboundRules } from './rules.ts';

/** Outcome of a request whose answer is not read. */
export interface PostOutcome {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

/** No answer came. */
export class NoAnswerError extends OutboundError {
  /** True if the receiver was reached. */
  readonly isReached: boolean;

  constructor(message: string, isReached: boolean, cause: unknown) {
    super(message, { cause });
    this.isReached = isReached;
  }
}

/** Maximum bytes of an answer that are discarded to reuse the connection. A longer answer closes it. */
const MOST_DUMPED = 16_384;

/** Time in milliseconds that an idle connection stays open: its address was checked when it was opened. */
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
 * Posts to untrusted addresses over reused connections. The address of a connection is checked when it is opened;
 * redirects are not followed, and bodies of answers are discarded.
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
  /** Opened by the first request, since many processes never send one. */
  let opened: ReturnType<typeof open> | undefined;
  return {
    /**
     * @param timeoutMs limit for everything: name look-up, connection and answer; a status that came in time counts
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
        await answer.body.dump({ limit: MOST_DUMPED }).catch(() => {}); // keeps the connection for reuse
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
