import type mongoose from 'mongoose';
import { waitUntil } from './processes.ts';

type Client = mongoose.mongo.MongoClient;

const SIZE_MB = 1;
const STORED_TIMEOUT_MS = 90_000;

/**
 * Erased texts stay in the oplog until mongod truncates it. mongod does so when the oplog exceeds its size and the
 * entries to remove are older than an hour. Heartbeats alone fill that size in less than a day, whether or not anybody
 * writes.
 */
export const OPLOG_ARGUMENTS = [
  '--oplogSize',
  String(SIZE_MB),
  '--oplogMinRetentionHours',
  '1',
  '--setParameter',
  'periodicNoopIntervalSecs=5',
];

/**
 * Returns whether the oplog has the size that an earlier release gave it: a gigabyte, which keeps texts for months.
 * mongod cannot shrink an existing oplog to the new size.
 */
export async function isOplogLarge(client: Client) {
  const { size } = await client.db('local').collection('oplog.rs').options();
  return Number(size) > SIZE_MB * 2 ** 20;
}

/**
 * Drops the oplog and the configuration of the set, as for a restore from files; the next start creates both anew. Call
 * it on a mongod outside its set, after `storeOplog`.
 */
export const dropOplog = (client: Client) => client.db('local').dropDatabase();

/** Waits until the data files contain all writes in the oplog. @throws Error if that takes longer than 90 s */
export async function storeOplog(client: Client) {
  const admin = client.db('admin');
  const { optimes } = await admin.command({ replSetGetStatus: 1 });
  const stored = await waitUntil(async () => {
    await admin.command({ fsync: 1 });
    const { lastStableRecoveryTimestamp } = await admin.command({ replSetGetStatus: 1 });
    return lastStableRecoveryTimestamp.greaterThanOrEqual(optimes.appliedOpTime.ts);
  }, STORED_TIMEOUT_MS);
  if (!stored) throw new Error('the embedded mongod does not write its data to its files');
}
