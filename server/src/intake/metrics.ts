import type { ModuleMetrics } from '../ledger/define-module.ts';
import { watchTime } from '../platform/observe/state.ts';
import { lastDone } from './imports/runs.ts';

/** Exports the time of the last comparison of licences with a register. */
export const watchImports: ModuleMetrics = (db, { database }) =>
  watchTime(
    database,
    'broker_rating_register_check_timestamp_seconds',
    'When a register was last compared by `license check --apply`; missing where none was.',
    async () => (await lastDone(db, 'licenses'))?.finishedAt ?? null,
  );
