import { checkedTimeout } from './deadline.ts';
import type { ClientOptions, Fetch } from './options.ts';

const BASE_PATH = '/api/v1';
const DEFAULT_TIMEOUT_MS = 30_000;

/** What a client was made with, checked. It stays in closures, so that no inspection of a client shows the token. */
export interface Settings {
  readonly base: string;
  readonly fetch: Fetch;
  readonly headers: Headers;
  readonly timeoutMs: number;
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

/** The syntax of RFC 6750. What does not fit would be refused by `fetch` with a message that quotes it. */
const checkedToken = (token: string): string => {
  if (!/^[\w.~+/-]+=*$/.test(token)) throw new TypeError('token must be a bearer token without blanks (RFC 6750)');
  return token;
};

/** Adds headers. The platform’s own message quotes the value, and that may be a secret. */
export const addHeaders = (headers: Headers, added: Readonly<Record<string, string>> = {}): void => {
  for (const [name, value] of Object.entries(added))
    try {
      headers.set(name, value);
    } catch {
      throw new TypeError(`the header "${name}" cannot be sent: its name or value is malformed`);
    }
};

/**
 * Checks the options of a client.
 * @throws TypeError, RangeError
 */
export const settingsOf = ({ baseUrl, token, fetch, headers, timeoutMs }: ClientOptions): Settings => {
  const common = new Headers({ accept: 'application/json, application/problem+json' });
  if (token !== undefined) common.set('authorization', `Bearer ${checkedToken(token)}`);
  addHeaders(common, headers);
  return {
    base: checkedBase(baseUrl),
    // Looked up at each call, and called as a method of its own object: browsers insist on that.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers: common,
    timeoutMs: checkedTimeout(timeoutMs ?? DEFAULT_TIMEOUT_MS),
  };
};
