import { entryKey, parseEntryKey } from '@broker-transparency/contract/record';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { walkLastEntries } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { findBrokersBehind } from '../brokers/facts.ts';
import { complaintFacts } from './facts.ts';
import { listBrokersWithComplaints, settleCorrections } from './store.ts';

/** Brokers per transaction. */
const BATCH = 100;

/** Adds the counts of complaints about the brokers with these keys, and about their successors, to the record. */
const publishBatch = async (c: TxContext, keys: readonly string[], asOf: Date): Promise<void> => {
  const brokers = await findBrokersBehind(keys, c.tx);
  const all = new Set([...keys, ...[...brokers.values()].flatMap((one) => one.keys)]);
  const count = await complaintFacts([...all], c.tx);
  for (const key of new Set([...keys, ...brokers.keys()])) {
    const broker = brokers.get(key);
    // a person counts once across merged brokers, so the counts of both cannot be added up
    const whole = broker && count(broker.keys, asOf);
    const own = count([key], asOf);
    c.publish({
      kind: 'complaints',
      key: entryKey('complaints', key),
      subject: entryKey('broker', key),
      value: { broker: key, months: own.byMonth, ...(whole ? { summary: whole.summary } : {}) },
      validFrom: asOf.toISOString(),
      cause: own.isCorrection || whole?.isCorrection ? 'correction' : 'fact',
      isBulk: true,
    });
  }
  await settleCorrections(keys, c.tx);
};

/**
 * Returns every broker with a complaint, and every broker with counts in the record, since a split can leave it without
 * complaints.
 */
const listCountedBrokers = async (db: Db): Promise<string[]> => {
  const brokers = new Set(await listBrokersWithComplaints(db));
  for await (const { key } of walkLastEntries(db, 'complaints')) brokers.add(parseEntryKey(key)[1] as string);
  return [...brokers].sort();
};

/**
 * Adds the counts of complaints about every broker to the record, as of the beginning of the day. Unchanged counts add
 * nothing. It runs once a day, so that the time of an entry does not reveal a single complaint.
 */
export const publishComplaints = async (context: Context, signal?: AbortSignal): Promise<void> => {
  const asOf = new Date(`${context.clock().toISOString().slice(0, 10)}T00:00:00Z`);
  const keys = await listCountedBrokers(context.db);
  for (let at = 0; at < keys.length; at += BATCH) {
    signal?.throwIfAborted();
    await inTransaction(context, (c) => publishBatch(c, keys.slice(at, at + BATCH), asOf));
  }
};
