import type { Clock } from '../platform/clock.ts';
import { refreshDirtyBrokers } from './brokers/refresh.ts';
import { refreshDirtyRegulators } from './regulators/counts.ts';

/** Refreshes every document with a dirty mark. Brokers come first, since they change the counts of regulators. */
export const refreshDirty = async (clock: Clock): Promise<void> => {
  await refreshDirtyBrokers(clock);
  await refreshDirtyRegulators();
};
