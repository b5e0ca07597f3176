import type { SentRequest } from './errors.ts';
import { randomKey } from './key.ts';
import type { WriteOptions } from './options.ts';
import { checkedHeaders, type Limits, limitsOf, type Settings } from './settings.ts';

/** Where a call goes and what it takes, besides path parameters. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: boolean;
  readonly body: boolean;
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
  readonly signal: AbortSignal | undefined;
}

/** A path segment. `.` and `..` would be resolved away and reach another route. */
const segment = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..' || /\p{Cs}/u.test(value))
    throw new TypeError(`${name} must be a non-empty string that can stand in a path`);
  return encodeURIComponent(value);
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

/** Headers of a call; those of the client themselves where nothing is added. */
const headersOf = (route: Route, settings: Settings, options: WriteOptions | undefined): Record<string, string> => {
  if (!route.body && !options?.headers && !options?.idempotencyKey) return settings.headers;
  const { headers, idempotencyKey: key } = options ?? {};
  return {
    ...(route.body && { 'content-type': 'application/json', 'idempotency-key': randomKey() }),
    ...settings.headers,
    ...(headers && checkedHeaders(headers)),
    ...(key && checkedHeaders({ 'idempotency-key': key })),
  };
};

/**
 * Makes requests of a call's arguments: path parameters, then body, then query, then options. What all of them share is made once.
 * @throws TypeError for arguments that cannot be sent, RangeError for limits that cannot be kept
 */
export const preparer = (
  call: string,
  route: Route,
  settings: Settings,
): ((args: readonly unknown[]) => PreparedRequest) => {
  /** Text, and names of parameters, in turn. */
  const parts = route.path.split(/[{}]/);
  return (args) => {
    let next = 0;
    let url = settings.base;
    parts.forEach((part, at) => {
      url += at % 2 === 0 ? part : segment(part, args[next++]);
    });
    const body = route.body ? bodyOf(args[next++]) : undefined;
    if (route.query) url += queryOf(args[next++]);
    const options = args[next] as WriteOptions | undefined;
    const headers = headersOf(route, settings, options);
    return {
      call,
      sent: { method: route.method, url, idempotencyKey: headers['idempotency-key'] },
      headers,
      body,
      limits: options ? limitsOf(options, settings.limits) : settings.limits,
      signal: options?.signal,
    };
  };
};
