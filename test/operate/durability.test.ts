import { isAlive } from '@broker-transparency/embedded-mongo/processes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase, readEmbedded } from '../support/database.ts';
import { createToken, getJson, importRows, post, reviewIds, submit, succeeded } from '../support/filled-service.ts';
import { EMBEDDED, type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { until } from '../support/until.ts';

let service: ServiceProcess;

beforeAll(async () => {
  service = await startProcess({ LOG_LEVEL: 'error', ...EMBEDDED });
  await importRows(
    service,
    'brokers',
    ['alpha-markets', 'beta-trade'].map((slug) => brokerRow(slug)),
  );
});
afterAll(() => service?.remove());

/** Kills the process without running any handler. The database runs on, and the next start takes it over. */
const killAndRestart = async (): Promise<void> => {
  const { mongodPid } = await readEmbedded(service);
  await service.end('SIGKILL');
  service = await startProcess({ LOG_LEVEL: 'error', DATA_DIR: service.dataDir });
  expect(await isAlive(mongodPid), 'the mongod that was left behind').toBe(false);
};

/** Kills the process and its database in the middle of their work, before anything else in this test runs. */
const killAllAndRestart = async (mongodPid: number): Promise<void> => {
  process.kill(mongodPid, 'SIGKILL');
  await service.end('SIGKILL');
  await until('mongod is gone', 5000, async () => !(await isAlive(mongodPid)));
  service = await startProcess({ LOG_LEVEL: 'error', DATA_DIR: service.dataDir });
};

interface Detail {
  readonly score: { readonly value: number; readonly computedAt: string };
  readonly ratingSummary: { readonly count: number; readonly average: number };
  readonly complaintSummary: { readonly open: number };
  readonly recentReviews: readonly { readonly id: string }[];
}
const detail = async (slug: string) => (await getJson(service, `/brokers/${slug}`)) as unknown as Detail;

test('a published review, its counts and its score remain after a kill -9', async () => {
  const token = await createToken(service, 'alice');
  const created = await post(service, '/reviews', token, reviewBody('alpha-markets', { rating: 4.75 }));
  const { id } = (await created.json()) as { id: string };
  expect((await post(service, '/complaints', token, complaintBody('alpha-markets'))).status).toBe(201);
  succeeded(await service.cli('review', 'publish', id));
  const before = await until('the review counts', 3000, async () => {
    const found = await detail('alpha-markets');
    return found.ratingSummary.count === 1 && found.complaintSummary.open === 1 && found;
  });

  await killAndRestart();

  expect(await detail('alpha-markets')).toEqual(before);
  expect(before).toMatchObject({ ratingSummary: { average: 4.75 }, recentReviews: [{ id }] });
  expect(await getJson(service, '/reviews?broker=alpha-markets')).toMatchObject({ data: [{ id, rating: 4.75 }] });
  succeeded(await service.cli('admin', 'rebuild', '--check'));
  // The token is still valid, and the rule of one review per person still holds.
  expect((await post(service, '/reviews', token, reviewBody('alpha-markets'))).status).toBe(409);
});

test('a review that was published just before a kill counts after it', async () => {
  const token = await createToken(service, 'carol');
  const created = await post(service, '/reviews', token, reviewBody('beta-trade', { rating: 2 }));
  const { id } = (await created.json()) as { id: string };
  const { mongodPid } = await readEmbedded(service);
  const published = service.cli('review', 'publish', id);
  const marked = until('it is published', 10_000, () =>
    inDatabase(service, async (db) => (await db.collection('reviews').countDocuments({ status: 'published' })) === 2),
  );
  await marked;
  await killAllAndRestart(mongodPid);
  await published;
  await until('it counts', 3000, async () => (await detail('beta-trade')).ratingSummary.count === 1);
  succeeded(await service.cli('admin', 'rebuild', '--check'));
});

test('stores exactly once every acknowledged one of fifty posts around a kill', async () => {
  const slugs = Array.from({ length: 50 }, (_, index) => `ledger-${index}`);
  await importRows(
    service,
    'brokers',
    slugs.map((slug) => brokerRow(slug)),
  );
  const token = await createToken(service, 'dave');
  const acknowledged = new Set<string>();
  const unanswered: string[] = [];
  const { mongodPid } = await readEmbedded(service);
  let restarted: Promise<void> | undefined;
  const sendOnce = async (slug: string): Promise<void> => {
    try {
      const response = await post(service, '/reviews', token, reviewBody(slug), { 'Idempotency-Key': slug });
      if (response.status === 201) acknowledged.add(((await response.json()) as { id: string }).id);
      else unanswered.push(slug);
    } catch {
      unanswered.push(slug);
    }
    if (acknowledged.size >= 5) restarted ??= killAllAndRestart(mongodPid);
  };
  const before = await reviewIds(service, 'pending');
  const waiting = [...slugs];
  const sendInTurn = async (): Promise<void> => {
    for (let slug = waiting.pop(); slug !== undefined; slug = waiting.pop()) await sendOnce(slug);
  };
  await Promise.all(Array.from({ length: 10 }, sendInTurn)); // most posts are not sent yet at the kill
  await restarted;
  expect(acknowledged.size).toBeLessThan(slugs.length);

  const stored = await reviewIds(service, 'pending');
  expect(new Set(stored).size).toBe(stored.length);
  const missing = [...acknowledged].filter((id) => !stored.includes(id));
  expect(missing, `acknowledged ${acknowledged.size}, stored ${stored.length}`).toEqual([]);

  // A caller without an answer repeats the request with its key, and nothing is doubled.
  const repeated = unanswered.map(async (slug) => {
    const response = await submit(service, '/reviews', token, reviewBody(slug), slug);
    expect(response.status).toBe(201);
    acknowledged.add(((await response.json()) as { id: string }).id);
  });
  await Promise.all(repeated);
  const all = await reviewIds(service, 'pending');
  expect(all).toHaveLength(before.length + slugs.length);
  expect([...acknowledged].filter((id) => !all.includes(id))).toEqual([]);
  expect(acknowledged.size).toBe(slugs.length);
});
