import { expect, test } from 'vitest';
import { enterprise, verifyWebhook, type WebhookEvent, webhookHandler } from '../enterprise.ts';
import { createClient } from '../index.ts';
import { createTestServer, signWebhook } from '../testing.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A server whose webhooks go to a handler of the application that is tested. */
const start = () => {
  const received: WebhookEvent[] = [];
  const secrets: string[] = [];
  let isBusy = false;
  const server = createTestServer({
    fixtures: { brokers: [{ slug: 'alpha' }, { slug: 'beta' }] },
    sendWebhook: (request) =>
      isBusy
        ? Promise.reject(new Error('busy'))
        : webhookHandler({ secrets, onEvent: (event) => received.push(event) }).web(request),
  });
  const { baseUrl, fetch } = server;
  const { enterprise: calls } = createClient({ baseUrl, fetch, with: [enterprise({ key: server.key() })] });
  const subscribe = async (draft: object = {}) => {
    const { secret, endpoint } = await calls.webhooks.create({ url: 'https://hooks.example/', ...draft });
    secrets.push(secret);
    return endpoint;
  };
  return { server, calls, received, subscribe, setBusy: (next: boolean) => (isBusy = next) };
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
