import type { Hooks } from './hooks.ts';
import type { AnswerStore } from './store.ts';

/**
 * Sends a request, as the platform's `fetch` does.
 * @example const logged: Fetch = (url, init) => { console.log(url); return fetch(url, init); };
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Gives the bearer token for a try, asynchronously or not; undefined: none.
 * @param refused the token that the API has just answered with 401 `invalid_token`: give another one, or the call fails
 * @example const token: TokenFunction = (refused) => (refused ? login() : cachedToken);
 */
export type TokenFunction = (refused?: string) => string | undefined | Promise<string | undefined>;

/**
 * What `fetch` takes besides, as the platform types it.
 * @example const fetchOptions: FetchOptions = { cache: 'no-store' };
 */
export type FetchOptions = Readonly<Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect' | 'signal'>>;

/** What may be set for the client and for one call. */
interface Limits {
  /** Time for a whole call with its retries in milliseconds, 30 000 by default; `Infinity`: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Time for each try in milliseconds, 10 000 by default; `Infinity`: no limit. */
  readonly tryTimeoutMs?: number | undefined;
  /**
   * How often a call is tried again, 2 by default: after a failed connection, a try that took too long, and the answers
   * 408, 429, 502, 503 and 504. A write that is still being done (409 `idempotency_in_progress`) is asked for until the call's
   * time is over, unless this is 0.
   */
  readonly retries?: number | undefined;
  /** Handed to `fetch` as they are, such as `{ next: { revalidate: 60 } }` in Next.js; those of a call win. */
  readonly fetchOptions?: FetchOptions | undefined;
}

/**
 * Settings of a client.
 * @example const options: ClientOptions = { baseUrl: 'https://brokers.example/api/v1', timeoutMs: 5_000 };
 */
export interface ClientOptions extends Limits {
  /** Address of the API, up to and including `/api/v1`. */
  readonly baseUrl: string;
  /**
   * Bearer token, or a function that gives it for each try. Needed to submit reviews and complaints; elsewhere
   * requests are counted per account with it.
   */
  readonly token?: string | TokenFunction | undefined;
  /** Instead of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Headers of every request, such as `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Waits for the next window before a request that the budget has no room for, where the call's time allows it. Until
   * a first answer has told the budget, one request is sent at a time.
   */
  readonly pace?: boolean | undefined;
  /**
   * Keeps answers, so that unchanged ones are not sent again (ETag). By default in memory, but not in browsers, which
   * do that themselves; `false`: nowhere.
   */
  readonly store?: AnswerStore | false | undefined;
  /**
   * Sends this client's version as `X-Client-Version`. By default not in browsers, where an API has to allow each
   * header (CORS).
   */
  readonly clientVersion?: boolean | undefined;
  /** What to do at the steps of a call. */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
}

/**
 * Settings of one call.
 * @example await client.news.list({}, { signal: AbortSignal.timeout(500) });
 */
export interface CallOptions extends Limits {
  /** Stops the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Another address of the API for this call. It gets the client's token too, unless the call has its own. */
  readonly baseUrl?: string | undefined;
  /** Bearer token of this call, or a function that gives it, instead of the client's. */
  readonly token?: string | TokenFunction | undefined;
  /** Headers of this request; they win over the client's. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Settings of a call that writes.
 * @example await client.reviews.create(review, { idempotencyKey: 'my-review-17' });
 */
export interface WriteOptions extends CallOptions {
  /** Names the request, so that repeating it cannot do it twice. A random one by default. */
  readonly idempotencyKey?: string | undefined;
}
