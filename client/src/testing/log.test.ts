import { describe, expect, test } from 'vitest';
import { account } from '../account.ts';
import { enterprise, memoryReplica, type ReplicaState, readSnapshot, replica } from '../enterprise.ts';
import { createClient } from '../index.ts';
import { record } from '../record.ts';
import { createTestServer } from '../testing.ts';
import {
  VerifyError,
  verifyCheckpoint,
  verifyConsistency,
  verifyProof,
  verifyPublication,
  verifyReview,
} from '../verify.ts';
import { POLICY } from './log.ts';
import { moveReview } from './moderation.ts';
import { State } from './state.ts';

const start = () => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const server = createTestServer({
    fixtures: { brokers: [{ slug: 'alpha' }, { slug: 'beta', color: 'red' }] },
    now: () => new Date(now),
    rateLimit: 1000,
  });
  const client = createClient({
    baseUrl: server.baseUrl,
    fetch: server.fetch,
    token: server.token(),
    with: [record(), account(), enterprise({ key: server.key() })],
  });
  const readLog = async (path: string) =>
    (await server.fetch(new URL(`/transparency/v1/log/test/${path}`, server.baseUrl))).text();
  return { server, client, readLog, passDays: (days: number) => (now += days * 86_400_000) };
};

describe('the log of a test server', () => {
  test('the log is signed by itself and its witness, and hands out the policy of both', async () => {
    const { server, readLog } = start();
    expect(await readLog('policy')).toBe(server.policy);
    const checkpoint = await verifyCheckpoint(await readLog('checkpoint'), server.policy);
    expect(checkpoint).toMatchObject({ level: 'witnessed', origin: 'broker-transparency.test/test' });
    expect(checkpoint.checkpointTime).toBe('2026-03-01T12:00:00.000Z');
  });

  test('grows with each change, and proves that it only grew', async () => {
    const { server, client, readLog } = start();
    const older = await verifyCheckpoint(await readLog('checkpoint'), server.policy);
    server.moveReview(server.reviews[0]?.id ?? '', 'removed');
    const newer = await verifyCheckpoint(await readLog('checkpoint'), server.policy);
    const { tree, signed } = await client.enterprise.feed.changes({ after: older.size - 2, limit: 1 });
    expect(tree).toEqual({ size: older.size, root: older.root });
    expect([newer.size, signed?.size]).toEqual([older.size + 1, newer.size]);
    await verifyConsistency(older, newer, signed?.consistency ?? []);
    await expect(verifyConsistency(older, newer, [])).rejects.toThrow(VerifyError);
  });

  test('refuses a path that it has no file at', async () => {
    const { server } = start();
    for (const path of ['tile/0/001', 'tile/9/000', 'nothing'])
      expect((await server.fetch(new URL(`/transparency/v1/log/test/${path}`, server.baseUrl))).status, path).toBe(404);
  });

  test('a proof fails once a number in it is changed', async () => {
    const { server, client } = start();
    const { proof } = await client.record.brokers.proof('beta');
    expect((await verifyProof(proof, server.policy)).score).toMatchObject({ slug: 'beta', color: 'red' });
    await expect(verifyProof(proof.replace(/^index \d+/m, 'index 1'), server.policy)).rejects.toThrow('not what');
  });

  test('the log has the scores of each day on which a request came', async () => {
    const { server, client, passDays } = start();
    const before = await client.record.brokers.proof('alpha');
    passDays(2);
    for (const { id } of server.reviews.filter(({ brokerSlug }) => brokerSlug === 'alpha').slice(0, 9))
      server.moveReview(id, 'removed');
    passDays(1);
    const { date } = await client.record.brokers.proof('alpha');
    expect([before.date, date]).toEqual(['2026-03-01', '2026-03-04']);
    const { up, down, from, to } = await client.enterprise.media.movers({ since: '2026-03-01' });
    expect([from, to]).toEqual(['2026-03-01', '2026-03-04']);
    expect([...up, ...down].map(({ slug, causes }) => [slug, causes.length])).toContainEqual(['alpha', 9]);
  });
});

describe('a record that grows while it is proven', () => {
  test('one checkpoint covers the newest entries of the keys', async () => {
    const at = new Date('2026-03-01T12:00:00Z');
    const state = new State({ brokers: [{ slug: 'alpha' }] }, 'test', at);
    const { log, record } = state;
    const [size, id] = [record.entries.length, state.reviews[0]?.id ?? ''];
    const proving = log.proveNewest({ keys: [`review/${id}`], since: 0 }, at);
    moveReview(state, id, 'removed', at);
    const { checkpoint, data } = await proving;
    expect((await verifyCheckpoint(checkpoint, POLICY)).size).toBe(size);
    expect(record.findLast(`review/${id}`)?.number).toBe(size);
    expect(data[0]?.number).toBeLessThan(size);
  });

  test('one checkpoint covers all proofs of a publication, which states its size', async () => {
    const { server, client } = start();
    const id = server.reviews[0]?.id ?? '';
    let isAnswered = false;
    const publishing = client.enterprise.brokers.publication('alpha').finally(() => (isAnswered = true));
    while (!isAnswered) {
      server.moveReview(
        id,
        server.reviews.find((one) => one.id === id)?.status === 'removed' ? 'published' : 'removed',
      );
      await new Promise(setImmediate);
    }
    const { log, proofs } = await publishing;
    for (const proof of Object.values(proofs)) expect(proof).toContain(`\n${log.origin}\n${log.size}\n`);
  });
});

describe('what customers build on proofs', () => {
  test('a publication verifies, as JSON and as a page', async () => {
    const { server, client } = start();
    const key = server.key({ plan: 'media' });
    for (const format of ['json', 'html']) {
      const url = new URL(`/enterprise/v1/brokers/alpha/publication?format=${format}`, server.baseUrl);
      const answer = await server.fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      const { publication } = await verifyPublication(await answer.text(), server);
      expect(publication).toMatchObject({ broker: { slug: 'alpha' }, terms: { republication: 'with-citation' } });
    }
    expect((await client.enterprise.brokers.publication('alpha')).terms.republication).toBe('official-duties');
  });

  test('a review verifies in the words in which it was published', async () => {
    const { server, client } = start();
    const content = 'I withdrew twice this year, and both times it came.';
    const { id } = await client.reviews.create({
      broker: 'alpha',
      rating: 4,
      language: 'en',
      title: 'It came',
      content,
    });
    expect((await client.safe.account.reviews.proof(id)).error?.code).toBe('state_conflict');
    server.moveReview(id, 'published');
    const file = JSON.stringify(await client.account.reviews.proof(id));
    expect((await verifyReview(file, server)).texts).toEqual({ author: 'Test account 1', title: 'It came', content });
  });

  test.each(['start', 'snapshot'] as const)('a replica from the %s has every entry and text, proven', async (from) => {
    const { server, client } = start();
    const store = memoryReplica();
    const options = { client, store, policy: server.policy, from, prove: 'tiles', wait: 0, limit: 7 } as const;
    const follow = async () => {
      let last: ReplicaState | undefined;
      for await (const state of replica(options)) last = state;
      return last;
    };
    const read = await follow();
    const { end } = read as ReplicaState;
    expect(read).toMatchObject({ applied: end, witnessed: end, missingTexts: [] });
    const { id = '', title } = server.reviews[0] ?? {};
    expect((await store.readTexts(`review/${id}`))['title']?.text).toBe(title);
    server.moveReview(id, 'removed');
    expect(await follow()).toMatchObject({ applied: end + 1, missingTexts: [] });
    expect(await store.readTexts(`review/${id}`)).toEqual({});
  });

  test('a snapshot verifies, entry by entry', async () => {
    const { server, client } = start();
    const kinds = new Set<string>();
    for await (const { entry } of readSnapshot(client, 'latest', { prove: 'tiles', policy: server.policy }))
      kinds.add(entry.kind);
    expect([...kinds].sort()).toEqual(
      ['broker', 'complaints', 'day', 'license', 'methodology', 'news', 'regulator', 'review', 'service-level'].sort(),
    );
  });
});
