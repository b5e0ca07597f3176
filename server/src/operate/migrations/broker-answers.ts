import { buildFormer, countFormer } from '../../published/brokers/refresh.ts';
import type { Migration } from './migration.ts';

/** What an older process folds meanwhile is served all the same, and the nightly refresh ends it. */
export const brokerAnswers: Migration = {
  version: 3,
  name: 'broker-answers',
  what: 'folds brokers again whose answers stand in their documents, or nowhere',
  count: countFormer,
  run: buildFormer,
};
