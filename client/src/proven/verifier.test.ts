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
    const path = decodeURIComponent(url.slice(BASE.length));
    asked.push(path);
    const found = Object.entries(answers).find(([beginning]) => path.startsWith(beginning));
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

const AT = {
  facts: [],
  ratingsByMonth: [],
  complaintsByMonth: [],
  knownAt: 3,
  score: { methodologyVersion: '2026-1' },
};

test.each<[string, object]>([
  ['no score', { ...AT, score: undefined }],
  ['no facts', { ...AT, facts: undefined }],
  ['a fact without a key', { ...AT, facts: [{}] }],
])('an answer of the record with %s leaves an answer unsigned', async (_, at) => {
  const { client, verify } = createProvenClient({
    '/api/v1/brokers/': { slug: 'alpha', recentReviews: [] },
    '/transparency/v1/brokers/alpha': at,
  });
  const proof = verify.readProof(await client.brokers.get('alpha'));
  expect(proof).toMatchObject({ level: 'unsigned', why: "the record's answer has another form" });
});

const readEntry = (proven: object) => ({ data: [{ key: 'broker/alpha', number: 1, ...proven }], checkpoint: null });

test.each<[string, object]>([
  ['no list of entries', { checkpoint: null }],
  ['an entry that is no JSON', readEntry({ entry: '{' })],
  ['an entry that is nothing', readEntry({ entry: 'null' })],
  ['another entry', readEntry({ entry: '{"key":"broker/beta","number":1}' })],
])('an answer of the log with %s is a contradiction, also for the calls that return errors', async (_, entries) => {
  const { client } = createProvenClient({ '/api/v1/reviews': REVIEWS, '/transparency/v1/entries': entries });
  const { error } = await client.safe.reviews.list({ broker: 'alpha' });
  expect(error).toMatchObject({ name: 'ContradictionError', cause: { code: 'malformed' } });
});

test('an id that is not valid UTF-8 is a contradiction', async () => {
  const { client } = createProvenClient({ '/api/v1/reviews': { data: [{ ...REVIEWS.data[0], id: '\ud800' }] } });
  const { error } = await client.safe.reviews.list({ broker: 'alpha' });
  expect(error).toMatchObject({ name: 'ContradictionError', differences: [{ path: 'data' }] });
});

test('a review whose title is not valid UTF-8 is named', async () => {
  const value = { state: 'published', broker: 'alpha', rating: 4, month: '2026-11', texts: { title: 'x' } };
  const entry = JSON.stringify({ key: 'review/1', number: 1, kind: 'review', value });
  const entries = { data: [{ key: 'review/1', number: 1, entry }], checkpoint: null };
  const broker = { key: 'broker/alpha', number: 0, kind: 'broker', value: { slug: 'alpha' } };
  const review = { ...REVIEWS.data[0], title: '\ud800', brokerSlug: 'alpha', rating: 4, identityVerified: true };
  const { client } = createProvenClient({
    '/api/v1/reviews': { data: [review] },
    '/transparency/v1/entries?keys=broker': {
      data: [{ key: 'broker/alpha', number: 0, entry: JSON.stringify(broker) }],
      checkpoint: null,
    },
    '/transparency/v1/entries': entries,
  });
  const { error } = await client.safe.reviews.list({ broker: 'alpha' });
  expect(error).toMatchObject({
    name: 'ContradictionError',
    differences: [{ path: 'data', answer: expect.stringContaining('surrogate') }],
  });
});

test('a store that throws rejects the call with the same error', async () => {
  const thrown = new TypeError('the disk is full');
  const load = () => {
    throw thrown;
  };
  const { client } = createProvenClient({ '/api/v1/reviews': REVIEWS }, { load, save: () => {} });
  await expect(client.reviews.list({ broker: 'alpha' })).rejects.toBe(thrown);
});

test('half a text in the store is an error that names the store and the cure', async () => {
  const store = { load: () => 'brokers.example/log', save: () => {} };
  const { client } = createProvenClient({ '/api/v1/reviews': REVIEWS }, store);
  const error = await Promise.resolve(client.reviews.list({ broker: 'alpha' })).catch((one: unknown) => one);
  expect(error).toMatchObject({ message: expect.stringMatching(/store of the verifier.*delete it/) });
  expect(error).toMatchObject({ name: 'BrokerTransparencyError', cause: { code: 'malformed' } });
});
