import { type LicenseFilteredBroker, listLicenseChoices } from '@broker-transparency/contract';
import { isWarned } from '@broker-transparency/contract/score';

/** The fields of a broker that decide whether pages show its mark. */
export interface MarkedBroker extends LicenseFilteredBroker {
  readonly warnings: Parameters<typeof isWarned>[0];
}

/** The reason for which pages hide a mark. */
export type MarkObstacle = 'ended' | 'clone' | 'warned' | 'not_confirmed';

/**
 * Returns the reason for which pages hide the mark of a broker; undefined if they show it. A mark makes a firm look
 * genuine, so one that could be a clone has none: it must be in business, with a licence that a register confirms within
 * the term of its last check, and nobody may warn of it.
 */
export const findMarkObstacle = (broker: MarkedBroker, at: Date): MarkObstacle | undefined => {
  if (broker.status === 'suspected_clone') return 'clone';
  if (broker.status !== 'operating') return 'ended';
  if (isWarned(broker.warnings)) return 'warned';
  return listLicenseChoices(broker, at).includes('confirmed') ? undefined : 'not_confirmed';
};
