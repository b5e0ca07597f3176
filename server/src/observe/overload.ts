import { gauge, register } from './registry.ts';

/** What a process lets in, as it is now. */
export interface Load {
  readonly share: number;
  readonly inFlight: number;
  readonly connections: number;
  readonly refused: number;
}

/** Follows what a process lets in. */
export const watchOverload = (load: () => Load, maxInFlight: number, maxConnections: number): void => {
  gauge(
    'broker_rating_admitted_ratio',
    'Share of requests that is let in; below 1 while the event loop is late.',
    () => load().share,
  );
  gauge(
    'broker_rating_in_flight_requests',
    'Requests that wait for more than bytes that are ready.',
    () => load().inFlight,
  );
  gauge(
    'broker_rating_in_flight_max',
    'Such requests from which on more are refused (MAX_IN_FLIGHT).',
    () => maxInFlight,
  );
  gauge('broker_rating_connections', 'Open connections of callers.', () => load().connections);
  gauge(
    'broker_rating_connections_max',
    'Connections from which on requests are refused (MAX_CONNECTIONS).',
    () => maxConnections,
  );
  register({
    name: 'broker_rating_refused_requests_total',
    help: 'Requests that were refused by 503 since there was too much to do; they are in no other figure.',
    type: 'counter',
    read: () => [{ labels: {}, value: load().refused }],
  });
};
