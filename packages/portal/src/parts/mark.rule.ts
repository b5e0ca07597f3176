import type { BrokerDetail } from '@broker-transparency/client';
import { listLicenseChoices } from '@broker-transparency/contract';
import { isWarned } from '@broker-transparency/contract/score';
import { hasEnded } from '../pages/broker/state.rule.ts';

/**
 * Returns whether pages show the mark of a broker. A mark makes a firm look genuine, so one that could be a clone has
 * none: it must be in business, with a licence that a register confirms within the term of its last check, and nobody
 * may warn of it.
 */
export const isMarkShown = (broker: BrokerDetail, at: Date): boolean =>
  !hasEnded(broker) && !isWarned(broker.warnings) && listLicenseChoices(broker, at).includes('confirmed');
