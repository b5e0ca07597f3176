import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db } from '../platform/mongo.ts';
import { listEntries } from './audit/store.ts';
import { fixedAt, inTransaction, type TxContext } from './context.ts';

const actor = { type: 'operator', name: 'maria' } as const;
/** Each look is a second later. */
const tickingClock = () => {
  let seconds = 0;
  return () => new Date(1_700_000_000_000 + seconds++ * 1000);
};

let database: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  database = await openScratchDatabase();
  db = await connectMongo(database.url, { ...PATIENT, monitorCommands: true });
});
afterAll(async () => {
  await closeDb(db);
  await database?.remove();
});
afterEach(() => db.connection.collection('audit').deleteMany({}));

const note = ({ audit }: TxContext, id: string): void =>
  audit('review.flagged', { kind: 'review', id }, { before: { flags: 0 }, after: { flags: 1 }, reason: 'insult' });

const trail = async () =>
  (await listEntries(db, {}, 50)).map(({ at, subject: { id } }) => [id, at.getTime() - 1_700_000_000_000]);

/** An error after which the driver tries again. */
const conflict = () => {
  const error = new mongoose.mongo.MongoServerError({ message: 'write conflict', code: 112 });
  error.addErrorLabel('TransientTransactionError');
  return error;
};

test('a transaction has one time, and its entries are written by one insert', async () => {
  const inserts: unknown[] = [];
  const onCommand = ({ commandName, command }: mongoose.mongo.CommandStartedEvent) => {
    if (commandName === 'insert') inserts.push(command['insert']);
  };
  db.connection.getClient().on('commandStarted', onCommand);
  const now = await inTransaction({ actor, clock: tickingClock(), db }, async (c) => {
    for (const id of ['a', 'b', 'c']) note(c, id);
    return c.now;
  });
  db.connection.getClient().off('commandStarted', onCommand);
  expect(now).toEqual(new Date(1_700_000_000_000));
  expect((await trail()).reverse()).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ]);
  expect(inserts).toEqual(['audit']);
});

test('each try begins anew: its time is its own, and entries of a try that failed are not written', async () => {
  let tries = 0;
  await inTransaction({ actor, clock: tickingClock(), db }, async (c) => {
    tries += 1;
    note(c, `try ${tries}`);
    if (tries < 3) throw conflict();
  });
  expect(await trail()).toEqual([['try 3', 2000]]);
});

test('work that fails leaves no entry', async () => {
  const work = inTransaction({ actor, clock: tickingClock(), db }, async (c) => {
    note(c, 'a');
    throw new Error('refused');
  });
  await expect(work).rejects.toThrow('refused');
  expect(await trail()).toEqual([]);
});

test('transactions of a fixed time have that time', async () => {
  const context = fixedAt({ actor, clock: tickingClock(), db }, new Date(1_700_000_090_000));
  for (const id of ['a', 'b']) await inTransaction(context, async (c) => note(c, id));
  expect((await trail()).reverse()).toEqual([
    ['a', 90_000],
    ['b', 90_000],
  ]);
});
