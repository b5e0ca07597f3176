import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Sample } from '../../platform/observe/counted.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { readSignals, type SignalInputs } from './read.ts';
import { computeLevel, LEVELS, type Readings, SIGNALS, type SignalName } from './signals.rule.ts';

/** Milliseconds for which one reading is reused: it takes two dozen queries, and reads the score of every broker. */
const KEPT_MS = 60_000;

/** Returns the readings for a scrape: the last ones until new ones are read. */
const createReadingCache = (db: Db, watched: SignalInputs, clock: Clock): (() => Readings) => {
  let known: Readings = {};
  let at = Number.NEGATIVE_INFINITY;
  const refreshReadings = (): void => {
    at = performance.now();
    readSignals(db, watched, clock())
      .then((readings) => {
        known = readings;
      })
      .catch(() => {
        known = {};
      });
  };
  refreshReadings();
  return () => {
    if (performance.now() - at > KEPT_MS) refreshReadings();
    return known;
  };
};

/** Publishes every signal of `status`. Every process that runs this reports the same values. */
export const watchSignals = (db: Db, { register }: Metrics, watched: SignalInputs, clock: Clock): void => {
  const readings = createReadingCache(db, watched, clock);
  const registerMetric = (
    name: string,
    help: string,
    value: (signal: SignalName, reading: NonNullable<Readings[SignalName]>) => number | null,
  ): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: () =>
        Object.entries(readings()).flatMap(([key, reading]): Sample[] => {
          const signal = key as SignalName;
          const found = value(signal, reading);
          return found === null ? [] : [{ labels: { signal }, value: found }];
        }),
    });
  registerMetric(
    'broker_rating_signal_level',
    'How urgent a signal of `broker-rating status` is: 0 fine, 1 worth a look, 2 to be done now.',
    (signal, reading) => LEVELS.indexOf(computeLevel(signal, reading, clock())),
  );
  registerMetric(
    'broker_rating_signal_value',
    'What a signal counts, such as waiting reviews; of disk, per cent.',
    (signal, { count }) => (SIGNALS[signal].shows === 'age' ? null : count),
  );
  registerMetric(
    'broker_rating_signal_since_timestamp_seconds',
    'Since when the oldest that a signal counts waits, or when it was last done; missing where none does.',
    (_, { since }) => since && since.getTime() / 1000,
  );
};
