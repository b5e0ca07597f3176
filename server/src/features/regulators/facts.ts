import type { Tier } from '@broker-transparency/contract';
import type { Tx } from '../../platform/mongo.ts';
import { findTiers, listRegulators } from './store.ts';

/** What is published of regulators, and the count of their brokers, which is computed. */
export { findCounts, findRegulator, listRegulators, type RegulatorDocument, setBrokerCount } from './store.ts';

/** The tier of every regulator, for the licences it gave. */
export const tiersByCode = async (tx?: Tx): Promise<ReadonlyMap<string, Tier>> =>
  new Map((await findTiers(tx)).map(({ _id, tier }) => [_id, tier]));

/** What regulators are called, and where they are. */
export const regulatorNames = async (): Promise<{ code: string; name: string; country: string }[]> =>
  (await listRegulators()).map(({ _id, name, country }) => ({ code: _id, name, country }));
