/**
 * Sends a request, as the platform's `fetch` does.
 * @example const logged: Fetch = (url, init) => { console.log(url); return fetch(url, init); };
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Settings of a client.
 * @example const options: ClientOptions = { baseUrl: 'https://brokers.example/api/v1', timeoutMs: 5_000 };
 */
export interface ClientOptions {
  /** Address of the API, up to and including `/api/v1`. */
  readonly baseUrl: string;
  /** Bearer token. Needed to submit reviews and complaints; elsewhere requests are counted per account with it. */
  readonly token?: string | undefined;
  /** Instead of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Headers of every request, such as `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time for a whole call in milliseconds, 30 000 by default; `Infinity`: no limit. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Settings of one call.
 * @example await client.news.list({}, { signal: AbortSignal.timeout(500) });
 */
export interface CallOptions {
  /** Stops the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
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
