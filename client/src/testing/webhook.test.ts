import { expect, test } from 'vitest';
import { enterprise, verifyWebhook, type WebhookEvent, webhookHandler } from '../enterprise.ts';
import { createClient } from '../index.ts';
import { createTestServer, type SendWebhook, signWebhook } from '../testing.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A server whose webhooks go to a handler of the application that is tested. */
const start = (sendWebhook?: SendWebhook) => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const received: WebhookEvent[] = [];
  const secrets: string[] = [];
  let isBusy = false;
  const server = createTestServer({
    fixtures: { brokers: [{ slug: 'alpha' }, { slug: 'beta' }] },
    now: () => new Date(now),
    sendWebhook: (request) => {
      if (isBusy) return Promise.reject(new Error('busy'));
      if (sendWebhook) return sendWebhook(request);
      return webhookHandler({ secrets, onEvent: (event) => received.push(event) }).web(request);
    },
  });
  const { baseUrl, fetch } = server;
  const { enterprise: calls } = createClient({ baseUrl, fetch, with: [enterprise({ key: server.key() })] });
  const subscribe = async (draft: object = {}) => {
    const { secret, endpoint } = await calls.webhooks.create({ url: 'https://hooks.example/', ...draft });
    secrets.push(secret);
    return endpoint;
  };
  return {
    server,
    calls,
    received,
    subscribe,
    setBusy: (next: boolean) => (isBusy = next),
    passDays: (days: number) => (now += days * 86_400_000),
  };
};

const toMessage = async (request: Request) => ({
  header: (name: string) => request.headers.get(name),
  body: await request.text(),
});

test('a signed webhook verifies by its secret and by the key of the service, and by no other', async () => {
  const { data } = await start().calls.webhooks.keys();
  const publicKeys = data.map(({ key }) => key);
  const event = { type: 'test', data: { number: 9, kind: 'news', key: 'news/é' } };
  const message = await toMessage(await signWebhook({ secret: SECRET, event, id: 'msg_9' }));
  for (const keys of [{ secrets: [SECRET] }, { publicKeys }])
    expect(await verifyWebhook(message, keys)).toMatchObject({ event, delivery: { id: 'msg_9' } });
  const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  await expect(verifyWebhook(message, { secrets: [other] })).rejects.toMatchObject({ code: 'wrong_signature' });
});

test('a signed webhook can be of any time, and names what is wrong with a secret without showing it', async () => {
  const late = await toMessage(await signWebhook({ secret: [SECRET], at: new Date(Date.now() - 400_000) }));
  await expect(verifyWebhook(late, { secrets: [SECRET] })).rejects.toMatchObject({ code: 'wrong_time' });
  for (const secret of ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_%'])
    await expect(signWebhook({ secret })).rejects.toThrow('the secret of a webhook must be whsec_ followed by base64');
});

test('each endpoint gets what it follows, once and in order', async () => {
  const { server, calls, received, subscribe } = start();
  await calls.watchlists.put('own', { brokers: ['beta'] });
  const all = await subscribe();
  const some = await subscribe({ watchlist: 'own', kinds: ['review'] });
  const findReview = (slug: string) => server.reviews.find(({ brokerSlug }) => brokerSlug === slug)?.id ?? '';
  server.moveReview(findReview('alpha'), 'removed');
  server.moveReview(findReview('beta'), 'removed');
  const sent = await server.deliverWebhooks();
  expect(sent).toEqual([
    { endpoint: all.id, number: all.next, status: 204 },
    { endpoint: all.id, number: all.next + 1, status: 204 },
    { endpoint: some.id, number: all.next + 1, status: 204 },
  ]);
  expect(received.map(({ type, data }) => `${type} ${data.number} ${data.kind}`)).toEqual(
    sent.map(({ number }) => `entry.published ${number} review`),
  );
  expect(await server.deliverWebhooks()).toEqual([]);
  await calls.webhooks.replay(some.id, { from: all.next + 1 });
  expect(await server.deliverWebhooks()).toHaveLength(1);
});

test('an endpoint that fails shows why, and gets the event again later; a paused one gets none', async () => {
  const { server, calls, subscribe, setBusy } = start();
  const { id, next } = await subscribe();
  server.moveReview(server.reviews[0]?.id ?? '', 'removed');
  setBusy(true);
  expect(await server.deliverWebhooks()).toEqual([{ endpoint: id, number: next, status: null }]);
  expect(await calls.webhooks.get(id)).toMatchObject({
    state: 'failing',
    next,
    failing: { attempts: 1, problem: 'does not answer: busy' },
    failures: [{ number: next }],
  });
  setBusy(false);
  await calls.webhooks.change(id, { state: 'paused' });
  expect(await server.deliverWebhooks()).toEqual([]);
  await calls.webhooks.change(id, { state: 'active' });
  expect(await server.deliverWebhooks()).toHaveLength(1);
  expect(await calls.webhooks.get(id)).toMatchObject({ state: 'active', next: next + 1, failing: null });
});

test('an endpoint that its owner removes or pauses while an event is sent stays so', async () => {
  let change = (): Promise<unknown> => Promise.resolve();
  const { server, calls, subscribe } = start(async () => {
    await change();
    return new Response();
  });
  const { id, next } = await subscribe();
  const [first, second] = server.reviews;
  server.moveReview(first?.id ?? '', 'removed');
  change = () => calls.webhooks.change(id, { state: 'paused' });
  expect(await server.deliverWebhooks()).toHaveLength(1);
  expect(await calls.webhooks.get(id)).toMatchObject({ state: 'paused', paused: { why: 'asked' }, next: next + 1 });
  await calls.webhooks.change(id, { state: 'active' });
  server.moveReview(second?.id ?? '', 'removed');
  change = () => calls.webhooks.remove(id);
  expect(await server.deliverWebhooks()).toHaveLength(1);
  expect(await calls.webhooks.list().toArray()).toEqual([]);
});

test('an endpoint that has failed for five days is paused', async () => {
  const { server, calls, subscribe, setBusy, passDays } = start();
  const { id } = await subscribe({ kinds: ['review'] });
  server.moveReview(server.reviews[0]?.id ?? '', 'removed');
  setBusy(true);
  await server.deliverWebhooks();
  passDays(4.9);
  await server.deliverWebhooks();
  expect(await calls.webhooks.get(id)).toMatchObject({ state: 'failing', paused: null });
  passDays(0.1);
  await server.deliverWebhooks();
  const { state, paused, failing } = await calls.webhooks.get(id);
  expect([state, paused]).toEqual(['paused', { at: failing?.pausesAt, why: 'failing' }]);
  expect(await server.deliverWebhooks()).toEqual([]);
});

test('a secret that has ended signs nothing, and a redirect is an answer', async () => {
  const signatures: number[] = [];
  const { calls, subscribe, passDays } = start(async ({ headers, redirect }) => {
    expect(redirect).toBe('manual');
    signatures.push(headers.get('webhook-signature')?.match(/v1,/g)?.length ?? 0);
    return new Response(null, { status: 307, headers: { location: 'https://elsewhere.example' } });
  });
  const { id } = await subscribe();
  await calls.webhooks.rotate(id);
  expect(await calls.webhooks.test(id)).toMatchObject({ status: 307, problem: 'answers 307' });
  passDays(1);
  await calls.webhooks.test(id);
  expect(signatures).toEqual([2, 1]);
});

test('an endpoint follows a broker of its watchlist after the broker has another slug', async () => {
  const { server, calls, subscribe } = start();
  await calls.watchlists.put('own', { brokers: ['alpha'] });
  const { id } = await subscribe({ watchlist: 'own', kinds: ['review'] });
  server.add({ brokers: [{ slug: 'alpha-markets' }], formerSlugs: { alpha: 'alpha-markets' } });
  await server.deliverWebhooks();
  const review = server.reviews.find(({ brokerSlug }) => brokerSlug === 'alpha-markets');
  server.moveReview(review?.id ?? '', 'removed');
  expect(await server.deliverWebhooks()).toMatchObject([{ endpoint: id, status: 204 }]);
});

test('a test event is sent at once, and both secrets sign after a rotation', async () => {
  const { calls, received, subscribe } = start();
  const { id } = await subscribe();
  await calls.webhooks.rotate(id);
  expect(await calls.webhooks.test(id)).toMatchObject({ isDelivered: true, status: 204, problem: null });
  expect(received).toMatchObject([{ type: 'test', data: { endpoint: id } }]);
  expect((await calls.webhooks.get(id)).secrets).toHaveLength(2);
  await calls.webhooks.remove(id);
  await expect(calls.webhooks.test(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('the sandbox publishes a warning, and takes it back', async () => {
  const { server, calls, received, subscribe } = start();
  await subscribe({ kinds: ['warning'] });
  const changes = [await calls.sandbox.publish({ broker: 'alpha' }), await calls.sandbox.publish({ broker: 'alpha' })];
  expect(changes.map(({ change }) => change)).toEqual(['appeared', 'disappeared']);
  await server.deliverWebhooks();
  expect(received.map(({ data }) => data.key)).toEqual(changes.map(({ key }) => key));
});
