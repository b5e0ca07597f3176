import { batchLoader } from '../../platform/batch-loader.ts';
import { DomainError } from '../../platform/domain-error.ts';
import * as store from './store.ts';

export type { LicenseDocument } from './record.rule.ts';
export type { HolderProfile } from './store.ts';
/** What other features may use of brokers. */
export {
  countProfiles,
  findHolders,
  findLicenses,
  findOtherProfile,
  findProfiles,
  hasLicensesOf,
  hasProfiles,
  knownSlugs,
  listLicenses,
  nextProfiles,
  slugsLicensedBy,
  toLicenseRecord,
} from './store.ts';

const isKnown = batchLoader(async (slugs) => {
  const known = await store.knownSlugs(slugs);
  return (slug) => known.has(slug);
});

/** @throws DomainError broker_not_found */
export const requireBroker = async (slug: string): Promise<void> => {
  if (!(await isKnown(slug))) throw new DomainError('broker_not_found', `No broker has the slug "${slug}".`);
};

/** Returns all names of each broker, including those of its legal entities. */
export const brokerNames = async (): Promise<{ slug: string; names: string[]; domains: string[] }[]> =>
  (await store.listNames()).map(({ _id, name, legalName, tradingNames, domains, entities }) => ({
    slug: _id,
    names: [...new Set([name, legalName, ...tradingNames, ...entities.map((entity) => entity.legalName)])],
    domains,
  }));
