import { filterKnownSlugs } from '../../features/brokers/facts.ts';
import { FEATURE_MODULES, type FeatureModule } from '../../features/modules.ts';
import { readTiers } from '../../features/regulators/facts.ts';
import type { ImportKind, RecordReference } from '../../ledger/import-kind.ts';
import type { Db } from '../../platform/mongo.ts';
import { brokerKind } from './brokers.ts';

export type { ImportKind } from '../../ledger/import-kind.ts';

type KeysOf<T> = T extends unknown ? keyof T : never;
export type KindName = 'brokers' | KeysOf<Extract<FeatureModule, { readonly importKinds: unknown }>['importKinds']>;

const loadKinds = async (): Promise<[name: string, kind: ImportKind<unknown>][]> =>
  Promise.all(
    FEATURE_MODULES.flatMap(({ importKinds = {} }) =>
      Object.entries(importKinds).map(async ([name, load]) => [name, await load()] as [string, ImportKind<unknown>]),
    ),
  );

/** The kinds of records that files can have: brokers, and those of the modules. */
export const KINDS = Object.fromEntries([['brokers', brokerKind], ...(await loadKinds())]) as Readonly<
  Record<KindName, ImportKind<unknown>>
>;

/** Returns the key of a record as stated in its row. */
export const toGivenKey = <T>({ keyColumn }: ImportKind<T>, record: T): string =>
  String((record as Record<string, unknown>)[keyColumn]);

/** Returns the references to records that do not exist. */
export const findDanglingReferences = async (
  db: Db,
  references: readonly RecordReference[],
): Promise<Set<RecordReference>> => {
  const listKeys = (to: RecordReference['to']) =>
    references.filter((reference) => reference.to === to).map(({ key }) => key);
  const [slugs, tiers] = await Promise.all([filterKnownSlugs(db, [...new Set(listKeys('broker'))]), readTiers(db)]);
  return new Set(references.filter(({ to, key }) => !(to === 'broker' ? slugs : tiers).has(key)));
};
