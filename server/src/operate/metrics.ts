import { listEntries } from '../ledger/audit/store.ts';
import type { ModuleMetrics } from '../ledger/define-module.ts';
import { watchTime } from '../platform/observe/state.ts';

/** Exports the time of the last backup. */
export const watchBackups: ModuleMetrics = (db, { database }) =>
  watchTime(
    database,
    'broker_rating_backup_timestamp_seconds',
    'When the last backup was made by the command `backup`; missing where none was.',
    async () => (await listEntries(db, { action: 'backup.made' }, 1))[0]?.at ?? null,
  );
