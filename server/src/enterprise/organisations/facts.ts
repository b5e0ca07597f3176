import { withCurrentSlugs } from '../../features/brokers/facts.ts';
import type { Db } from '../../platform/mongo.ts';
import { describeInterest } from './interest.rule.ts';
import * as store from './store.ts';

export type { Agreement, Organisation } from './store.ts';

/** The functions by which access reads organisations and keys, and records the last use. */
export const { findKey, findByClient, touchKeys } = store;

/** Reads which customers are brokers or belong to one, former ones too. A natural person has no name here. */
export const readInterestedCustomers = async (db: Db, now: Date) => {
  const organisations = await store.listOrganisations(db);
  const interested = organisations.flatMap((organisation) => describeInterest(organisation) ?? []);
  return {
    current: organisations.filter(({ agreement: { endsAt } }) => endsAt === undefined || endsAt > now).length,
    interested: await withCurrentSlugs(db, interested),
  };
};
