import { FEATURE_MODULES } from '../../features/modules.ts';
import type { RecordSource } from '../../ledger/record/source.ts';

/**
 * Loads every source of entries except jobs and commands that write complaints, checks, methodology, days, and the
 * service level.
 */
export const loadRecordSources = (): Promise<RecordSource[]> =>
  Promise.all(FEATURE_MODULES.flatMap(({ recordSource }) => recordSource?.() ?? []));
