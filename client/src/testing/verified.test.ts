import { expect, test } from 'vitest';
import { createClient } from '../index.ts';
import { createTestServer, type TestServerOptions } from '../testing.ts';
import { verifier } from '../verify.ts';

const start = (options: TestServerOptions = {}) => {
  const server = createTestServer({ rateLimit: 10_000, ...options });
  const verify = verifier(server.policy);
  const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch, verify });
  return { server, verify, client };
};

test('every broker of the test server is witnessed, and so is each of its reviews', async () => {
  const { server, verify, client } = start();
  const levels = new Set<string>();
  for (const { slug } of server.brokers) {
    levels.add(String(verify.readProof(await client.brokers.get(slug))?.level));
    const { data } = await client.reviews.list({ broker: slug, limit: 2 });
    for (const review of data) levels.add(String(verify.readProof(review)?.level));
  }
  expect(server.brokers.length).toBeGreaterThan(10);
  expect([...levels]).toEqual(['witnessed']);
});

test('a broker with warnings and overdue complaints is witnessed', async () => {
  const { verify, client } = start({
    fixtures: { brokers: [{ slug: 'late', complaints: { overdue: 3 }, warnings: [{ title: 'Not authorised' }] }] },
  });
  expect(verify.readProof(await client.brokers.get('late'))?.level).toBe('witnessed');
});

test('the day does not confirm the score of a broker that changed after it', async () => {
  const { server, verify, client } = start({ fixtures: { brokers: [{ slug: 'alpha' }] } });
  expect(verify.readProof(await client.brokers.get('alpha'))?.level).toBe('witnessed');
  server.add({ brokers: [{ slug: 'alpha', color: 'red' }] });
  expect(verify.readProof(await client.brokers.get('alpha'))?.level).toBe('signed');
});
