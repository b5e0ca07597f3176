import type { RecordSource } from '../../ledger/record/source.ts';
import { listSubjectNames, toPublishedSlug } from '../../ledger/statements/identity.rule.ts';
import { findNames, followNames } from '../../ledger/statements/names.ts';
import { BATCHED_READ, batchLoader } from '../../platform/batch-loader.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, perDb, type Tx } from '../../platform/mongo.ts';
import { toBrokerEntries } from './entries.rule.ts';
import { isHeld } from './license-status.rule.ts';
import * as store from './store.ts';

export type { LicenseDocument } from './record.rule.ts';
export type { HolderProfile } from './store.ts';
/** The parts of brokers that other features may use. */
export {
  countProfiles,
  findHolders,
  findLicenses,
  findOtherProfile,
  findProfiles,
  hasRegulatorLicenses,
  listIdentities,
  listLicensedSlugs,
  listNextProfiles,
  listProfiles,
  toLicenseRecord,
} from './store.ts';

import type { BrokerIdentifiers } from './identifiers.rule.ts';

type ReadOptions = { readonly session: Tx } | typeof BATCHED_READ;

/** A reference to a broker. */
export interface BrokerReference {
  /** Key of everything stored about the broker: its first slug. */
  readonly key: string;
  /** Slug under which the broker is published. */
  readonly slug: string;
  /** The broker's own key, and those of the brokers that were merged into it. */
  readonly keys: readonly string[];
  /** True if the requested slug belongs to a broker that was merged into this one. */
  readonly isMerged: boolean;
  readonly name: string;
  readonly status: string;
  readonly successor: string | undefined;
}

const toReference = (profile: store.ReferredProfile, isMerged: boolean): BrokerReference => {
  const { _id: key, name, status, successor, identity } = profile;
  const named = { name: key, identity };
  return { key, slug: toPublishedSlug(named), keys: listSubjectNames(named), isMerged, name, status, successor };
};

/**
 * Returns the broker of each slug, through renaming and mergers; undefined if there is none. Keys work like slugs. A
 * current slug takes one query.
 */
export const resolveSlugs = async (
  db: Db,
  slugs: readonly string[],
  options: ReadOptions = BATCHED_READ,
): Promise<(slug: string) => BrokerReference | undefined> => {
  const found = new Map((await store.findReferred(db, slugs, options)).map((profile) => [profile._id, profile]));
  const others = slugs.filter((slug) => !found.has(slug));
  if (others.length === 0) return (slug) => toReference(found.get(slug) as store.ReferredProfile, false);
  const follow = await followNames(db, 'broker', others, options);
  const unread = new Set(others.map((slug) => follow(slug).name).filter((name) => !others.includes(name)));
  const led = unread.size === 0 ? [] : await store.findReferred(db, [...unread], options);
  const ends = new Map(led.map((profile) => [profile._id, profile]));
  return (slug) => {
    const own = found.get(slug);
    const end = own ?? ends.get(follow(slug).name);
    return end && toReference(end, !own && follow(slug).isMerged);
  };
};

const referenceLoader = perDb((db) => batchLoader((slugs) => resolveSlugs(db, slugs)));

/** The error for a slug that no broker has or had. */
export const brokerNotFound = (slug: string): DomainError =>
  new DomainError('broker_not_found', `No broker has the slug "${slug}".`);

/** Returns the broker of a slug. Concurrent callers share one read. @throws DomainError broker_not_found */
export const requireBroker = async (db: Db, slug: string): Promise<BrokerReference> => {
  const found = await referenceLoader(db)(slug);
  if (!found) throw brokerNotFound(slug);
  return found;
};

/**
 * Returns the key of the broker that has or had a slug, even if it was merged; the slug itself if no broker had it.
 */
export const findBrokerKey = async (db: Db, slug: string): Promise<string> => {
  const [row] = await findNames(db, 'broker', [slug], BATCHED_READ);
  return row?.subjectName ?? slug;
};

/** Returns every slug that the brokers with these keys have or had. A broker that was merged keeps its own. */
export const listOwnSlugs = async (keys: readonly string[], tx: Tx): Promise<string[]> => {
  const rows = await findNames(tx.db, 'broker', keys, { session: tx });
  const later = rows.flatMap(({ identity: { slug, predecessors = [] } = {} }) => [
    ...predecessors.filter(({ how }) => how === 'renamed').map((former) => former.slug),
    ...(slug === undefined ? [] : [slug]),
  ]);
  return [...new Set([...keys, ...later])];
};

/** Returns the function that gives the key for each of these slugs, as `findBrokerKey` does. */
export const resolveBrokerKeys = async (db: Db, slugs: readonly string[]): Promise<(slug: string) => string> => {
  const rows = await findNames(db, 'broker', slugs, BATCHED_READ);
  const keys = new Map(rows.map(({ name, subjectName }) => [name, subjectName ?? name]));
  return (slug) => keys.get(slug) ?? slug;
};

/** Statuses of brokers that take no more reviews or complaints. */
const ENDED: Readonly<Record<string, string>> = { ceased: 'has ceased', merged: 'was merged into another broker' };

/** Returns how a broker with this status has ended; undefined if it has not. */
export const describeEnding = (status: string): string | undefined => ENDED[status];

/**
 * Returns the broker that people can write about under this slug.
 * @throws DomainError broker_not_found, or state_conflict if it has ceased or was merged, with its successor
 */
export const requireOpenBroker = async (db: Db, slug: string): Promise<BrokerReference> => {
  const found = await requireBroker(db, slug);
  const { isMerged, name, status, successor } = found;
  const ended = describeEnding(status);
  if (ended !== undefined) {
    const heir = successor === undefined ? undefined : await referenceLoader(db)(successor);
    const advice = heir && heir.key !== found.key ? ` Its successor is "${heir.slug}".` : '';
    throw new DomainError('state_conflict', `${name} ${ended} and takes no reviews or complaints.${advice}`);
  }
  if (isMerged)
    throw new DomainError('state_conflict', `"${slug}" was merged into "${found.slug}" (${name}): name that one.`);
  return found;
};

/** Returns the current slug for each key or slug; the text itself if no broker has it. */
export const resolveCurrentSlugs = async (
  db: Db,
  slugs: readonly string[],
  options: ReadOptions = BATCHED_READ,
): Promise<(slug: string) => string> => {
  if (slugs.length === 0) return (slug) => slug;
  const find = await resolveSlugs(db, [...new Set(slugs)], options);
  return (slug) => find(slug)?.slug ?? slug;
};

/** Returns the current slug for a key or slug; the text itself if no broker has it. */
export const resolveCurrentSlug = async (db: Db, key: string, options?: ReadOptions): Promise<string> =>
  (await resolveCurrentSlugs(db, [key], options))(key);

/** Returns these rows with the current slug of their broker in place of its key. */
export const withCurrentSlugs = async <T extends { readonly broker: string }>(
  db: Db,
  rows: readonly T[],
  options: ReadOptions = BATCHED_READ,
): Promise<T[]> => {
  const toCurrentSlug = await resolveCurrentSlugs(
    db,
    rows.map(({ broker }) => broker),
    options,
  );
  return rows.map((row) => ({ ...row, broker: toCurrentSlug(row.broker) }));
};

/** Returns the keys of each broker that others were merged into. */
export const listMergedKeys = async (db: Db): Promise<string[][]> =>
  (await store.listSuccessors(db)).map(({ _id: name, identity }) => listSubjectNames({ name, identity }));

/** Returns the brokers of these slugs by key, each once. */
export const findBrokersBehind = async (slugs: readonly string[], tx: Tx): Promise<Map<string, BrokerReference>> => {
  const find = await resolveSlugs(tx.db, slugs, { session: tx });
  return new Map(slugs.flatMap((slug) => find(slug) ?? []).map((found) => [found.key, found]));
};

/**
 * Lists licences with the current slugs of their brokers. @throws DomainError broker_not_found
 */
export const listLicenses = async (
  db: Db,
  { regulator, broker }: { readonly regulator?: string | undefined; readonly broker?: string | undefined },
  limit: number,
) => {
  const key = broker === undefined ? undefined : (await requireBroker(db, broker)).key;
  const filter = { ...(regulator ? { regulatorCode: regulator } : {}), ...(key ? { broker: key } : {}) };
  return withCurrentSlugs(db, await store.listLicenses(db, filter, limit));
};

/** Returns the slugs that belong to a broker. */
export const filterKnownSlugs = async (db: Db, slugs: readonly string[]): Promise<Set<string>> => {
  const find = await resolveSlugs(db, slugs);
  return new Set(slugs.filter((slug) => find(slug) !== undefined));
};

/** Returns all names of each broker, including those of its legal entities. */
export const listBrokerNames = async (db: Db): Promise<{ slug: string; names: string[]; domains: string[] }[]> =>
  (await store.listNames(db)).map(({ _id, name, legalName, tradingNames, domains, entities, identity }) => ({
    slug: toPublishedSlug({ name: _id, identity }),
    names: [...new Set([name, legalName, ...tradingNames, ...entities.map((entity) => entity.legalName)])],
    domains,
  }));

/** Returns all identifiers by which others can name each broker. */
export const listBrokerIdentifiers = async (db: Db): Promise<BrokerIdentifiers[]> => {
  const { profiles, licenses } = await store.listIdentifiers(db);
  return profiles.map(
    ({ _id: key, identity, name, legalName, tradingNames, domains, website, lei, entities, status }) => {
      const own = licenses.get(key) ?? [];
      const leis = [lei, ...entities.map((entity) => entity.lei), ...own.map(({ entity }) => entity.lei)];
      return {
        key,
        keys: listSubjectNames({ name: key, identity }),
        slug: toPublishedSlug({ name: key, identity }),
        name,
        status,
        legalNames: [...new Set([legalName, ...entities.map((entity) => entity.legalName)])],
        tradingNames: [...new Set([name, ...tradingNames])],
        domains: [...new Set([website, ...domains])],
        leis: [...new Set(leis.filter((one) => one !== undefined))],
        licenses: own.map(({ regulatorCode, referenceNumber, entity, status: state }) => ({
          regulator: regulatorCode,
          number: referenceNumber,
          holder: entity.legalName,
          isHeld: isHeld({ status: state }),
        })),
      };
    },
  );
};

/** The entries that the record must have of brokers, by their keys. */
export const brokerSource: RecordSource = {
  kinds: ['broker', 'license', 'warning'],
  next: store.listNextProfiles,
  entries: async (keys, tx) =>
    [...(await store.readStates(keys, tx))].flatMap(([key, state]) => toBrokerEntries(key, state)),
};
