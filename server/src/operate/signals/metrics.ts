import type { CheckInputs } from '../../ledger/define-module.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Sample } from '../../platform/observe/counted.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { readSignals } from './read.ts';
import { computeLevel, LEVELS, type Signal } from './signals.rule.ts';

/** Milliseconds for which one reading is reused: it takes two dozen queries, and reads the score of every broker. */
const KEPT_MS = 60_000;

/** Returns the readings for a scrape: the last ones until new ones are read. */
const createReadingCache = (db: Db, watched: CheckInputs, clock: Clock): (() => readonly Signal[]) => {
  let known: readonly Signal[] = [];
  let at = Number.NEGATIVE_INFINITY;
  const refreshReadings = (): void => {
    at = performance.now();
    readSignals(db, watched, clock())
      .then((readings) => {
        known = readings;
      })
      .catch(() => {
        known = [];
      });
  };
  refreshReadings();
  return () => {
    if (performance.now() - at > KEPT_MS) refreshReadings();
    return known;
  };
};

/** Publishes every signal of `status`. Every process that runs this reports the same values. */
export const watchSignals = (db: Db, { register }: Metrics, watched: CheckInputs, clock: Clock): void => {
  const readings = createReadingCache(db, watched, clock);
  const registerMetric = (name: string, help: string, value: (signal: Signal) => number | null): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: () =>
        readings().flatMap((signal): Sample[] => {
          const found = value(signal);
          return found === null ? [] : [{ labels: { signal: signal.name }, value: found }];
        }),
    });
  registerMetric(
    'broker_rating_signal_level',
    'How urgent a signal of `broker-rating status` is: 0 fine, 1 worth a look, 2 to be done now.',
    (signal) => LEVELS.indexOf(computeLevel(signal, signal.reading, clock())),
  );
  registerMetric(
    'broker_rating_signal_value',
    'What a signal counts, such as waiting reviews; of disk, per cent.',
    ({ shows, reading }) => (shows === 'age' ? null : reading.count),
  );
  registerMetric(
    'broker_rating_signal_since_timestamp_seconds',
    'Since when the oldest that a signal counts waits, or when it was last done; missing where none does.',
    ({ reading: { since } }) => since && since.getTime() / 1000,
  );
};
