import type { Hooks } from './hooks.ts';
import type { AnswerStore } from './store.ts';

/**
 * Sends a request, like the platform's `fetch`.
 * @example const logged: Fetch = (url, init) => { console.log(url); return fetch(url, init); };
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Gives the bearer token for a try, as a value or a promise. Undefined means no token.
 * @param refused the token that the API has just refused with 401 `invalid_token`. If the function gives the same token
 * again, the call fails
 * @example const token: TokenFunction = (refused) => (refused ? login() : cachedToken);
 */
export type TokenFunction = (refused?: string) => string | undefined | Promise<string | undefined>;

/**
 * Further options of the platform's `fetch`, with the platform's types.
 * @example const fetchOptions: FetchOptions = { cache: 'no-store' };
 */
export type FetchOptions = Readonly<Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect' | 'signal'>>;

/** Options of both the client and a single call. */
interface LimitOptions {
  /**
   * Time limit for a whole call including its retries, in milliseconds; 30 000 by default. `Infinity` means no limit.
   * Waits for the request budget have their own limit, `maxWaitMs`.
   */
  readonly timeoutMs?: number | undefined;
  /** Time limit for each try, in milliseconds; 10 000 by default. `Infinity` means no limit. */
  readonly tryTimeoutMs?: number | undefined;
  /**
   * Maximum time that a paced call waits for the request budget, in milliseconds; 65 000 by default, a little more than
   * a window. A call that would wait longer is sent, and the API decides. `Infinity` means no limit.
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Maximum number of retries, 2 by default. The client retries after a failed connection, a try that took too long,
   * and the answers 408, 429, 502, 503 and 504; after a GET also all other answers from 500 on except 501 and 505. If
   * the API is still processing the first try of a write (409 `idempotency_in_progress`), the client asks again until
   * the call's time is over, unless `retries` is 0.
   */
  readonly retries?: number | undefined;
  /** Maximum length of an answer in bytes, 64 000 000 by default. A longer one is an `InvalidResponseError`. */
  readonly maxBytes?: number | undefined;
  /**
   * Passed to `fetch` unchanged, such as `{ next: { revalidate: 60 } }` in Next.js. Those of a call take precedence.
   */
  readonly fetchOptions?: FetchOptions | undefined;
}

/**
 * Options of a client.
 * @example const options: ClientOptions = { baseUrl: 'https://brokers.example/api/v1', timeoutMs: 5_000 };
 */
export interface ClientOptions extends LimitOptions {
  /**
   * Address of the service: its origin, with the path before its APIs if there is one. It may end in `/api/v1`. In
   * browsers it may be a path, such as `/`.
   */
  readonly baseUrl: string;
  /**
   * Bearer token, or a function that gives one for each try. Submitting reviews and complaints needs a token. On other
   * calls it makes the API count requests per account.
   */
  readonly token?: string | TokenFunction | undefined;
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Headers of every request, such as `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * If true, a call that finds the budget used up waits for the next window. Until the first answer states the budget,
   * the client sends one request at a time. By default only the further pages of a list wait; `false` turns that off.
   */
  readonly pace?: boolean | undefined;
  /**
   * Stores answers, so that the API does not send unchanged ones again (ETag). The default is a store in memory. In
   * browsers, which cache answers themselves, it is off by default; `false` turns it off everywhere.
   */
  readonly store?: AnswerStore | false | undefined;
  /**
   * If true, sends this client's version as `X-Client-Version`. Off by default in browsers, where the API must allow
   * each header (CORS).
   */
  readonly clientVersion?: boolean | undefined;
  /** Functions to call at the steps of a call. */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
}

/**
 * Options of one call.
 * @example await client.news.list({}, { signal: AbortSignal.timeout(500) });
 */
export interface CallOptions extends LimitOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Address of another service for this call. The client's token is sent there too, unless the call has its own. */
  readonly baseUrl?: string | undefined;
  /** Bearer token for this call instead of the client's, or a function that gives one. */
  readonly token?: string | TokenFunction | undefined;
  /** Headers of this request. They take precedence over the client's. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Options of a call that writes.
 * @example await client.reviews.create(review, { idempotencyKey: 'my-review-17' });
 */
export interface WriteOptions extends CallOptions {
  /** Identifies the request, so that repeating it has no second effect. Random by default. */
  readonly idempotencyKey?: string | undefined;
}
