import { countWithoutAnswers, foldWithoutAnswers } from '../brokers/refresh.ts';
import type { Migration } from './migration.ts';

/** An older process that still runs folds brokers without answers again; they are served all the same, and the nightly refresh ends it. */
export const brokerAnswers: Migration = {
  version: 3,
  name: 'broker-answers',
  what: 'folds brokers again whose documents hold no ready answers',
  count: countWithoutAnswers,
  run: foldWithoutAnswers,
};
