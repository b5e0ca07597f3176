import type { Metrics } from './metrics.ts';

/** Creates the counters of lookups in the response cache, and of answers evicted from it. */
export const createCacheCounts = (metrics: Metrics) => {
  const lookups = metrics.counter<'outcome'>(
    'broker_rating_prepared_lookups_total',
    'Prepared answers that were asked for: hit (ready), shared (being made), miss (made), stale (the last one, ' +
      'since the database does not let a new one be made).',
  );
  const evictions = metrics.counter(
    'broker_rating_prepared_evictions_total',
    'Prepared answers that were evicted for lack of room (PREPARED_MB).',
  );
  return {
    hit: lookups({ outcome: 'hit' }),
    shared: lookups({ outcome: 'shared' }),
    miss: lookups({ outcome: 'miss' }),
    stale: lookups({ outcome: 'stale' }),
    evicted: evictions({}),
  };
};
export type CacheCounts = ReturnType<typeof createCacheCounts>;

/** Publishes the memory that the response cache uses and its limit. */
export const watchResponseCache = (metrics: Metrics, bytes: () => number, maxBytes: number): void => {
  metrics.gauge('broker_rating_prepared_bytes', 'Memory that prepared answers take.', bytes);
  metrics.gauge(
    'broker_rating_prepared_max_bytes',
    'Memory that prepared answers may take (PREPARED_MB).',
    () => maxBytes,
  );
};

/** Creates the counters of changes, resets and faults of the change stream. */
export const createChangeCounts = (metrics: Metrics) => ({
  changed: metrics.counter('broker_rating_changes_total', 'Changes that the change stream reported.')({}),
  reset: metrics.counter(
    'broker_rating_change_stream_resets_total',
    'Times that the process loaded everything anew: at the start, and whenever the history of changes was lost.',
  )({}),
  fault: metrics.counter(
    'broker_rating_change_stream_faults_total',
    'Faults that interrupted the change stream; it goes on where it stopped.',
  )({}),
});

/**
 * Publishes the lag of the change stream.
 * @param seenAt time up to which all changes are known, in milliseconds since the epoch
 */
export const watchChanges = (metrics: Metrics, seenAt: () => number): void =>
  metrics.gauge(
    'broker_rating_change_stream_lag_seconds',
    'Seconds since all changes were last known; below one while the stream is followed.',
    () => Math.max(0, Date.now() - seenAt()) / 1000,
  );

/** Publishes whether the process accepts requests; `isReady` is called at each scrape. */
export const watchReady = (metrics: Metrics, isReady: () => Promise<boolean>): void =>
  metrics.register({
    name: 'broker_rating_ready',
    help: '1 while the process is ready, as /readyz says.',
    type: 'gauge',
    read: async () => [{ labels: {}, value: (await isReady()) ? 1 : 0 }],
  });
