import type { BrokerDetail } from '@broker-transparency/client';
import { isWarned } from '@broker-transparency/contract/score';
import { hasEnded, isClone, isUnlicensed } from '../pages/broker/state.rule.ts';

/**
 * Returns whether pages show the mark of a broker. A mark makes a firm look genuine, so one that could be a clone has
 * none: it must be in business, with a licence that a register confirms, and nobody may warn of it.
 */
export const isMarkShown = (broker: Pick<BrokerDetail, 'status' | 'licenseCounts' | 'warnings'>): boolean =>
  !isClone(broker) && !hasEnded(broker) && !isUnlicensed(broker) && !isWarned(broker.warnings);
