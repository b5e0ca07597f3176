import { watchBacklog, watchTime } from '../platform/observe/state.ts';
import type { ModuleMetrics } from './define-module.ts';
import { dirtyBacklog } from './dirty-marks.ts';
import { readSignedAt } from './log/state.ts';
import { findPendingSince } from './record/sequencer.ts';

/** Exports the backlog of refreshes, of numbers of the record, and the time of the last checkpoint. */
export const watchLedger: ModuleMetrics = (db, { database }) => {
  watchBacklog(database, () => dirtyBacklog(db));
  watchTime(
    database,
    'broker_rating_record_waiting_since_timestamp_seconds',
    'Since when the oldest entry of the record waits for its number, apart from imports; missing where none does.',
    () => findPendingSince(db),
  );
  watchTime(
    database,
    'broker_rating_log_checkpoint_timestamp_seconds',
    'When the published checkpoint of the log was signed; missing where none was.',
    () => readSignedAt(db),
  );
};
