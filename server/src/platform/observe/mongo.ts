import mongoose from 'mongoose';
import type { Db } from '../mongo.ts';
import { once } from './counted.ts';
import type { Metrics } from './metrics.ts';

const nameOf = (failure: Error): string =>
  failure instanceof mongoose.mongo.MongoServerError ? (failure.codeName ?? failure.name) : failure.name;

/** Counts the connections of the pool. A connection is known from its first event. */
const watchPool = (metrics: Metrics, client: mongoose.mongo.MongoClient): void => {
  const observeCheckout = metrics.durations(
    'db_client_connection_wait_time_seconds',
    'Waiting for a connection of the pool.',
  )({});
  const checkoutFailures = metrics.counter<'reason'>(
    'db_client_connection_failures_total',
    'Connections of the pool that were asked for in vain: timeout, connectionError or poolClosed.',
  );
  const countCheckoutFailure = once((reason: string) => checkoutFailures({ reason }));
  const open = new Set<string>();
  let used = 0;
  let waiting = 0;
  client.on('connectionCreated', ({ address, connectionId }) => open.add(`${address} ${connectionId}`));
  client.on('connectionClosed', ({ address, connectionId }) => open.delete(`${address} ${connectionId}`));
  client.on('connectionCheckOutStarted', () => waiting++);
  client.on('connectionCheckedOut', ({ address, connectionId, durationMS }) => {
    open.add(`${address} ${connectionId}`);
    waiting--;
    used++;
    observeCheckout(durationMS);
  });
  client.on('connectionCheckOutFailed', ({ reason }) => {
    waiting--;
    countCheckoutFailure(reason)();
  });
  client.on('connectionCheckedIn', () => used--);
  metrics.register({
    name: 'db_client_connections',
    help: 'Connections to MongoDB, by what they do.',
    type: 'gauge',
    read: () => [
      { labels: { state: 'used' }, value: used },
      { labels: { state: 'idle' }, value: open.size - used },
    ],
  });
  metrics.gauge(
    'db_client_connection_max',
    'Connections that the pool may have to each member of the replica set.',
    () => client.options.maxPoolSize,
  );
  metrics.gauge(
    'db_client_connection_pending_requests',
    'Operations that wait for a connection of the pool.',
    () => waiting,
  );
};

/**
 * Publishes metrics of a connection to MongoDB. Call it after its client is created and before that is used; command
 * monitoring must be on.
 */
export const watchMongo = (metrics: Metrics, { connection }: Db): void => {
  const operationDurations = metrics.durations<'db_operation_name'>(
    'db_client_operation_duration_seconds',
    'Commands to MongoDB; getMore of the change stream waits for changes.',
  );
  const operationFailures = metrics.counter<'db_operation_name' | 'error_type'>(
    'db_client_operation_failures_total',
    'Commands to MongoDB that failed, by the name of the fault. WriteConflict is part of transactions: they ' +
      'are tried again.',
  );
  const observeOperation = once((name: string) => operationDurations({ db_operation_name: name }));
  const countFailure = once((name: string) =>
    once((errorType: string) => operationFailures({ db_operation_name: name, error_type: errorType })),
  );
  const client = connection.getClient();
  watchPool(metrics, client);
  client.on('commandSucceeded', ({ commandName, duration }) => observeOperation(commandName)(duration));
  client.on('commandFailed', ({ commandName, duration, failure }) => {
    observeOperation(commandName)(duration);
    countFailure(commandName)(nameOf(failure))();
  });
};
