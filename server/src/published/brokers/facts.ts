import type { RegulatorDetail } from '@broker-transparency/contract';
import { isHeld } from '../../features/brokers/license-status.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import * as store from './store.ts';

export { readSummaries } from './answers.ts';
export type { BrokerDocument } from './build.rule.ts';
/** Reads of published brokers for search, look-alikes, regulators and the command line. */
export {
  countRegulated,
  findBroker,
  findIdentifying,
  type IdentifyingDocument,
  walkBrokers,
  walkIdentifying,
  walkRankedBrokers,
} from './store.ts';

/** Returns the brokers that hold a licence of this regulator, best score first, each with these licences. */
export const brokersRegulatedBy = async (db: Db, code: string): Promise<RegulatorDetail['brokers']> => {
  const rows = await store.findRegulated(db, code);
  return rows.map(({ _id, name, status, color, score, licenses }) => ({
    slug: _id,
    name,
    status,
    color,
    score: score.value,
    licenses: licenses
      .filter((license) => license.regulatorCode === code && isHeld(license))
      .map(({ entity, referenceNumber, status }) => ({ entity: entity.legalName, referenceNumber, status })),
  }));
};
