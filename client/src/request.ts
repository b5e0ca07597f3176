import type { SentRequest } from './errors.ts';
import { randomKey } from './key.ts';
import type { FetchOptions, TokenFunction, WriteOptions } from './options.ts';
import { RateLimiter } from './rate-limit.ts';
import { bearer, checkedBase, checkedHeaders, type Limits, limitsOf, type Settings } from './settings.ts';

/** Where a call goes and what it takes, besides path parameters. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly query?: boolean;
  readonly body?: boolean;
  /** How its answers list items, where they do. */
  readonly list?: 'whole' | 'offset' | 'cursor';
}

/** A request ready to be sent. */
export interface PreparedRequest {
  /** Name of the call. */
  readonly call: string;
  readonly sent: SentRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly limits: Limits;
  /** What gives the token, where it is not among the headers. */
  readonly token: TokenFunction | undefined;
  /** The budget that it belongs to. */
  readonly rateLimiter: RateLimiter;
  readonly fetchOptions: FetchOptions;
  readonly signal: AbortSignal | undefined;
}

/** A path segment. `.` and `..` would be resolved away and reach another route. */
const segment = (name: string, value: unknown): string => {
  try {
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  } catch {
    // a lone surrogate
  }
  throw new TypeError(`${name} must be a non-empty string that can stand in a path`);
};

const queryOf = (query: unknown): string => {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`;
};

const bodyOf = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) throw new TypeError('the body must be an object');
  return JSON.stringify(body);
};

/**
 * Makes requests of a call's arguments: path parameters, then body, then query, then options. What all of them share is
 * made once.
 * @throws TypeError for arguments that cannot be sent, RangeError for limits that cannot be kept
 */
export const preparer = (
  call: string,
  route: Route,
  settings: Settings,
): ((args: readonly unknown[]) => PreparedRequest) => {
  /** Text, and names of parameters, in turn. */
  const parts = route.path.split(/[{}]/);
  const settle = (options: WriteOptions) => {
    const { baseUrl, token = settings.token, headers, idempotencyKey: key, fetchOptions, signal } = options;
    const all: Record<string, string> = {
      ...(route.body && { 'content-type': 'application/json', 'idempotency-key': randomKey() }),
      ...(typeof token !== 'function' && bearer(token)),
      ...settings.headers,
      ...(headers && checkedHeaders(headers)),
      ...(key && checkedHeaders({ 'idempotency-key': key })),
    };
    return {
      base: baseUrl === undefined ? settings.base : checkedBase(baseUrl),
      headers: all,
      token: typeof token === 'function' && !all['authorization'] ? token : undefined,
      limits: limitsOf(options, settings.limits),
      // what another account or service has left says nothing of the client's own budget
      rateLimiter: token === settings.token && baseUrl === undefined ? settings.rateLimiter : new RateLimiter(),
      fetchOptions: { ...settings.fetchOptions, ...fetchOptions },
      signal,
    };
  };
  /** Of calls without options; one that writes has a key of its own. */
  const usual = route.body ? undefined : settle({});
  return (args) => {
    let next = 0;
    let path = '';
    for (let at = 0; at < parts.length; at++) path += at % 2 ? segment(parts[at] as string, args[next++]) : parts[at];
    const body = route.body ? bodyOf(args[next++]) : undefined;
    if (route.query) path += queryOf(args[next++]);
    const options = args[next] as WriteOptions | undefined;
    const settled = (!options && usual) || settle(options ?? {});
    const { base, headers } = settled;
    const sent = { method: route.method, url: base + path, idempotencyKey: headers['idempotency-key'] };
    return { ...settled, call, sent, body };
  };
};
