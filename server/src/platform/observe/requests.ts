import { memoize } from './counted.ts';
import type { Metrics } from './metrics.ts';

/**
 * Source of an answer: the response cache (`ready`), the fast path, which made it for this request (`made`), Express
 * (`app`), or a refusal before either (`refused`).
 */
export type AnswerSource = 'ready' | 'made' | 'app' | 'refused';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);
const SOURCES: readonly AnswerSource[] = ['ready', 'made', 'app', 'refused'];

/** Label for unknown paths, files of the API reference, and requests that are refused before they are routed. */
export const OTHER_ROUTE = 'other';

/** A request that was answered. */
interface AnsweredRequest {
  readonly method: string;
  /** Template of the route, so that the number of series stays small whatever callers request. */
  readonly route: string;
  readonly status: number;
  readonly source: AnswerSource;
  readonly ms: number;
}

/** Counts a request that was answered. */
export type CountRequest = (answered: AnsweredRequest) => void;

/**
 * Creates the function that counts requests. It finds the series by route, by method, and by a number that combines
 * status and source, so the lookup builds no key.
 */
export const createRequestCount = (metrics: Metrics): CountRequest => {
  const requestDurations = metrics.durations<
    'http_request_method' | 'http_route' | 'http_response_status_code' | 'answer_source'
  >('http_server_request_duration_seconds', 'Requests by route, and how long they took until the answer was written.');
  const find = memoize((route: string) =>
    memoize((method: string) =>
      memoize((statusAndSource: number) =>
        requestDurations({
          http_request_method: method,
          http_route: route,
          http_response_status_code: String(statusAndSource >> 2),
          answer_source: SOURCES[statusAndSource & 3] as AnswerSource,
        }),
      ),
    ),
  );
  return ({ method, route, status, source, ms }) =>
    find(route)(METHODS.has(method) ? method : '_OTHER')((status << 2) | SOURCES.indexOf(source))(ms);
};

/** Load of one process. */
interface Load {
  readonly share: number;
  readonly inFlight: number;
  readonly awaited: number;
  readonly connections: number;
  readonly maxConnections: number;
  /** Number of connections closed for lack of room, not for a fault of their callers, by reason. */
  readonly closed: Readonly<Record<string, number>>;
  readonly refused: number;
}

/** Publishes the load of a process. */
export const watchLoad = (metrics: Metrics, load: () => Load): void => {
  metrics.gauge(
    'http_server_active_requests',
    'Requests whose answer is not ready in the cache.',
    () => load().inFlight,
  );
  metrics.gauge(
    'broker_rating_awaited_bodies',
    'Requests that wait for their bodies; they are not among the active ones.',
    () => load().awaited,
  );
  metrics.gauge('http_server_open_connections', 'Connections of callers.', () => load().connections);
  metrics.gauge(
    'broker_rating_connections_max',
    'Connections that there is room for (MAX_CONNECTIONS).',
    () => load().maxConnections,
  );
  metrics.register({
    name: 'broker_rating_connections_closed_total',
    help:
      'Connections that were closed for want of places: share (of their network), room (silent, for somebody ' +
      'else), full (none was silent).',
    type: 'counter',
    read: () => Object.entries(load().closed).map(([reason, value]) => ({ labels: { reason }, value })),
  });
  metrics.gauge(
    'broker_rating_admitted_ratio',
    'Share of requests that is let in; 1 without overload.',
    () => load().share,
  );
  metrics.register({
    name: 'broker_rating_overload_refused_total',
    help: 'Requests that were refused for overload; they are among the requests, too.',
    type: 'counter',
    read: () => [{ labels: {}, value: load().refused }],
  });
};
