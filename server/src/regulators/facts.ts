import type { Tier } from '@broker-transparency/contract';
import type { Tx } from '../platform/mongo.ts';
import { findTiers } from './store.ts';

/** The tier of every regulator, for the licences it gave. */
export const tiersByCode = async (tx?: Tx): Promise<ReadonlyMap<string, Tier>> =>
  new Map((await findTiers(tx)).map(({ _id, tier }) => [_id, tier]));
