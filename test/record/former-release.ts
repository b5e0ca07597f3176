/**
 * Lets a record begin as a release wrote it whose methodology was 2026-1. Its last release never had a record, so no
 * process can be started that does it: the database is made as such a process would have left it, and the server itself
 * is the one that is built.
 */
import { METHODOLOGY_MODULES } from '@broker-transparency/contract/record';
import type { Db } from 'mongodb';

const FORMER = '2026-1';
const CURRENT = { key: 'methodology/2026-3' };

/**
 * Puts the former methodology in the place of the current one, which waits for `bringCurrent`. No server may run. The
 * tree of the log begins again.
 */
export const beginWithFormer = async (db: Db): Promise<void> => {
  const entries = db.collection('recordEntries');
  const current = await entries.findOne(CURRENT);
  if (current?.['number'] === undefined) throw new Error('the record does not begin with a methodology');
  const { _id, number, time, ...rest } = current;
  const value = JSON.stringify({ sha256: METHODOLOGY_MODULES[FORMER], version: FORMER });
  const key = `methodology/${FORMER}`;
  await entries.updateOne({ _id }, { $unset: { number: 1, time: 1 } });
  await entries.insertOne({ ...rest, key, subject: key, value, number, time });
  await Promise.all(['logHeads', 'logTiles'].map((name) => db.collection(name).deleteMany({})));
};

/** Brings the current methodology, as the first start of the release that has it does. A server gives it its number. */
export const bringCurrent = async (db: Db): Promise<void> => {
  const { modifiedCount } = await db.collection('recordEntries').updateOne(CURRENT, { $set: { pending: 0 } });
  if (modifiedCount !== 1) throw new Error('no methodology waits');
};
