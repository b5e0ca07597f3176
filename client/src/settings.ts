import type { AnswerCheck } from './api-response.ts';
import { resolveBase } from './base.ts';
import { checkedTimeout } from './deadline.ts';
import { debugHooks } from './debug.ts';
import { VERSION } from './generated/version.ts';
import type { Hooks } from './hooks.ts';
import type { CallOptions, ClientOptions, Fetch, FetchOptions, TokenFunction } from './options.ts';
import { RateLimiter } from './rate-limit.ts';
import { type AnswerStore, memoryStore } from './store.ts';
import { bounded } from './text.ts';

/** The checked limits of a call. */
export interface Limits {
  readonly timeoutMs: number;
  readonly tryTimeoutMs: number;
  readonly maxWaitMs: number;
  readonly maxBytes: number;
  readonly retries: number;
}

/** The checked options of a client. They stay in closures, so that inspecting a client does not show the token. */
export interface Settings {
  /** Address of the service, as `resolveBase` returns it. */
  readonly base: string;
  readonly fetch: Fetch;
  /** Headers of every request, with names in lower case. An `authorization` header takes precedence over tokens. */
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | TokenFunction | undefined;
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  /** Undefined: only the further pages of lists wait for their budget. */
  readonly pace: boolean | undefined;
  readonly store: AnswerStore | undefined;
  readonly hooks: readonly Hooks[];
  /** Verifies an answer before the caller gets it. */
  verify?: AnswerCheck | undefined;
  readonly fetchOptions: FetchOptions | undefined;
}

/**
 * Returns the header for a token, in the syntax of RFC 6750. `fetch` would refuse any other token with a message that
 * quotes it.
 */
export const bearer = (token: string | null | undefined): { authorization?: string } => {
  if (token === undefined || token === null) return {};
  if (!/^[\w.~+/-]+=*$/.test(token)) throw new TypeError('token must be a bearer token without blanks (RFC 6750)');
  return { authorization: `Bearer ${token}` };
};

/**
 * Returns headers with names in lower case. The platform's own error message would quote the value, which may be
 * secret.
 */
export const checkHeaders = (headers: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const checked = new Headers();
  for (const [name, value] of Object.entries(headers))
    try {
      checked.set(name, value);
    } catch {
      throw new TypeError(`the header "${bounded(name, 100)}" cannot be sent: its name or value is malformed`);
    }
  return Object.fromEntries(checked);
};

const DEFAULT_LIMITS: Limits = {
  timeoutMs: 30_000,
  tryTimeoutMs: 10_000,
  retries: 2,
  maxWaitMs: 65_000,
  maxBytes: 64_000_000,
};

/**
 * Returns the limits of a call.
 * @throws RangeError for a limit that is not in range
 */
export const checkLimits = (options: Pick<CallOptions, keyof Limits>, otherwise = DEFAULT_LIMITS): Limits => {
  const limits: Record<keyof Limits, number> = { ...otherwise };
  for (const name of Object.keys(limits) as (keyof Limits)[]) {
    const limit = options[name] ?? limits[name];
    limits[name] = /timeout/i.test(name) ? checkedTimeout(name, limit) : limit;
    if (!(limit >= 0)) throw new RangeError(`${name} must be 0 or more`);
  }
  return limits;
};

const SHARED_OPTIONS = ['baseUrl', 'token', 'headers', 'fetchOptions', ...Object.keys(DEFAULT_LIMITS)];

/**
 * Refuses options that do not exist, which TypeScript would not compile.
 * @param more names of options besides the shared ones
 */
export const checkOptions = (options: object, ...more: string[]): void => {
  const names = [...SHARED_OPTIONS, ...more];
  for (const given of Object.keys(requireObject('options', options))) {
    if (names.includes(given)) continue;
    const near = names.find((name) => given.toLowerCase().includes(name.slice(0, 4).toLowerCase()));
    const meant = near ? `: did you mean "${near}"?` : `; there are ${names.join(', ')}`;
    throw new TypeError(`there is no option "${bounded(given, 100)}"${meant}`);
  }
};

/** Returns an argument if it is an object. */
export const requireObject = (name: string, value: unknown): object => {
  if (typeof value === 'object' && value && !Array.isArray(value)) return value;
  throw new TypeError(`the ${name} must be an object`);
};

/**
 * Tells whether the code runs in a browser. Pages and workers have the first property, service workers the second;
 * servers have neither.
 */
const isBrowser = (): boolean => 'XMLHttpRequest' in globalThis || 'registration' in globalThis;

/**
 * Checks the options of a client.
 * @throws TypeError, RangeError for options that cannot be used
 */
export const createSettings = (given: ClientOptions | undefined): Settings => {
  const options = given ?? ({} as ClientOptions); // without options, the error names the missing one
  checkOptions(options, 'pace', 'fetch', 'store', 'hooks', 'clientVersion', 'verify', 'with');
  const { fetch, hooks = [], fetchOptions, pace } = options;
  const { store = !isBrowser() && memoryStore(), clientVersion = !isBrowser() } = options;
  const token = options.token ?? undefined;
  if (typeof token !== 'function') bearer(token); // refuse at once a token that cannot be sent
  return {
    base: resolveBase(options.baseUrl),
    // Looks up `fetch` at each call, and calls it as a method of its object, because browsers require that.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers: {
      accept: 'application/json, application/problem+json',
      ...(clientVersion && { 'x-client-version': `broker-transparency-js/${VERSION}` }),
      ...checkHeaders(options.headers),
    },
    token,
    limits: checkLimits(options),
    rateLimiter: new RateLimiter(),
    pace,
    store: store || undefined,
    hooks: [hooks, debugHooks()].flat(),
    fetchOptions,
  };
};
