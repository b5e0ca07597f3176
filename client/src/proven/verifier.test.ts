import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../client.ts';
import type { CheckpointStore } from './growth.ts';
import { verifier } from './verifier.ts';

afterEach(() => {
  vi.useRealTimers();
});

const BASE = 'https://brokers.example';
const SILENCE = new Promise<never>(() => {});
const REVIEWS = { data: [{ id: '1', title: 'Good', createdAt: '2026-11-03T00:00:00.000Z', author: {} }] };

/** Creates a client of a service with these answers by the beginning of their paths; any other path stays silent. */
const createProvenClient = (answers: Readonly<Record<string, unknown>>, store?: CheckpointStore) => {
  const verify = verifier('quorum none\n', { store, wait: async () => {} });
  const asked: string[] = [];
  const fetch = async (url: string) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    const found = Object.entries(answers).find(([beginning]) => pathname.startsWith(beginning));
    return found ? Response.json(found[1]) : SILENCE;
  };
  return { client: createClient({ baseUrl: BASE, verify, fetch: fetch as never, retries: 0 }), verify, asked };
};

test('an aborted signal ends a verification, though the record is silent', async () => {
  const { client, asked } = createProvenClient({ '/api/v1/brokers/': { slug: 'alpha', recentReviews: [] } });
  const controller = new AbortController();
  const answer = client.brokers.get('alpha', { signal: controller.signal });
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  controller.abort('enough');
  await expect(answer).rejects.toBe('enough');
});

test('a store that never answers leaves each answer unsigned after a while', async () => {
  vi.useFakeTimers();
  const load = vi.fn(() => SILENCE);
  const { client, verify } = createProvenClient({ '/api/v1/reviews': REVIEWS }, { load, save: () => {} });
  const answers = Promise.all([client.reviews.list({ broker: 'alpha' }), client.reviews.list({ broker: 'beta' })]);
  await vi.waitFor(() => expect(load).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(125_000);
  const proofs = (await answers).map((answer) => verify.readProof(answer));
  expect(proofs).toMatchObject(Array(2).fill({ level: 'unsigned', why: 'the record took too long' }));
});
