import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../operate/cli/commands.ts';
import { closeDb, connectMongo, type Db, database, listCollections } from './mongo.ts';
import { describeRefusal } from './refusal.rule.ts';

await Promise.all([import('../app.ts'), ...COMMANDS.map(({ load }) => load())]);

let scratch: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectMongo(scratch.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await scratch.remove();
});

type Collection = mongoose.mongo.Collection<{ _id: boolean; nonsense?: number }>;

/** A document that no collection takes, since none has an id of this type. */
const BAD = { _id: true };
const { _id, ...SET } = { ...BAD, nonsense: 1 };

/** Every way to write to a collection without mongoose. */
const WAYS: Readonly<Record<string, (to: Collection) => Promise<unknown>>> = {
  insertOne: (to) => to.insertOne(BAD),
  insertMany: (to) => to.insertMany([BAD]),
  updateOne: (to) => to.updateOne({ _id }, { $set: SET }, { upsert: true }),
  updateMany: (to) => to.updateMany({ _id }, { $set: SET }, { upsert: true }),
  replaceOne: (to) => to.replaceOne({ _id }, SET, { upsert: true }),
  findOneAndUpdate: (to) => to.findOneAndUpdate({ _id }, { $set: SET }, { upsert: true }),
  findOneAndReplace: (to) => to.findOneAndReplace({ _id }, SET, { upsert: true }),
  bulkWrite: (to) => to.bulkWrite([{ updateOne: { filter: { _id }, update: { $set: SET }, upsert: true } }]),
  'bulkWrite without order': (to) => to.bulkWrite([{ insertOne: { document: BAD } }], { ordered: false }),
};

const REFUSED = 121;
const readCode = (error: unknown): unknown => (error instanceof mongoose.mongo.MongoError ? error.code : error);

test.each(listCollections())('a bad document of %s is refused, whichever way it is written', async (name) => {
  const to = database(db).collection(name) as unknown as Collection;
  for (const [way, write] of Object.entries(WAYS)) {
    const outcome = await write(to).then(() => 'taken', readCode);
    expect([way, outcome]).toEqual([way, REFUSED]);
  }
});

test('a refusal names the places and the rules, and none of the values', async () => {
  const account = { _id: 'a', subject: 'alice', displayName: 7, kyc: { status: 'sure', secret: 'x' }, more: 1 };
  const refused = await database(db).collection<{ _id: string }>('accounts').insertOne(account).catch(describeRefusal);
  expect(refused).toEqual([
    'displayName: bsonType',
    'kyc.status: enum',
    'kyc.secret: unknown',
    'more: unknown',
    'createdAt: missing',
  ]);
});
