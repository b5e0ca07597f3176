import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/observe/log.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { watchMongo } from '../../platform/observe/mongo.ts';
import { type CleanupStack, createCleanupStack } from './closers.ts';
import { createCounters, type ServiceCounters } from './counts.ts';

/** Resolves when everything that is due has been tried once. */
export type Settle = () => Promise<void>;

/** The shared objects of a service's parts. */
export interface ProcessParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly closers: CleanupStack;
  readonly metrics: Metrics;
  readonly counts: ServiceCounters;
  readonly watchPool: ReturnType<typeof watchMongo>;
}

/** Creates the shared objects of a service's parts. */
export const createParts = (given: Pick<ProcessParts, 'clock' | 'log' | 'metrics'>): ProcessParts => ({
  ...given,
  closers: createCleanupStack(),
  counts: createCounters(given.metrics),
  watchPool: watchMongo(given.metrics),
});
