import { PLANS } from '@broker-transparency/contract/enterprise';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeDb, connectMongo, type Db } from '../../platform/mongo.ts';
import type { Customer } from '../access/customer.ts';
import { createUsage } from './notes.ts';
import { listAccesses, readUsage } from './reports.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const ANSWERED = {
  method: 'GET',
  route: '/changes',
  target: '/changes?after=5&name=Jane',
  status: 200,
  bytes: 10,
  address: '::1',
};

const customer = (organisation: string): Customer => ({
  organisation,
  name: organisation,
  plan: 'media',
  agreement: { version: '1', acceptedBy: 'a test', acceptedAt: NOW },
  key: undefined,
  scopes: [],
});

let database: ScratchDatabase;
let db: Db;
let faults: unknown[] = [];
beforeAll(async () => {
  database = await openScratchDatabase();
  db = await connectMongo(database.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await database?.remove();
});
beforeEach(() => {
  faults = [];
});

const create = (clock = () => NOW) => createUsage(db, clock, (error) => faults.push(error));
const stored = async (organisation: string) => [
  (await listAccesses(db, organisation, 100)).length,
  (await readUsage(db, organisation, 'media', '2026-11')).requests,
];

test('each access is noted once, with its use, and ends with the time of the plan', async () => {
  const usage = create();
  for (const status of [200, 404, 403, 500]) usage.note(customer('acme'), { ...ANSWERED, status });
  await usage.stop();
  expect([await stored('acme'), faults]).toEqual([[4, 2], []]);
  const [access] = await listAccesses(db, 'acme', 1);
  expect(access).toMatchObject({ target: '/changes?after=5&name=…', address: '::1' });
  expect(access?.endsAt.getTime()).toBe(NOW.getTime() + PLANS.media.accessKeptDays * 86_400_000);
});

test('a write that failed is repeated, with what came meanwhile', async () => {
  const usage = create();
  usage.note(customer('failing'), ANSWERED);
  const spy = vi.spyOn(db.connection.model('EnterpriseUse'), 'bulkWrite').mockRejectedValueOnce(new Error('no'));
  await usage.stop();
  spy.mockRestore();
  expect([await stored('failing'), faults.length]).toEqual([[1, 1], 1]);
  usage.note(customer('failing'), ANSWERED);
  await usage.stop();
  expect(await stored('failing')).toEqual([2, 2]);
});

test('a write whose answer was lost is not repeated', async () => {
  const usage = create();
  usage.note(customer('lost'), ANSWERED);
  const { commitTransaction } = mongoose.mongo.ClientSession.prototype;
  const spy = vi
    .spyOn(mongoose.mongo.ClientSession.prototype, 'commitTransaction')
    .mockImplementationOnce(async function (this: mongoose.mongo.ClientSession) {
      await commitTransaction.call(this);
      throw new Error('the connection closed');
    });
  await usage.stop();
  spy.mockRestore();
  expect([await stored('lost'), faults.length]).toEqual([[1, 1], 1]);
  usage.note(customer('lost'), ANSWERED);
  await usage.stop();
  expect(await stored('lost')).toEqual([2, 2]);
});

test('accesses that wait for the database are limited, and lost ones are reported', async () => {
  const usage = create();
  for (let n = 0; n < 20_005; n++) usage.note(customer('many'), ANSWERED);
  await usage.stop();
  expect((await readUsage(db, 'many', 'media', '2026-11')).requests).toBe(20_000);
  expect(String(faults)).toContain('5 accesses are not noted');
});

test('several processes count together, each to a second', async () => {
  const [one, other] = [create(), create()];
  for (const usage of [one, other]) usage.note(customer('both'), ANSWERED);
  await other.stop();
  await vi.waitFor(async () => expect(await one.sentBy('both')).toBe(2), { timeout: 5000 });
  await one.stop();
  expect(await stored('both')).toEqual([2, 2]);
});

test('a new month begins at nothing', async () => {
  let now = NOW;
  const usage = create(() => now);
  usage.note(customer('monthly'), ANSWERED);
  expect(await usage.sentBy('monthly')).toBe(1);
  now = new Date('2026-12-01T00:00:00Z');
  expect(await usage.sentBy('monthly')).toBe(0);
  usage.note(customer('monthly'), ANSWERED);
  expect(await usage.sentBy('monthly')).toBe(1);
  await usage.stop();
  expect(await stored('monthly')).toEqual([2, 1]);
});
