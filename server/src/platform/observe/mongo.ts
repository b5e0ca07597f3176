import mongoose from 'mongoose';
import type { Db } from '../mongo.ts';
import { memoize } from './counted.ts';
import type { Metrics } from './metrics.ts';

const toFailureName = (failure: Error): string =>
  failure instanceof mongoose.mongo.MongoServerError ? (failure.codeName ?? failure.name) : failure.name;

/** Use of a pool's connections: requests, or background work. */
export type Pool = 'foreground' | 'background';

interface PoolState {
  readonly open: Set<string>;
  readonly most: number;
  used: number;
  waiting: number;
}

/** Publishes the connections of the watched pools. A connection is known from its first event. */
const watchPools = (metrics: Metrics) => {
  const pools = new Map<Pool, PoolState>();
  const checkoutDurations = metrics.durations<'pool'>(
    'db_client_connection_wait_time_seconds',
    'Waiting for a connection of the pool.',
  );
  const checkoutFailures = metrics.counter<'pool' | 'reason'>(
    'db_client_connection_failures_total',
    'Requests for a connection of the pool that failed: timeout, connectionError or poolClosed.',
  );
  const gauge = (name: string, help: string, value: (state: PoolState) => number): void =>
    metrics.register({
      name,
      help,
      type: 'gauge',
      read: () => [...pools].map(([pool, state]) => ({ labels: { pool }, value: value(state) })),
    });
  metrics.register({
    name: 'db_client_connections',
    help: 'Connections to MongoDB, by what they do.',
    type: 'gauge',
    read: () =>
      [...pools].flatMap(([pool, { open, used }]) => [
        { labels: { pool, state: 'used' }, value: used },
        { labels: { pool, state: 'idle' }, value: open.size - used },
      ]),
  });
  gauge(
    'db_client_connection_max',
    'Connections that the pool may have to each member of the replica set.',
    ({ most }) => most,
  );
  gauge(
    'db_client_connection_pending_requests',
    'Operations that wait for a connection of the pool.',
    ({ waiting }) => waiting,
  );
  return (pool: Pool, client: mongoose.mongo.MongoClient): void => {
    const state: PoolState = { open: new Set(), most: client.options.maxPoolSize, used: 0, waiting: 0 };
    pools.set(pool, state);
    const observeCheckout = checkoutDurations({ pool });
    const countCheckoutFailure = memoize((reason: string) => checkoutFailures({ pool, reason }));
    client.on('connectionCreated', ({ address, connectionId }) => state.open.add(`${address} ${connectionId}`));
    client.on('connectionClosed', ({ address, connectionId }) => state.open.delete(`${address} ${connectionId}`));
    client.on('connectionCheckOutStarted', () => state.waiting++);
    client.on('connectionCheckedOut', ({ address, connectionId, durationMS }) => {
      state.open.add(`${address} ${connectionId}`);
      state.waiting--;
      state.used++;
      observeCheckout(durationMS);
    });
    client.on('connectionCheckOutFailed', ({ reason }) => {
      state.waiting--;
      countCheckoutFailure(reason)();
    });
    client.on('connectionCheckedIn', () => state.used--);
  };
};

/**
 * Returns a function that publishes the metrics of a pool of connections to MongoDB. Call it after the client is
 * created and before the client is used; command monitoring must be on.
 */
export const watchMongo = (metrics: Metrics): ((pool: Pool, db: Db) => void) => {
  const operationDurations = metrics.durations<'db_operation_name'>(
    'db_client_operation_duration_seconds',
    'Commands to MongoDB; getMore of the change stream waits for changes.',
  );
  const operationFailures = metrics.counter<'db_operation_name' | 'error_type'>(
    'db_client_operation_failures_total',
    'Commands to MongoDB that failed, by the name of the fault. WriteConflict is part of transactions: they ' +
      'are tried again.',
  );
  const observeOperation = memoize((name: string) => operationDurations({ db_operation_name: name }));
  const countFailure = memoize((name: string) =>
    memoize((errorType: string) => operationFailures({ db_operation_name: name, error_type: errorType })),
  );
  const watchPool = watchPools(metrics);
  return (pool, { connection }) => {
    const client = connection.getClient();
    watchPool(pool, client);
    client.on('commandSucceeded', ({ commandName, duration }) => observeOperation(commandName)(duration));
    client.on('commandFailed', ({ commandName, duration, failure }) => {
      observeOperation(commandName)(duration);
      countFailure(commandName)(toFailureName(failure))();
    });
  };
};
