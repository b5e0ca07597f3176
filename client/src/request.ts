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
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
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

const headersOf = (route: Route, settings: Settings, { headers, idempotencyKey: key }: WriteOptions) => ({
  ...(route.body && { 'content-type': 'application/json', 'idempotency-key': randomKey() }),
  ...settings.headers,
  ...(headers && checkedHeaders(headers)),
  ...(key && checkedHeaders({ 'idempotency-key': key })),
});

/**
 * Makes a request of a call's arguments: path parameters, then body, then query, then options.
 * @throws TypeError for arguments that cannot be sent, RangeError for limits that cannot be kept
 */
export const prepare = (call: string, route: Route, args: readonly unknown[], settings: Settings): PreparedRequest => {
  const rest = [...args];
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, rest.shift()));
  const body = route.body ? bodyOf(rest.shift()) : undefined;
  const query = route.query ? queryOf(rest.shift()) : '';
  const options = (rest.shift() ?? {}) as WriteOptions;
  const headers: Record<string, string> = headersOf(route, settings, options);
  return {
    call,
    sent: { method: route.method, url: settings.base + path + query, idempotencyKey: headers['idempotency-key'] },
    headers,
    body,
    limits: limitsOf(options, settings.limits),
    signal: options.signal,
  };
};
