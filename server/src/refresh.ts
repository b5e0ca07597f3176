import { refreshDueBrokers } from './brokers/refresh.ts';
import type { Clock } from './platform/clock.ts';
import { refreshDueRegulators } from './regulators/actions.ts';

/** Brings every document that is due up to date: brokers first, since they move regulators' counts. */
export const refreshDue = async (clock: Clock): Promise<void> => {
  await refreshDueBrokers(clock);
  await refreshDueRegulators();
};
