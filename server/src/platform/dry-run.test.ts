import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, connectForDryRun, connectForReading, type Db, database, transaction } from './mongo.ts';

let scratch: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectForDryRun(scratch.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await killRefused();
  await scratch?.remove();
});

/** The session whose commit was refused: its transaction holds the database for half a minute, unless it is killed. */
let refused: object | undefined;
const killRefused = async (): Promise<void> => {
  const client = await mongoose.mongo.MongoClient.connect(scratch.url);
  await client.db('admin').command({ killSessions: [refused] });
  await client.close();
};

const items = () => database(db).collection<{ _id: string }>('items');

test('a transaction of a dry run sees its own writes, gives its result and leaves nothing', async () => {
  const seen = await transaction(db, async (session) => {
    await items().insertOne({ _id: 'a' }, { session });
    return items().countDocuments({}, { session });
  });
  expect(seen).toBe(1);
  expect(await items().countDocuments()).toBe(0);
});

test.each<[string, () => Promise<unknown>]>([
  ['an insert', () => items().insertOne({ _id: 'b' })],
  ['an update', () => items().updateOne({ _id: 'b' }, { $set: { at: 1 } }, { upsert: true })],
  ['an index', () => items().createIndex({ at: 1 })],
  [
    'a pipeline with $out',
    () =>
      items()
        .aggregate([{ $out: 'others' }])
        .toArray(),
  ],
  [
    'a commit',
    () =>
      db.connection.getClient().withSession((session) => {
        refused = session.id;
        return session.withTransaction(async () => {
          await items().insertOne({ _id: 'b' }, { session });
        });
      }),
  ],
])('%s outside of the transaction throws before it reaches the database', async (_, write) => {
  await expect(write()).rejects.toThrow('A dry run must not write');
  expect(await database(db).listCollections({}, { nameOnly: true }).toArray()).toEqual([]);
});

test('a connection of a command that reads gives what is stored, and throws before a write reaches the database', async () => {
  const reading = await connectForReading(scratch.url, PATIENT);
  try {
    const write = transaction(reading, (session) =>
      database(reading).collection<{ _id: string }>('items').insertOne({ _id: 'c' }, { session }),
    );
    await expect(write).rejects.toThrow('A command that reads must not write, and this does: insert.');
    expect(await database(reading).collection('items').countDocuments()).toBe(0);
  } finally {
    await closeDb(reading);
  }
});
