import type { SentRequest } from './errors.ts';
import { randomKey } from './key.ts';
import type { WriteOptions } from './options.ts';
import { addHeaders, type Settings } from './settings.ts';

/** Where a call goes and what it takes, besides path parameters. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: boolean;
  readonly body: boolean;
}

/** A request ready to be sent. */
export interface PreparedRequest {
  readonly sent: SentRequest;
  readonly init: RequestInit;
  readonly options: WriteOptions;
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

const headersOf = (route: Route, settings: Settings, options: WriteOptions): Headers => {
  const headers = new Headers(settings.headers);
  if (route.body) headers.set('content-type', 'application/json');
  addHeaders(headers, options.headers);
  if (options.idempotencyKey !== undefined) addHeaders(headers, { 'idempotency-key': options.idempotencyKey });
  else if (route.body && !headers.has('idempotency-key')) headers.set('idempotency-key', randomKey());
  return headers;
};

/**
 * Makes a request of a call's arguments: path parameters, then body, then query, then options.
 * @throws TypeError for arguments that cannot be sent
 */
export const prepare = (route: Route, args: readonly unknown[], settings: Settings): PreparedRequest => {
  const rest = [...args];
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, rest.shift()));
  const body = route.body ? { body: bodyOf(rest.shift()) } : {};
  const query = route.query ? queryOf(rest.shift()) : '';
  const options = (rest.shift() ?? {}) as WriteOptions;
  const headers = headersOf(route, settings, options);
  const { method } = route;
  return {
    sent: { method, url: settings.base + path + query, idempotencyKey: headers.get('idempotency-key') ?? undefined },
    // A redirect would take the token elsewhere or turn a POST into a GET; this API has none.
    init: { method, headers, redirect: 'manual', ...body },
    options,
  };
};
