import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { startServiceWithDemoData } from '../support/demo-service.ts';
import { createToken } from '../support/filled-service.ts';
import {
  createGetter,
  findMostReviewed,
  getCollection,
  listComplaints,
  profileWork,
  readPublic,
  write,
} from '../support/queries.ts';
import { untilLogged } from '../support/record.ts';
import type { LocalService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Long enough for some rounds of each loop, in milliseconds. */
const IDLE_MS = 3000;

/**
 * Runs the demo set: 300 brokers and 20 000 reviews are enough to reveal a plan that reads too much. `bench/queries.ts`
 * checks 60 000 brokers and 2 million reviews.
 */
let service: LocalService;
let token: string;

beforeAll(async () => {
  service = await startServiceWithDemoData({ PREPARED_MB: '0' });
  token = await createToken(service, 'alice');
});
afterAll(() => service?.remove());

const expectIndexed = (commands: readonly Document[], collections: readonly string[]): void => {
  expect(listComplaints(commands)).toEqual([]);
  const read = new Set(commands.map(getCollection));
  expect(collections.filter((name) => !read.has(name))).toEqual([]);
};

test('an idle process asks its database six times a second at most', () =>
  inDatabase(service, async (db) => {
    await untilLogged(db);
    await until('no document waits', 5000, async () => (await db.collection('due').countDocuments()) === 0);
    const begun = performance.now();
    const commands = await profileWork(db, () => sleep(IDLE_MS));
    const looks = Math.ceil((performance.now() - begun) / 1000) * 6;
    expect(commands.map(getCollection).toSorted()).toContain('due'); // it does look
    expect(commands.length).toBeLessThanOrEqual(looks);
  }));

test('public reads use indexes, deep pages included', () =>
  inDatabase(service, async (db) => {
    const slug = await findMostReviewed(db);
    let collections: string[] = [];
    const commands = await profileWork(db, async () => {
      collections = await readPublic(createGetter(service, token), slug);
    });
    expectIndexed(commands, collections);
  }));

test('posts, the updates that follow and the lists of their authors use indexes', () =>
  inDatabase(service, async (db) => {
    let collections: string[] = [];
    const commands = await profileWork(db, async () => {
      collections = await write(service, createGetter(service, token), token, 'alpha-markets');
    });
    expectIndexed(commands, collections);
  }));

test('reports a command that scans a collection or sorts in memory', () =>
  inDatabase(service, async (db) => {
    const reviews = db.collection('reviews');
    const commands = await profileWork(db, async () => {
      await reviews.find({ title: 'none has this' }).toArray();
      await reviews.find({ status: 'published' }).sort({ title: 1 }).limit(1).toArray();
    });
    expect(listComplaints(commands)).toEqual([
      expect.stringContaining('reads a whole collection'),
      expect.stringContaining('sorts in memory'),
    ]);
  }));
