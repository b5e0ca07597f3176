import type { RegulatorDetail } from '@broker-transparency/contract';
import { ProblemError } from '../http/problems.ts';
import { gathering } from '../platform/gather.ts';
import { type BrokerDocument, isHeld } from './fold.ts';
import * as store from './store.ts';

export { summariesOf } from './answers.ts';
export type { HolderProfile, LicenseDocument } from './store.ts';
/** What other features may know of brokers. */
export {
  countRegulated,
  eachBroker,
  findBroker,
  findHolders,
  findOtherProfile,
  hasLicensesOf,
  hasProfiles,
  knownSlugs,
  listLicenses,
  slugsLicensedBy,
} from './store.ts';
export type { BrokerDocument };

const isKnown = gathering(async (slugs) => {
  const known = await store.knownSlugs(slugs);
  return (slug) => known.has(slug);
});

/** @throws ProblemError broker_not_found */
export const requireBroker = async (slug: string): Promise<void> => {
  if (!(await isKnown(slug))) throw new ProblemError('broker_not_found', `No broker has the slug "${slug}".`);
};

/** Every name a broker goes by, those of its legal entities included. */
export const brokerNames = async (): Promise<{ slug: string; names: string[]; domains: string[] }[]> =>
  (await store.listNames()).map(({ _id, name, legalName, tradingNames, domains, entities }) => ({
    slug: _id,
    names: [...new Set([name, legalName, ...tradingNames, ...entities.map((entity) => entity.legalName)])],
    domains,
  }));

/** Brokers that hold a licence of this regulator, best score first, each with those licences. */
export const brokersRegulatedBy = async (code: string): Promise<RegulatorDetail['brokers']> => {
  const rows = await store.findRegulated(code);
  return rows.map(({ _id, name, color, score, licenses }) => ({
    slug: _id,
    name,
    color,
    score: score.value,
    licenses: licenses
      .filter((license) => license.regulatorCode === code && isHeld(license))
      .map(({ entity, referenceNumber, status }) => ({ entity: entity.legalName, referenceNumber, status })),
  }));
};
