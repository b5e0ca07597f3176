import { resolveBase } from './base.ts';
import type { SentRequest } from './errors.ts';
import { randomKey } from './key.ts';
import type { FetchOptions, TokenFunction, WriteOptions } from './options.ts';
import { RateLimiter } from './rate-limit.ts';
import {
  bearer,
  checkHeaders,
  checkLimits,
  checkOptions,
  type Limits,
  requireObject,
  type Settings,
} from './settings.ts';

/** The route of a call, and its inputs besides path parameters. */
export interface CallRoute {
  /** Path of the API that has the route; `/api/v1` by default. */
  readonly api?: string;
  /** GET by default. */
  readonly method?: string;
  readonly path: string;
  readonly query?: boolean;
  readonly body?: boolean;
  /** True if the API recognises a repeated request by its idempotency key. */
  readonly key?: boolean;
  /** True if a repeated request can have a second effect. */
  readonly once?: boolean;
  /** True for a call of a family that counts against the budget of the client's own calls. */
  readonly public?: boolean;
  /** True if the answer is a list; `from` if a number says where its next page begins. */
  readonly list?: boolean | 'from';
}

/** Reads the body of an answer: an object for what is taken as it is, a text, or undefined for more than `maxBytes`. */
export type BodyReader = (response: Response, maxBytes: number) => Promise<object | string | undefined>;

/** A request ready to be sent. */
export interface PreparedRequest {
  /** Name of the call. */
  readonly call: string;
  /** Address of the API, below which redirects are followed. */
  readonly base: string;
  /** The same object in all tries. A redirect changes its address. */
  readonly sent: SentRequest & { url: string };
  /** The redirect that the request has followed. There is one at most. */
  moved?: Error;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Reads the body of an answer that is a file, and returns an object for it. Otherwise the body is JSON. */
  readonly readBody?: BodyReader;
  readonly limits: Limits;
  /** The token function, unless the headers already contain a token. */
  readonly token: TokenFunction | undefined;
  /** The budget that the request counts against. */
  readonly rateLimiter: RateLimiter;
  readonly fetchOptions: FetchOptions;
  readonly signal: AbortSignal | undefined;
}

/** Encodes a path segment. Refuses `.` and `..`, because URLs resolve them and would reach another route. */
export const encodeSegment = (name: string, value: unknown): string => {
  try {
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  } catch {
    // the text has a lone surrogate
  }
  throw new TypeError(`${name} must be a non-empty string that can stand in a path`);
};

const formatQuery = (query: unknown): string => {
  const pairs = Object.entries(requireObject('query', query ?? {})).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs as [string, string][])}`;
};

/**
 * Returns a function that builds requests from a call's arguments: path parameters, then the body, the query and the
 * options. Everything that these requests share is built once.
 * @throws TypeError for arguments that cannot be sent, RangeError for invalid limits
 */
export const createPreparer = (
  call: string,
  route: CallRoute,
  settings: Settings,
): ((args: readonly unknown[]) => PreparedRequest) => {
  const { api = '/api/v1' } = route;
  /** Literal text and parameter names, alternating. */
  const parts = route.path.split(/[{}]/);
  const resolveOptions = (options: WriteOptions) => {
    checkOptions(options, 'signal', ...(route.key ? ['idempotencyKey'] : []));
    const { baseUrl, token = settings.token, headers, idempotencyKey: key, fetchOptions, signal } = options;
    const all: Record<string, string> = {
      ...(route.key && { 'idempotency-key': randomKey() }),
      ...(route.body && { 'content-type': 'application/json' }),
      ...(typeof token !== 'function' && bearer(token)),
      ...settings.headers,
      ...checkHeaders({ ...headers, ...(key && { 'idempotency-key': key }) }),
    };
    return {
      base: (baseUrl === undefined ? settings.base : resolveBase(baseUrl)) + api,
      headers: all,
      token: typeof token === 'function' && !all['authorization'] ? token : undefined,
      limits: checkLimits(options, settings.limits),
      // the budget of another account or service says nothing about the client's own
      rateLimiter: token === settings.token && baseUrl === undefined ? settings.rateLimiter : new RateLimiter(),
      fetchOptions: { ...settings.fetchOptions, ...fetchOptions },
      signal,
    };
  };
  /** Settings of calls without options. Not for calls that each need a key of their own. */
  const usual = route.key ? undefined : resolveOptions({});
  return (args) => {
    let next = 0;
    let path = '';
    for (let at = 0; at < parts.length; at++)
      path += at % 2 ? encodeSegment(parts[at] as string, args[next++]) : parts[at];
    const body = route.body ? JSON.stringify(requireObject('body', args[next++])) : null;
    if (route.query) path += formatQuery(args[next++]);
    const options = args[next] as WriteOptions | undefined;
    const settled = (!options && usual) || resolveOptions(options ?? {});
    const { base, headers } = settled;
    const sent = { method: route.method ?? 'GET', url: base + path, idempotencyKey: headers['idempotency-key'] };
    return { ...settled, call, sent, body };
  };
};
