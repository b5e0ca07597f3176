import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db } from '../../../platform/mongo.ts';
import { isUnavailable } from '../../../platform/mongo-errors.ts';
import { runWhileAwaited } from '../../../platform/waiting.ts';
import { Entries, HEAD, Heads } from './collections.ts';
import { findEntries } from './entries.ts';

/** More than the database sends at first. */
const COUNT = 500;

let database: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  database = await openScratchDatabase();
  db = await connectMongo(database.url, { ...PATIENT, monitorCommands: true });
  const entries = Array.from({ length: COUNT }, (_, number) => ({
    change: new Types.ObjectId(),
    changeIndex: 0,
    changeSize: 1,
    key: `broker/${number}`,
    sequence: 0,
    subject: `broker/${number}`,
    kind: 'broker',
    cause: 'fact',
    value: '{}',
    number,
    time: '2026-11-02T00:00:00.000Z',
  }));
  await Entries(db).collection.insertMany(entries as never[]);
  await Heads(db).collection.insertOne({ ...HEAD, next: COUNT, time: '2026-11-02T00:00:00.000Z' } as never);
});
afterAll(async () => {
  await closeDb(db);
  await database?.remove();
});

/** Reads all entries. Returns how often the database was asked for more of them. */
const read = async (signal: AbortSignal, onFirst: () => void) => {
  const client = db.connection.getClient();
  let more = 0;
  const note = ({ commandName, reply }: { commandName: string; reply: unknown }): void => {
    if (commandName === 'getMore') more++;
    const { ns = '' } = (reply as { cursor?: { ns?: string } }).cursor ?? {};
    if (commandName === 'find' && ns.endsWith('.recordEntries')) onFirst();
  };
  client.on('commandSucceeded', note);
  const found = await runWhileAwaited(signal, () => findEntries(db, {})).catch((error: unknown) => error);
  client.off('commandSucceeded', note);
  return { found, more };
};

test('a read of the record ends when its caller stops waiting', async () => {
  const over = new AbortController();
  const whole = await read(over.signal, () => {});
  expect(whole).toMatchObject({ found: { length: COUNT }, more: 1 });
  const { found, more } = await read(over.signal, () => over.abort());
  expect([isUnavailable(found), more]).toEqual([true, 0]);
  const { found: none } = await read(over.signal, () => expect.unreachable());
  expect(isUnavailable(none)).toBe(true);
  expect(await findEntries(db, {}), 'a job has no caller').toHaveLength(COUNT);
});
