import type mongoose from 'mongoose';
import { waitUntil } from './processes.ts';

type Client = mongoose.mongo.MongoClient;

const SIZE_MB = 1;
const STORED_TIMEOUT_MS = 90_000;

/**
 * Texts that are erased stay in the oplog until it is cut. It is cut where it has more than its size and what is cut is
 * older than an hour. Its own heartbeats fill that size in less than a day, whether or not somebody writes.
 */
export const OPLOG_ARGUMENTS = [
  ...['--oplogSize', String(SIZE_MB), '--oplogMinRetentionHours', '1'],
  ...['--setParameter', 'periodicNoopIntervalSecs=5'],
];

/** Of the data of a release before: a gigabyte, which keeps texts for months. mongod does not make one that small. */
export async function isOplogLarge(client: Client) {
  const { size } = await client.db('local').collection('oplog.rs').options();
  return Number(size) > SIZE_MB * 2 ** 20;
}

/** To be done on a mongod outside of its set, as for a restore from files: a new set with a new oplog is made of the data. */
export const dropOplog = (client: Client) => client.db('local').dropDatabase();

/** To be done before. @throws Error where what stands in the oplog is not in the data files in time */
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
