import type { Clock } from '../platform/clock.ts';
import { refreshDirtyBrokers } from './brokers/refresh.ts';
import { refreshDirtyRegulators } from './regulators/counts.ts';

/** Brings every document that is due up to date: brokers first, since they move regulators' counts. */
export const refreshDirty = async (clock: Clock): Promise<void> => {
  await refreshDirtyBrokers(clock);
  await refreshDirtyRegulators();
};
