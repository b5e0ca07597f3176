import { parseEntryKey } from '@broker-transparency/contract/record';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { shareRead } from '../../platform/shared.ts';

/** So many new entries are read one by one. Beyond, the keys of all licences are read again: that reads no entry. */
const MOST_NEW = 5000;

/** Keys of the brokers that have or had a licence of each regulator, by its code, and up to which number that is known. */
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
 * Creates the function that returns the keys of the brokers that have, or had at any time, a licence of a regulator by an
 * entry below a number, in order. They are kept in memory: nothing in the record is found by regulator.
 */
export const createFindLicensed = (db: Db) => {
  let known: LicensedBrokers = { brokers: new Map(), below: 0 };
  const readCurrent = async (): Promise<LicensedBrokers> => {
    const below = await record.nextNumber(db);
    // a restored database can have fewer entries than were known
    const isNear = known.below > 0 && below >= known.below && below - known.below <= MOST_NEW;
    known = isNear ? await readNewer(db, known, below) : await readAll(db, below);
    return known;
  };
  /** Reads what is new, once for all who ask meanwhile. */
  const readShared = shareRead(readCurrent);
  return async (code: string, below: number): Promise<string[]> => {
    const current = await readShared();
    const { brokers } = current.below < below ? await readShared() : current;
    return [...(brokers.get(code) ?? [])].sort();
  };
};
export type FindLicensed = ReturnType<typeof createFindLicensed>;
