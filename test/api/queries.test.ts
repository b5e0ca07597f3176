import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, post, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { complaintBody, reviewBody } from '../support/records.ts';
import { type Service, startService } from '../support/service.ts';

/** The demo set has 300 brokers and 20 000 reviews: enough for a plan that reads too much to show. */
let service: Service;
let token: string;
let mostReviewed: string;

beforeAll(async () => {
  service = await startService({ PREPARED_MB: '0' }, ['--demo']);
  token = await createToken(service, 'alice');
  mostReviewed = await inDatabase(service, async (db) => {
    const [row] = await db
      .collection('reviews')
      .aggregate([{ $sortByCount: '$broker' }, { $limit: 1 }])
      .toArray();
    return String(row?.['_id']);
  });
});
afterAll(() => service?.remove());

const get = async (path: string) => {
  const answer = await send(`${service.origin}${path}`, { token });
  expect([answer.status, path]).toEqual([200, path]);
  return answer.json<{ pagination?: { nextCursor: string | null } }>();
};

/** Follows the cursors of a list to its end. */
const walk = async (path: string): Promise<void> => {
  let next: string | null | undefined = '';
  while (next !== null && next !== undefined)
    next = (await get(`${path}${next === '' ? '' : `&cursor=${next}`}`)).pagination?.nextCursor;
};

/** What the database did meanwhile, the following of changes and the library of jobs aside. */
const profiled = async (work: () => Promise<unknown>): Promise<Document[]> => {
  await inDatabase(service, (db) => db.setProfilingLevel('all'));
  await work();
  return inDatabase(service, async (db) => {
    await db.setProfilingLevel('off');
    const found = await db.collection('system.profile').find().toArray();
    await db.collection('system.profile').drop();
    return found.filter(({ ns, command, op, planSummary }) => {
      const { pipeline = command?.originatingCommand?.pipeline } = command ?? {};
      const follows = pipeline?.[0]?.['$changeStream'] !== undefined;
      return planSummary !== undefined && op !== 'insert' && !follows && !/\.(system\.profile|jobs)$/.test(ns);
    });
  });
};

const nameOf = ({ op, ns, command, planSummary }: Document): string =>
  `${op} ${ns} ${planSummary} ${JSON.stringify(command).slice(0, 600)}`;

/** Every command reads by an index, in the order of the index, and little more than it returns. */
const expectIndexed = (commands: readonly Document[], collections: readonly string[]): void => {
  // the regulators are a few dozen, and a broker is folded with the tiers of all of them
  for (const command of commands.filter(({ ns }) => !/\.regulators$/.test(ns))) {
    expect(command['planSummary'], nameOf(command)).not.toContain('COLLSCAN');
    expect(command['hasSortStage'], nameOf(command)).toBeUndefined();
    const { docsExamined = 0, nreturned = 0, nMatched = 0, ndeleted = 0 } = command;
    expect(docsExamined - nreturned - nMatched - ndeleted, nameOf(command)).toBeLessThan(100);
  }
  const read = new Set(commands.map(({ ns }) => String(ns).split('.')[1]));
  expect([...collections].filter((name) => !read.has(name))).toEqual([]);
};

test('public reads, deep pages too', async () => {
  const commands = await profiled(async () => {
    for (const path of [
      '/brokers',
      '/brokers?limit=100&offset=250',
      '/brokers?color=green&limit=5&offset=60',
      `/brokers/${mostReviewed}`,
      '/search?q=alpha+mark',
      '/regulators',
      '/regulators/fca',
    ])
      await get(`/api/v1${path}`);
    await walk(`/api/v1/reviews?broker=${mostReviewed}&limit=50`);
    await walk('/api/v1/news?limit=50');
    await get(`/transparency/v1/moderation/${mostReviewed}`);
  });
  expectIndexed(commands, ['brokers', 'reviews', 'news', 'regulators', 'moderationCounts']);
});

test('posts, what they make due, and what their authors see of them', async () => {
  const commands = await profiled(async () => {
    const headers = { 'Idempotency-Key': 'once' };
    for (const n of [1, 2]) {
      const review = await post(service, '/reviews', token, reviewBody('alpha-markets'), headers);
      expect([n, review.status]).toEqual([n, 201]);
      const { id } = (await review.json()) as { id: string };
      if (n === 1) succeeded(await service.cli('review', 'publish', id));
      expect((await post(service, '/complaints', token, complaintBody('alpha-markets'))).status).toBe(201);
    }
    for (const path of ['reviews', 'complaints', 'reports']) await get(`/account/v1/${path}?limit=50`);
  });
  expectIndexed(commands, ['reviews', 'complaints', 'tokens', 'accounts', 'idempotentAnswers', 'due', 'ratingMonths']);
});
