import type { Tier } from '@broker-transparency/contract';
import type { RecordSource } from '../../ledger/record/source.ts';
import { type Db, deserializeDocument, type Tx } from '../../platform/mongo.ts';
import { toRegulatorEntries } from './entries.rule.ts';
import type { RegulatorState } from './record.rule.ts';
import { isStale } from './staleness.rule.ts';
import {
  findStates,
  findTiers,
  listRawRegulators,
  listRegulators,
  nextRegulators,
  type RegulatorDocument,
  readRegulators,
} from './store.ts';

/** The published facts of regulators, with the computed number of their brokers. */
export {
  findCounts,
  findRegulator,
  findVerified,
  listRegulators,
  nextRegulators,
  type RegulatorDocument,
  setComputed,
} from './store.ts';

/** Returns the tier of every regulator by code. */
export const readTiers = async (db: Db, tx?: Tx): Promise<ReadonlyMap<string, Tier>> =>
  new Map((await findTiers(db, tx)).map(({ _id, tier }) => [_id, tier]));

/** Returns the facts of every regulator by code. */
export const mapRegulators = async (tx: Tx): Promise<ReadonlyMap<string, RegulatorState>> =>
  new Map((await findStates(tx)).map((state) => [state._id, state]));

/**
 * Returns the function that reads all regulators and gives what `derive` makes of them. If none has changed since the
 * last read, it gives the same value again: to compare their bytes takes far less time than to read them.
 */
export const deriveFromRegulators = <T>(db: Db, derive: (regulators: readonly RegulatorDocument[]) => T) => {
  let last: { readonly bytes: Buffer; readonly derived: T } | undefined;
  return async (): Promise<T> => {
    const raw = await listRawRegulators(db);
    const bytes = Buffer.concat(raw);
    if (!last?.bytes.equals(bytes)) last = { bytes, derived: derive(raw.map(deserializeDocument<RegulatorDocument>)) };
    return last.derived;
  };
};

/** Returns the name and country of every regulator. */
export const listRegulatorNames = async (db: Db): Promise<{ code: string; name: string; country: string }[]> =>
  (await listRegulators(db)).map(({ _id, name, country }) => ({ code: _id, name, country }));

/** Lists the regulators with brokers here whose register nobody looked at for too long. */
export const listStaleRegulators = async (db: Db, now: Date) =>
  (await listRegulators(db)).filter(
    ({ _id, brokerCount, lastVerifiedAt }) => brokerCount > 0 && isStale(lastVerifiedAt, _id, now),
  );

/** The entries that the record must have of regulators, by their codes. */
export const regulatorSource: RecordSource = {
  kinds: ['regulator'],
  next: nextRegulators,
  entries: async (codes, tx) =>
    [...(await readRegulators(codes, tx))].flatMap(([code, state]) => toRegulatorEntries(code, state)),
};
