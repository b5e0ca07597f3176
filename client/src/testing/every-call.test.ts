import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import { accountOpenApiDocument, openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { describe, expect, test } from 'vitest';
import { listCalls } from '../../scripts/calls.ts';
import { account } from '../account.ts';
import { enterprise } from '../enterprise.ts';
import { record } from '../record.ts';
import { createClient } from '../strict.ts';
import { createTestServer } from '../testing.ts';

const address = { serverUrl: 'https://brokers.example', version: '1.0.0' };
const CALLS = [
  ...listCalls(openApiDocument(address)),
  ...listCalls(recordOpenApiDocument(address), 'record'),
  ...listCalls(accountOpenApiDocument(address), 'account'),
  ...listCalls(enterpriseOpenApiDocument(address), 'enterprise'),
].map(({ id }) => id);

/** A server with everything that calls ask for, and a strict client with every family. */
const start = () => {
  const server = createTestServer({
    fixtures: {
      brokers: [
        { slug: 'alpha', warnings: [{}] },
        { slug: 'beta', color: 'red' },
      ],
    },
    sendWebhook: async () => new Response(null, { status: 204 }),
  });
  const { baseUrl, fetch } = server;
  const client = createClient({
    baseUrl,
    fetch,
    token: server.token(),
    with: [record(), account(), enterprise({ key: server.key() })],
  });
  return { server, client };
};
type RunningServer = ReturnType<typeof start>;

const review = {
  broker: 'alpha',
  rating: 4.5,
  language: 'en',
  title: 'Paid out in two days',
  content: 'I withdrew twice this year, and both times it came.',
};
const complaint = {
  broker: 'alpha',
  category: 'withdrawal',
  title: 'Refused for a month',
  content: 'I asked for my balance in March, and have had no answer.',
  consentToForward: true,
} as const;
const appeal = { text: 'I was a customer, and I have the statements.' };
const hook = { url: 'https://hooks.example/' };

const publishOwn = async ({ client, server }: RunningServer, status: 'published' | 'rejected') => {
  const { id } = await client.reviews.create(review);
  server.moveReview(id, status);
  return id;
};
const report = async ({ client, server }: RunningServer) => {
  const reviewId = server.reviews[0]?.id ?? '';
  return (await client.account.reports.create({ reviewId, reason: 'insult', text: 'It insults the staff.' })).id;
};
const subscribe = async ({ client }: RunningServer) => (await client.enterprise.webhooks.create(hook)).endpoint.id;

/** A call of each route, with what it needs. */
const MAKE: Readonly<Record<string, (started: RunningServer) => PromiseLike<unknown>>> = {
  search: ({ client }) => client.search({ q: 'alpha' }),
  'brokers.list': ({ client }) => client.brokers.list(),
  'brokers.get': ({ client }) => client.brokers.get('alpha'),
  'regulators.list': ({ client }) => client.regulators.list(),
  'regulators.get': ({ client }) => client.regulators.get('test-xa'),
  'reviews.list': ({ client }) => client.reviews.list({ broker: 'alpha' }),
  'reviews.create': ({ client }) => client.reviews.create(review),
  'complaints.create': ({ client }) => client.complaints.create(complaint),
  'news.list': ({ client }) => client.news.list(),
  'record.moderation': ({ client }) => client.record.moderation('alpha'),
  'record.brokers.history': ({ client }) => client.record.brokers.history('alpha'),
  'record.brokers.at': ({ client }) => client.record.brokers.at('alpha'),
  'record.brokers.proof': ({ client }) => client.record.brokers.proof('alpha'),
  'record.entries.list': ({ client, server }) =>
    client.record.entries.list({ keys: `review/${server.reviews[0]?.id},broker/alpha` }),
  'record.openings.list': ({ client, server }) =>
    client.record.openings.list({ keys: `review/${server.reviews[0]?.id},broker/alpha` }),
  'record.serviceLevel.day': ({ client }) => client.record.serviceLevel.day('2026-01-11'),
  'record.serviceLevel.month': ({ client }) => client.record.serviceLevel.month('2025-12'),
  'record.serviceLevel.canary': ({ client }) =>
    client.record.serviceLevel.canary('test-1', { mark: '2026-01-15T12:00Z', signature: `${'A'.repeat(86)}==` }),
  'account.reviews.list': async (started) => {
    await publishOwn(started, 'rejected');
    return started.client.account.reviews.list();
  },
  'account.reviews.proof': async (started) =>
    started.client.account.reviews.proof(await publishOwn(started, 'published')),
  'account.reviews.withdraw': async (started) =>
    started.client.account.reviews.withdraw(await publishOwn(started, 'published')),
  'account.reviews.appeal': async (started) =>
    started.client.account.reviews.appeal(await publishOwn(started, 'rejected'), appeal),
  'account.complaints.list': async ({ client }) => {
    await client.complaints.create(complaint);
    return client.account.complaints.list();
  },
  'account.reports.list': async (started) => {
    await report(started);
    return started.client.account.reports.list();
  },
  'account.reports.create': report,
  'account.reports.appeal': async (started) => {
    const id = await report(started);
    started.server.decideReport(id, 'kept');
    return started.client.account.reports.appeal(id, appeal);
  },
  'account.mail.show': ({ client }) => client.account.mail.show(),
  'account.mail.request': ({ client }) => client.account.mail.request({ address: 'me@mail.example' }),
  'account.mail.confirm': async ({ client }) => {
    await client.account.mail.request({ address: 'me@mail.example' });
    return client.account.mail.confirm({ code: 'TEST1-TEST1' });
  },
  'account.mail.stop': ({ client }) => client.account.mail.stop(),
  'enterprise.account.get': ({ client }) => client.enterprise.account.get(),
  'enterprise.account.usage': async ({ client }) => {
    await client.enterprise.account.get();
    return client.enterprise.account.usage();
  },
  'enterprise.feed.changes': ({ client }) => client.enterprise.feed.changes(),
  'enterprise.sandbox.publish': ({ client }) => client.enterprise.sandbox.publish({ broker: 'alpha' }),
  'enterprise.snapshots.list': ({ client }) => client.enterprise.snapshots.list(),
  'enterprise.snapshots.get': async ({ client }) => {
    const { data } = await client.enterprise.snapshots.list();
    return client.enterprise.snapshots.get(data[0]?.number ?? -1);
  },
  'enterprise.webhooks.list': async (started) => {
    await subscribe(started);
    return started.client.enterprise.webhooks.list();
  },
  'enterprise.webhooks.create': ({ client }) => client.enterprise.webhooks.create(hook),
  'enterprise.webhooks.keys': ({ client }) => client.enterprise.webhooks.keys(),
  'enterprise.webhooks.get': async (started) => started.client.enterprise.webhooks.get(await subscribe(started)),
  'enterprise.webhooks.change': async (started) =>
    started.client.enterprise.webhooks.change(await subscribe(started), { state: 'paused' }),
  'enterprise.webhooks.remove': async (started) => started.client.enterprise.webhooks.remove(await subscribe(started)),
  'enterprise.webhooks.test': async (started) => started.client.enterprise.webhooks.test(await subscribe(started)),
  'enterprise.webhooks.replay': async (started) =>
    started.client.enterprise.webhooks.replay(await subscribe(started), { from: 0 }),
  'enterprise.webhooks.rotate': async (started) => started.client.enterprise.webhooks.rotate(await subscribe(started)),
  'enterprise.brokers.list': ({ client }) => client.enterprise.brokers.list(),
  'enterprise.brokers.get': ({ client }) => client.enterprise.brokers.get('alpha'),
  'enterprise.brokers.timeline': ({ client }) => client.enterprise.brokers.timeline('alpha'),
  'enterprise.brokers.publication': ({ client }) => client.enterprise.brokers.publication('alpha'),
  'enterprise.regulators.list': ({ client }) => client.enterprise.regulators.list(),
  'enterprise.regulators.get': ({ client }) => client.enterprise.regulators.get('test-xa'),
  'enterprise.media.movers': ({ client }) => client.enterprise.media.movers({ since: '2026-01-01' }),
  'enterprise.media.corrections': ({ client, server }) => {
    server.add({ brokers: [{ slug: 'alpha', foundedYear: 1999 }] }, 'correction');
    return client.enterprise.media.corrections({ since: '2026-01-01' });
  },
  'enterprise.screening.screen': ({ client }) => client.enterprise.screening.screen({ queries: [{ name: 'Alpha' }] }),
  'enterprise.serviceLevel.report': ({ client }) => client.enterprise.serviceLevel.report(),
  'enterprise.watchlists.list': async ({ client }) => {
    await client.enterprise.watchlists.put('clients', { brokers: ['alpha'] });
    return client.enterprise.watchlists.list();
  },
  'enterprise.watchlists.get': async ({ client }) => {
    await client.enterprise.watchlists.put('clients', { brokers: ['alpha'] });
    return client.enterprise.watchlists.get('clients');
  },
  'enterprise.watchlists.put': ({ client }) => client.enterprise.watchlists.put('clients', { brokers: ['alpha'] }),
  'enterprise.watchlists.remove': async ({ client }) => {
    await client.enterprise.watchlists.put('clients', { brokers: ['alpha'] });
    return client.enterprise.watchlists.remove('clients');
  },
};

describe('every route', () => {
  test('the table has a call of each route of the contract, and no other', () => {
    expect(Object.keys(MAKE).sort()).toEqual([...CALLS].sort());
  });

  test.each(CALLS)('%s has an answer that the strict client accepts, and that is not empty', async (id) => {
    const started = start();
    const answer = await MAKE[id]?.(started);
    expect(started.server.requests.at(-1)).toMatchObject({ call: id });
    const { data } = answer as { readonly data?: unknown };
    expect(data ?? answer).not.toEqual([]);
  });
});
