import type { Db } from 'mongodb';

/** An operation in the log of a replica set. */
interface Operation {
  readonly op: string;
  readonly ns: string;
  readonly o: { readonly key: string; readonly sequence: number };
}

/**
 * Returns the entries that each transaction wrote that was committed since a time, as key and sequence, by the log that
 * the replica set itself keeps. A transaction has one line there as long as it is below 16 MB. A test file before may
 * have had the same database.
 */
export const readTransactions = async (db: Db, since: Date): Promise<string[][]> => {
  const ns = `${db.databaseName}.recordEntries`;
  const lines = db.client
    .db('local')
    .collection('oplog.rs')
    .find({ 'o.applyOps.ns': ns, txnNumber: { $exists: true }, wall: { $gte: since } });
  const transactions: string[][] = [];
  for await (const { o } of lines) {
    const written = (o['applyOps'] as Operation[]).filter((one) => one.ns === ns && one.op === 'i');
    if (written.length > 0) transactions.push(written.map(({ o: { key, sequence } }) => `${key} ${sequence}`));
  }
  return transactions;
};
