import { checkedTimeout } from './deadline.ts';
import type { Hooks } from './hooks.ts';
import type { CallOptions, ClientOptions, Fetch } from './options.ts';
import { RateLimiter } from './rate-limit.ts';
import { type AnswerStore, memoryStore } from './store.ts';

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
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly token: (() => string | Promise<string>) | undefined;
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly pace: boolean;
  readonly store: AnswerStore | undefined;
  readonly hooks: readonly Hooks[];
}

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

/** `baseUrl` without its last slash. The message does not quote it: it may hold a password. */
const checkedBase = (baseUrl: string): string => {
  const url = parseUrl(baseUrl);
  const path = url?.pathname.replace(/\/$/, '');
  const plain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!url || !plain || !/^https?:$/.test(url.protocol) || !path?.endsWith(BASE_PATH))
    throw new TypeError(
      `baseUrl must be an http or https address that ends in ${BASE_PATH}, such as https://brokers.example${BASE_PATH}, without credentials, query or fragment`,
    );
  return url.origin + path;
};

/**
 * The header for a token, in the syntax of RFC 6750. What does not fit would be refused by `fetch` with a message that
 * quotes it.
 */
export const bearer = (token: string): { authorization: string } => {
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
      throw new TypeError(`the header "${name}" cannot be sent: its name or value is malformed`);
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

/** Browsers keep answers themselves: they, and no servers, have XMLHttpRequest. */
const defaultStore = (): AnswerStore | false => !('XMLHttpRequest' in globalThis) && memoryStore();

/**
 * Checks the options of a client.
 * @throws TypeError, RangeError
 */
export const settingsOf = (options: ClientOptions): Settings => {
  const { token, fetch, hooks = [], store = defaultStore() } = options;
  const isFunction = typeof token === 'function';
  return {
    base: checkedBase(options.baseUrl),
    // Looked up at each call, and called as a method of its own object: browsers insist on that.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers: {
      accept: 'application/json, application/problem+json',
      ...(isFunction || token === undefined ? {} : bearer(token)),
      ...checkedHeaders(options.headers),
    },
    token: isFunction ? token : undefined,
    limits: limitsOf(options, { timeoutMs: 30_000, tryTimeoutMs: 10_000, retries: 2 }),
    rateLimiter: new RateLimiter(),
    pace: options.pace === true,
    store: store || undefined,
    hooks: [hooks].flat(),
  };
};
