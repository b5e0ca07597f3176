import { parseEntryKey } from '@broker-transparency/contract/record';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { shareRead } from '../../platform/shared.ts';

/**
 * Maximum number of new entries that are read one by one. Beyond it, the keys of all licences are read again, which
 * reads no entry.
 */
const MOST_NEW = 5000;

/**
 * Keys of the brokers with a current or former licence of each regulator, by code, and the number up to which they are
 * known.
 */
interface LicensedBrokers {
  readonly brokers: ReadonlyMap<string, Set<string>>;
  readonly below: number;
}

const addBroker = (brokers: Map<string, Set<string>>, key: string): void => {
  const [, broker = '', code = ''] = parseEntryKey(key);
  const own = brokers.get(code) ?? new Set();
  brokers.set(code, own.add(broker));
};

const readAll = async (db: Db, below: number): Promise<LicensedBrokers> => {
  const brokers = new Map<string, Set<string>>();
  for await (const key of record.walkKeys(db, 'license')) addBroker(brokers, key);
  return { brokers, below };
};

const readNewer = async (db: Db, from: LicensedBrokers, below: number): Promise<LicensedBrokers> => {
  const brokers = new Map(from.brokers);
  for (const { kind, key } of await record.findEntries(db, { from: from.below, below }))
    if (kind === 'license') addBroker(brokers, key);
  return { brokers, below };
};

/**
 * Returns the function that finds the keys of brokers with a current or former licence of a regulator by an entry below
 * a number, in order. They are kept in memory, because the record has no index by regulator.
 */
export const createFindLicensed = (db: Db) => {
  let known: LicensedBrokers = { brokers: new Map(), below: 0 };
  const readCurrent = async (): Promise<LicensedBrokers> => {
    const below = await record.nextNumber(db);
    // a restored database can have fewer entries
    const isNear = known.below > 0 && below >= known.below && below - known.below <= MOST_NEW;
    known = isNear ? await readNewer(db, known, below) : await readAll(db, below);
    return known;
  };
  /** Reads the new entries, once for all waiting callers. */
  const readShared = shareRead(readCurrent);
  return async (code: string, below: number): Promise<string[]> => {
    const current = await readShared();
    const { brokers } = current.below < below ? await readShared() : current;
    return [...(brokers.get(code) ?? [])].sort();
  };
};
export type FindLicensed = ReturnType<typeof createFindLicensed>;
