import { checkedTimeout } from './deadline.ts';
import { debugHooks } from './debug.ts';
import { VERSION } from './generated/version.ts';
import type { Hooks } from './hooks.ts';
import type { CallOptions, ClientOptions, Fetch, FetchOptions, TokenFunction } from './options.ts';
import { RateLimiter } from './rate-limit.ts';
import { type AnswerStore, memoryStore } from './store.ts';
import { bounded } from './text.ts';

const BASE_PATH = '/api/v1';

/** How long and how often a call is tried, checked. */
export interface Limits {
  readonly timeoutMs: number;
  readonly tryTimeoutMs: number;
  readonly retries: number;
}

/** What a client was made with, checked. It stays in closures, so that no inspection of a client shows the token. */
export interface Settings {
  readonly base: string;
  readonly fetch: Fetch;
  /** Of every request, by name in lower case; an `authorization` among them goes before tokens. */
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | TokenFunction | undefined;
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly pace: boolean;
  readonly store: AnswerStore | undefined;
  readonly hooks: readonly Hooks[];
  readonly fetchOptions: FetchOptions | undefined;
}

/** `baseUrl` without its last slash. The message does not quote it: it may hold a password. */
export const checkedBase = (baseUrl: string): string => {
  try {
    const { origin, pathname, href } = new URL(baseUrl);
    const path = pathname.replace(/\/$/, '');
    // nothing else stands in an address that is no more than this
    if (/^https?:/.test(origin) && path.endsWith(BASE_PATH) && href === origin + pathname) return origin + path;
  } catch {
    // refused below
  }
  throw new TypeError(
    `baseUrl must be an http or https address that ends in ${BASE_PATH}, without credentials, query or fragment`,
  );
};

/**
 * The header for a token, in the syntax of RFC 6750. What does not fit would be refused by `fetch` with a message that
 * quotes it.
 */
export const bearer = (token: string | null | undefined): { authorization?: string } => {
  if (token === undefined || token === null) return {};
  if (!/^[\w.~+/-]+=*$/.test(token)) throw new TypeError('token must be a bearer token without blanks (RFC 6750)');
  return { authorization: `Bearer ${token}` };
};

/** Headers by name in lower case. The platform’s own message quotes the value, and that may be a secret. */
export const checkedHeaders = (headers: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const checked = new Headers();
  for (const [name, value] of Object.entries(headers))
    try {
      checked.set(name, value);
    } catch {
      throw new TypeError(`the header "${bounded(name, 100)}" cannot be sent: its name or value is malformed`);
    }
  return Object.fromEntries(checked);
};

/**
 * Limits of a call.
 * @throws RangeError
 */
export const limitsOf = (options: Pick<CallOptions, keyof Limits>, otherwise: Limits): Limits => {
  const { retries = otherwise.retries } = options;
  if (!(retries >= 0)) throw new RangeError('retries must be 0 or more');
  return {
    timeoutMs: checkedTimeout('timeoutMs', options.timeoutMs ?? otherwise.timeoutMs),
    tryTimeoutMs: checkedTimeout('tryTimeoutMs', options.tryTimeoutMs ?? otherwise.tryTimeoutMs),
    retries,
  };
};

/** Pages and workers of browsers have the one, service workers the other; no server has either. */
const inBrowser = (): boolean => 'XMLHttpRequest' in globalThis || 'registration' in globalThis;

/**
 * Checks the options of a client.
 * @throws TypeError, RangeError
 */
export const settingsOf = (given: ClientOptions | undefined): Settings => {
  const options = given ?? ({} as ClientOptions); // where nothing was given, what is missing is named
  const { fetch, hooks = [], fetchOptions } = options;
  const { store = !inBrowser() && memoryStore(), clientVersion = !inBrowser() } = options;
  const token = options.token ?? undefined;
  if (typeof token !== 'function') bearer(token); // refused at once where it cannot be sent
  return {
    base: checkedBase(options.baseUrl),
    // Looked up at each call, and called as a method of its own object: browsers insist on that.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers: {
      accept: 'application/json, application/problem+json',
      ...(clientVersion && { 'x-client-version': `broker-transparency-js/${VERSION}` }),
      ...checkedHeaders(options.headers),
    },
    token,
    limits: limitsOf(options, { timeoutMs: 30_000, tryTimeoutMs: 10_000, retries: 2 }),
    rateLimiter: new RateLimiter(),
    pace: options.pace === true,
    store: store || undefined,
    hooks: [hooks, debugHooks()].flat(),
    fetchOptions,
  };
};
