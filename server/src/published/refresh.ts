import type { Clock } from '../platform/clock.ts';
import { hasDirty } from '../platform/dirty-marks.ts';
import { refreshDirtyBrokers } from './brokers/refresh.ts';
import { refreshDirtyRegulators } from './regulators/counts.ts';

/** Refreshes every document with a dirty mark. Brokers come first, since they change the counts of regulators. */
export const refreshDirty = async (clock: Clock): Promise<void> => {
  if (!(await hasDirty())) return; // one question, since a server asks it five times a second
  await refreshDirtyBrokers(clock);
  await refreshDirtyRegulators();
};
