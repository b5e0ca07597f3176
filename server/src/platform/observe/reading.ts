import { counter } from './counted.ts';
import { gauge, register } from './registry.ts';

const lookups = counter<'outcome'>(
  'broker_rating_prepared_lookups_total',
  'Prepared answers that were asked for: hit (ready), shared (being made), miss (made), stale (the last one, ' +
    'since the database does not let a new one be made).',
);
const evictions = counter(
  'broker_rating_prepared_evictions_total',
  'Prepared answers that were given up for lack of room (PREPARED_MB).',
);
/** Counts lookups in the response cache, and answers evicted from it. */
export const responseCacheCounts = {
  hit: lookups({ outcome: 'hit' }),
  shared: lookups({ outcome: 'shared' }),
  miss: lookups({ outcome: 'miss' }),
  stale: lookups({ outcome: 'stale' }),
  evicted: evictions({}),
};

/** Publishes how much memory the response cache takes and may take. */
export const watchResponseCache = (bytes: () => number, maxBytes: number): void => {
  gauge('broker_rating_prepared_bytes', 'Memory that prepared answers take.', bytes);
  gauge('broker_rating_prepared_max_bytes', 'Memory that they may take (PREPARED_MB).', () => maxBytes);
};

const events = counter('broker_rating_changes_total', 'Changes that the change stream told.')({});
const resets = counter(
  'broker_rating_change_stream_resets_total',
  'Times that all that is held was read anew: at the start, and whenever the history of changes was lost.',
)({});
export const countChangeStreamFault = counter(
  'broker_rating_change_stream_faults_total',
  'Faults that broke the change stream off; it goes on where it was.',
)({});

/** Counts resets and changes of the change stream. */
export const changeCounts = { reset: resets, changed: events };

/**
 * Publishes the lag of the change stream.
 * @param seenAt time up to which all changes are known, in milliseconds since the epoch
 */
export const watchChanges = (seenAt: () => number): void =>
  gauge(
    'broker_rating_change_stream_lag_seconds',
    'Seconds since all changes were last known; below one while the stream is followed.',
    () => Math.max(0, Date.now() - seenAt()) / 1000,
  );

/** Publishes whether the process accepts requests; `isReady` is called at each scrape. */
export const watchReady = (isReady: () => Promise<boolean>): void =>
  register({
    name: 'broker_rating_ready',
    help: '1 while the process is ready, as /readyz says.',
    type: 'gauge',
    read: async () => [{ labels: {}, value: (await isReady()) ? 1 : 0 }],
  });
