import { buildFormer, countFormer } from '../../published/brokers/refresh.ts';
import type { Migration } from './migration.ts';

/** Documents that an older process builds meanwhile can still be served. The nightly refresh replaces them. */
export const brokerAnswers: Migration = {
  version: 3,
  name: 'broker-answers',
  what: 'folds brokers again whose answers stand in their documents, or nowhere',
  count: countFormer,
  run: buildFormer,
};
