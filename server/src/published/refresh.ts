import type { Context } from '../ledger/context.ts';
import type { Clock } from '../platform/clock.ts';
import type { JobRun } from '../platform/jobs/job.ts';
import type { Db } from '../platform/mongo.ts';
import { refreshAllBrokers, refreshDirtyBrokers } from './brokers/refresh.ts';
import { refreshAllRegulators, refreshDirtyRegulators } from './regulators/counts.ts';

/** Refreshes every document with a dirty mark. Brokers come first, since they change the counts of regulators. */
export const refreshDirty = async (db: Db, clock: Clock): Promise<void> => {
  await refreshDirtyBrokers(db, clock);
  await refreshDirtyRegulators(db, clock);
};

/** Refreshes every document, marked or not, since scores and checks of registers age. */
export const refreshAll = async (context: Context, run: JobRun): Promise<{ brokers: number }> => {
  await refreshAllRegulators(context.db, context.clock);
  return { brokers: await refreshAllBrokers(context, run) };
};
