import { fileURLToPath } from 'node:url';
import type { WebhookEndpoint, WebhookTest } from '@broker-transparency/contract/enterprise';
import { verifyAsync } from '@noble/ed25519';
import type { Collection } from 'mongodb';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send, steadyHeaders } from '../support/http.ts';
import { type ServiceProcess, type Settings, startProcess } from '../support/process.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { findOutOfOrder, type PublishedEntry, publish } from './publishing.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const PRELOAD = fileURLToPath(new URL('moving-names.mjs', import.meta.url));
const SETTINGS = { JOBS: 'on', WEBHOOKS_ALLOW_LOOPBACK: 'true' } satisfies Settings;

const scratches: Scratch[] = [];
let scratch: Scratch;
let service: ServiceProcess;
let receiver: Receiver;
let acme: AsCustomer;
let other: AsCustomer;
let publicKeys: string[];
/** True while the receiver refuses events of one broker. */
let poisoned = true;
beforeAll(async () => {
  scratch = await createScratch();
  scratches.push(scratch);
  const files = [scratch.file('new.key'), scratch.file('old.key')];
  await scratch.write('address', '10.0.0.1');
  [service, receiver] = await Promise.all([
    startProcess({ ...SETTINGS, NODE_OPTIONS: `--import ${PRELOAD}`, MOVING_NAMES: scratch.file('address') }),
    startReceiver(),
  ]);
  receiver.behave(({ path, data }, res) => {
    if (path === '/hangs') return undefined;
    if (path === '/gone') return 410;
    if (path === '/poisoned' && poisoned && String(data['key']).includes('poisoned')) return 500;
    if (path !== '/moved-on') return 200;
    res.setHeader('Location', receiver.url('/elsewhere'));
    return 302;
  });
  publicKeys = [];
  for (const file of files)
    publicKeys.push(succeeded(await service.cli('admin', 'enterprise', 'new-webhook-key', file)).trim());
  acme = await grantCustomer(service, 'acme', 'institution');
  other = await grantCustomer(service, 'other', 'media');
});
afterAll(async () => {
  await service?.remove();
  await receiver?.close();
  await Promise.all(scratches.map((one) => one.remove()));
});

interface Subscription {
  readonly id: string;
  readonly secret: string;
  readonly get: () => Promise<WebhookEndpoint>;
  readonly ask: (path: string, asked?: Parameters<AsCustomer>[1]) => Promise<HttpResponse>;
}

const subscribe = async (customer: AsCustomer, body: object): Promise<Subscription> => {
  const made = await customer('/webhooks', { body });
  if (made.status !== 201) throw new Error(`${made.status}: ${made.text}`);
  const { secret, endpoint } = made.json<{ secret: string; endpoint: WebhookEndpoint }>();
  const ask: Subscription['ask'] = (path, asked) => customer(`/webhooks/${endpoint.id}${path}`, asked);
  return { id: endpoint.id, secret, ask, get: async () => (await ask('')).json<WebhookEndpoint>() };
};

const allArrive = (from: Receiver, path: string, published: readonly PublishedEntry[], ms = 30_000) =>
  until(`${published.length} events arrive at ${path}`, ms, async () => {
    const numbers = new Set(from.numbers(path));
    return published.every(({ number }) => numbers.has(number));
  });

const createSubjects = (count: number, of: number): string[] =>
  Array.from({ length: count }, (_, at) => `broker/${at % of}`);

describe.concurrent('an endpoint', () => {
  test('an endpoint gets thin events of the kinds it asks for, signed, each once and in order', async () => {
    const { secret, id, get } = await subscribe(acme, { url: receiver.url('/plain'), kinds: ['review'] });
    await publish(service, createSubjects(3, 3), 'regulator');
    const published = await publish(service, createSubjects(40, 4), 'review');
    await allArrive(receiver, '/plain', published);
    expect(receiver.numbers('/plain').toSorted((a, b) => a - b)).toEqual(published.map(({ number }) => number));
    expect(findOutOfOrder(receiver.numbers('/plain'), published)).toEqual([]);
    for (const { body, headers, data, type } of receiver.received.filter(({ path }) => path === '/plain')) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type });
      expect(headers['webhook-id']).toBe(`${id}_${data['number']}`);
      expect(Object.keys(JSON.parse(body))).toEqual(['type', 'timestamp', 'data']);
      expect(Object.keys(data)).toEqual(['number', 'kind', 'key']);
    }
    const last = published.at(-1) as PublishedEntry;
    await until('it says so', 30_000, async () => (await get()).next > last.number);
    expect(await get()).toMatchObject({ state: 'active', blocked: [], failing: null, failures: [] });
  });

  test('an endpoint with a watchlist gets events about its brokers alone', async () => {
    const watchlist = { organisation: 'acme', name: 'watched', brokers: ['watched'], updatedAt: new Date(), place: 0 };
    await inDatabase(service, (db) => db.collection('enterpriseWatchlists').insertOne(watchlist));
    const { id, get } = await subscribe(acme, {
      url: receiver.url('/watched'),
      kinds: ['license'],
      watchlist: 'watched',
    });
    const subjects = createSubjects(12, 4).map((one) => (one === 'broker/1' ? 'broker/watched' : one));
    const published = await publish(service, subjects, 'license');
    const last = published.at(-1) as PublishedEntry;
    await until('all is delivered', 30_000, async () => (await get()).next > last.number);
    const wanted = published.filter(({ subject }) => subject === 'broker/watched').map(({ number }) => number);
    expect(receiver.numbers('/watched')).toEqual(wanted);
    const url = receiver.url('/watched');
    const asked = await Promise.all([
      acme('/webhooks', { body: { url, watchlist: 'unknown' } }),
      other('/webhooks', { body: { url, watchlist: 'watched' } }),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([404, 404]);
    const removal = await acme('/watchlists/watched', { method: 'DELETE' });
    expect(removal.status).toBe(409);
    expect(removal.json<{ detail: string }>().detail).toContain(`/webhooks/${id}`);
    await acme(`/webhooks/${id}`, { method: 'PATCH', body: { watchlist: null } });
    expect((await acme('/watchlists/watched', { method: 'DELETE' })).status).toBe(200);
  });

  test('events published after a watchlist is rewritten go out by the new one', async () => {
    const list = { organisation: 'acme', name: 'changing' };
    const lists = <T>(work: (rows: Collection) => Promise<T>) =>
      inDatabase(service, (db) => work(db.collection('enterpriseWatchlists')));
    await lists((rows) => rows.insertOne({ ...list, brokers: ['former'], updatedAt: new Date(), place: 1 }));
    const { get } = await subscribe(acme, { url: receiver.url('/changing'), kinds: ['warning'], watchlist: list.name });
    await publish(service, ['broker/former'], 'warning');
    await until('it begins', 30_000, async () => receiver.numbers('/changing').length === 1);
    await lists((rows) => rows.updateOne(list, { $set: { brokers: ['added'], updatedAt: new Date() } }));
    const published = await publish(service, ['broker/added', 'broker/former', 'broker/added'], 'warning');
    const [first, , last] = published as [PublishedEntry, PublishedEntry, PublishedEntry];
    await until('all is delivered', 30_000, async () => (await get()).next > last.number);
    expect(receiver.numbers('/changing').slice(1)).toEqual([first.number, last.number]);
  });

  test('an endpoint is tested by an event that is sent at once', async () => {
    const { ask, secret } = await subscribe(acme, { url: receiver.url('/tested'), kinds: ['day'] });
    const good = (await ask('/test', { method: 'POST' })).json<WebhookTest>();
    expect(good).toMatchObject({ isDelivered: true, status: 200, problem: null });
    const [sent] = receiver.received.filter(({ path }) => path === '/tested');
    expect(new Webhook(secret).verify(sent?.body ?? '', sent?.headers ?? {})).toMatchObject({ type: 'test' });
    await ask('', { method: 'PATCH', body: { url: 'http://127.0.0.1:1/' } });
    const bad = (await ask('/test', { method: 'POST' })).json<WebhookTest>();
    expect(bad).toMatchObject({ isDelivered: false, status: null, problem: 'cannot be reached (ECONNREFUSED)' });
  });

  test('an endpoint that refuses one broker gets others at once, and that one later, in order', async () => {
    const { ask, get } = await subscribe(acme, { url: receiver.url('/poisoned'), kinds: ['license'] });
    const [first] = await publish(service, ['broker/poisoned'], 'license');
    const published = await publish(
      service,
      [...createSubjects(20, 4), 'broker/poisoned', 'broker/poisoned'],
      'license',
    );
    await allArrive(receiver, '/poisoned', published.slice(0, 20));
    await until('it is blocked', 30_000, async () => (await get()).blocked.length > 0);
    expect(await get()).toMatchObject({ state: 'failing', failing: null });
    expect((await get()).blocked[0]).toMatchObject({ subject: 'broker/poisoned', problem: 'answers 500' });
    const told = JSON.stringify(await inDatabase(service, (db) => db.collection('webhookEndpoints').find().toArray()));
    expect(told).not.toContain('nobody keeps');
    poisoned = false;
    expect((await ask('', { method: 'PATCH', body: { state: 'active' } })).status).toBe(200);
    const all = [first as PublishedEntry, ...published];
    await allArrive(receiver, '/poisoned', all);
    expect(findOutOfOrder(receiver.numbers('/poisoned'), all)).toEqual([]);
    await until('it is well', 30_000, async () => (await get()).state === 'active');
  });

  test('an endpoint that never answers delays no other', async () => {
    await subscribe(other, { url: receiver.url('/hangs'), kinds: ['warning'] });
    await subscribe(acme, { url: receiver.url('/beside'), kinds: ['warning'] });
    const published = await publish(service, createSubjects(100, 50), 'warning');
    await allArrive(receiver, '/beside', published);
    const ages = receiver.received.filter(({ path }) => path === '/beside').map(({ age }) => age);
    expect(ages.toSorted((a, b) => a - b)[Math.floor(ages.length * 0.99)]).toBeLessThan(5000);
    expect(receiver.received.some(({ path }) => path === '/hangs')).toBe(true);
  });

  test('an endpoint is tried again at the address that its name has then, and never at a private one', async () => {
    const url = `http://hooks.moves.example:${receiver.port}/moved`;
    const { get } = await subscribe(acme, { url, kinds: ['check'] });
    const published = await publish(service, createSubjects(4, 4), 'check');
    await until('it is refused', 30_000, async () => (await get()).failing !== null);
    expect((await get()).failing?.problem).toBe('leads to hooks.moves.example, which is 10.0.0.1: not public');
    expect((await get()).blocked).toEqual([]);
    expect(receiver.numbers('/moved')).toEqual([]);
    await scratch.write('address', '127.0.0.1');
    await allArrive(receiver, '/moved', published);
    await until('it is well', 30_000, async () => (await get()).state === 'active');
  });

  test('an endpoint that says it is gone is paused, goes on where it stopped, and can ask for a replay', async () => {
    const { ask, get } = await subscribe(acme, { url: receiver.url('/gone'), kinds: ['complaints'] });
    const published = await publish(service, createSubjects(5, 1), 'complaints');
    const number = (published[0] as PublishedEntry).number;
    await until('it is paused', 30_000, async () => (await get()).state === 'paused');
    expect(await get()).toMatchObject({ paused: { why: 'gone' }, next: expect.any(Number) });
    expect((await get()).next).toBeLessThanOrEqual(number);
    const tries = receiver.received.filter(({ path }) => path === '/gone').length;
    expect((await ask('', { method: 'PATCH', body: { url: receiver.url('/back'), state: 'active' } })).status).toBe(
      200,
    );
    await allArrive(receiver, '/back', published);
    expect(receiver.received.filter(({ path }) => path === '/gone')).toHaveLength(tries);
    await ask('/replay', { body: { from: (published[2] as PublishedEntry).number } });
    const again = published.slice(2).map((one) => one.number);
    await until('it is sent again', 30_000, async () => receiver.numbers('/back').length >= 8);
    expect(receiver.numbers('/back').slice(5)).toEqual(again);
    const beyond = await ask('/replay', { body: { from: 999_999 } });
    expect([beyond.status, beyond.json()['code']]).toEqual([409, 'state_conflict']);
  });

  test('redirects of an endpoint are not followed', async () => {
    const { get } = await subscribe(acme, { url: receiver.url('/moved-on'), kinds: ['broker'] });
    await publish(service, ['broker/r'], 'broker');
    await until('it fails', 30_000, async () => (await get()).failures.length > 0);
    expect((await get()).failures[0]?.problem).toBe('answers 302, and redirects are not followed');
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  test('an endpoint whose secret is rotated gets both signatures', async () => {
    const { secret, ask } = await subscribe(acme, { url: receiver.url('/rotated'), kinds: ['methodology'] });
    const { secret: newer, endpoint } = (await ask('/secret', { method: 'POST' })).json<{
      secret: string;
      endpoint: WebhookEndpoint;
    }>();
    expect(endpoint.secrets.map(({ endsAt }) => endsAt === null)).toEqual([true, false]);
    expect(Date.parse(endpoint.secrets[1]?.endsAt ?? '') - Date.now()).toBeGreaterThan(86_000_000);
    expect(JSON.stringify(endpoint)).not.toContain('whsec_');
    await ask('/test', { method: 'POST' });
    const [sent] = receiver.received.filter(({ path }) => path === '/rotated');
    expect(sent?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [secret, newer]) new Webhook(one).verify(sent?.body ?? '', sent?.headers ?? {});
    expect(newer).not.toBe(secret);
    for (let at = 0; at < 6; at++) await ask('/secret', { method: 'POST' });
    expect((await ask('')).json<WebhookEndpoint>().secrets).toHaveLength(5);
  });
});

describe('the routes', () => {
  test('routes answer alike for what is not there and for what belongs to another organisation', async () => {
    const { id } = await subscribe(acme, { url: receiver.url('/mine'), kinds: ['day'] });
    const requests: [path: string, asked: Parameters<AsCustomer>[1]][] = [
      ['', {}],
      ['', { method: 'PATCH', body: { state: 'paused' } }],
      ['', { method: 'DELETE' }],
      ['/test', { method: 'POST' }],
      ['/replay', { body: { from: 0 } }],
      ['/replay', { body: { from: 999_999_999 } }],
      ['/secret', { method: 'POST' }],
    ];
    for (const [path, asked] of requests) {
      const [theirs, none] = [
        await other(`/webhooks/${id}${path}`, asked),
        await other(`/webhooks/we_no${path}`, asked),
      ];
      expect([theirs.status, none.status], path).toEqual([404, 404]);
      const { requestId: _, instance: __, ...problem } = theirs.json();
      const { requestId: ___, instance: ____, ...same } = none.json();
      expect(problem).toEqual(same);
      const { 'content-length': _length, etag: _etag, ...headers } = steadyHeaders(theirs);
      expect(headers).toEqual(expect.objectContaining({ 'content-type': none.headers['content-type'] }));
      expect(Object.keys(steadyHeaders(theirs))).toEqual(Object.keys(steadyHeaders(none)));
    }
    expect((await other('/webhooks')).json<{ data: WebhookEndpoint[] }>().data.map((one) => one.id)).not.toContain(id);
    expect((await acme(`/webhooks/${id}`, { method: 'DELETE' })).json()).toMatchObject({ id });
    expect((await acme(`/webhooks/${id}`)).status).toBe(404);
  });

  test('routes refuse addresses that events must not go to', async () => {
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://[fd00::1]/',
      'https://a:b@hooks.example/',
    ]) {
      const answer = await acme('/webhooks', { body: { url } });
      expect([answer.status, answer.json()['code']], url).toEqual([400, 'invalid_request']);
    }
  });

  test('routes give an organisation as many endpoints as its plan has', async () => {
    const small = await grantCustomer(service, 'small', 'media');
    const body = { url: receiver.url('/many'), kinds: ['day'] };
    const made = await Promise.all(Array.from({ length: 8 }, () => small('/webhooks', { body })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
  });

  test('an operator sees the state of endpoints, without secrets', async () => {
    const seen = await grantCustomer(service, 'seen', 'media');
    await subscribe(seen, { url: receiver.url('/seen'), kinds: ['news'] });
    await allArrive(receiver, '/seen', await publish(service, ['broker/s'], 'news'));
    const printed = succeeded(await service.cli('enterprise', 'webhooks', 'seen', '--json'));
    expect(JSON.parse(printed)).toMatchObject([{ url: receiver.url('/seen'), kinds: ['news'], state: 'active' }]);
    expect(succeeded(await service.cli('enterprise', 'webhooks', 'seen'))).toMatch(/\/seen +active/);
    expect(printed).not.toContain('whsec_');
    const { text } = await send(`${service.origin}/metrics`);
    expect(text).toMatch(/^broker_rating_webhook_deliveries_total\{outcome="delivered"\} [1-9]\d*$/m);
    expect(text).toMatch(/^broker_rating_webhook_endpoints\{state="active"\} [1-9]/m);
    expect(text).toMatch(/^broker_rating_webhook_lag_seconds\{state="failing"\} \d/m);
  });
});

test('nothing is sent once the agreement has ended', async () => {
  const ended = await grantCustomer(service, 'ended', 'media');
  await subscribe(ended, { url: receiver.url('/ended'), kinds: ['news'] });
  await subscribe(acme, { url: receiver.url('/lasts'), kinds: ['news'] });
  await allArrive(receiver, '/ended', await publish(service, ['broker/x'], 'news'));
  succeeded(await service.cli('enterprise', 'end', 'ended'));
  /** Publishes an entry. Returns whether the ended one gets it before another does. */
  const isSent = async (): Promise<boolean> => {
    const published = await publish(service, ['broker/y'], 'news');
    await allArrive(receiver, '/lasts', published);
    return receiver.numbers('/ended').includes((published[0] as PublishedEntry).number);
  };
  await until('it ends', 30_000, async () => !(await isSent()));
  expect(await isSent()).toBe(false);
});

/** Ends a service, and starts one on its data with its clock moved. */
const restartWith = async (one: LocalService, settings: Settings): Promise<LocalService> => {
  await one.close();
  return startService({ ...SETTINGS, ...one.data, ...settings });
};

describe.concurrent('without anybody near', () => {
  test('events of five days without a receiver arrive in order once it is back', async () => {
    const away = await startReceiver();
    const files = ['new.key', 'old.key'].map((name) => scratch.file(name)).join(',');
    let one = await startService({ ...SETTINGS, WEBHOOK_KEY: files });
    try {
      const customer = async (): Promise<AsCustomer> => {
        const token = succeeded(await one.cli('enterprise', 'issue-key', 'acme', '--quiet')).trim();
        return (path, asked) => send(`${one.origin}/enterprise/v1${path}`, { token, ...asked });
      };
      await grantCustomer(one, 'acme', 'institution');
      const { id, secret } = await subscribe(await customer(), { url: away.url(), kinds: ['check'] });
      const get = async (): Promise<WebhookEndpoint> => (await (await customer())(`/webhooks/${id}`)).json();
      await away.close();
      const published = [...(await publish(one, createSubjects(200, 10), 'check'))];
      await one.settle();
      const { since = '' } = (await get()).failing ?? {};
      expect(await get()).toMatchObject({ state: 'failing', blocked: [], next: published[0]?.number });

      one = await restartWith(one, { CLOCK: '+2d', WEBHOOK_KEY: files });
      published.push(...(await publish(one, createSubjects(100, 10), 'check')));
      await one.settle();
      expect((await get()).failing?.attempts).toBeGreaterThan(1);

      away.behave(() => 503);
      await away.open();
      one = await restartWith(one, { CLOCK: '+97h', WEBHOOK_KEY: files });
      await one.settle();
      const pausesAt = new Date(Date.parse(since) + 5 * 86_400_000).toISOString();
      const announced = away.received.find(({ type }) => type === 'endpoint.pausing');
      expect(announced?.data).toEqual({ endpoint: id, subject: null, pausesAt });
      const tried = away.received.find(({ type }) => type === 'entry.published');
      expect(tried?.headers['webhook-pauses-at']).toBe(pausesAt);

      one = await restartWith(one, { CLOCK: '+121h', WEBHOOK_KEY: files });
      await one.settle();
      expect(await get()).toMatchObject({ state: 'paused', paused: { why: 'failing' }, next: published[0]?.number });

      away.behave();
      one = await restartWith(one, { CLOCK: '+9d', WEBHOOK_KEY: files });
      published.push(...(await publish(one, createSubjects(10, 10), 'check')));
      expect(away.numbers()).toEqual([]);
      await (await customer())(`/webhooks/${id}`, { method: 'PATCH', body: { state: 'active' } });
      await one.settle();
      expect(new Set(away.numbers())).toEqual(new Set(published.map(({ number }) => number)));
      expect(findOutOfOrder(away.numbers(), published)).toEqual([]);
      expect(new Set(away.numbers()).size).toBe(away.numbers().length);

      const { data } = (await (await customer())('/webhooks/keys')).json<{ data: { key: string }[] }>();
      expect(data.map(({ key }) => key)).toEqual(publicKeys);
      const sent = away.received.at(-1);
      const parts = (sent?.headers['webhook-signature'] ?? '').split(' ');
      expect(parts.map((part) => part.split(',', 1)[0])).toEqual(['v1', 'v1a', 'v1a']);
      const { 'webhook-id': messageId, 'webhook-timestamp': at } = sent?.headers ?? {};
      const message = Buffer.from(`${messageId}.${at}.${sent?.body}`);
      for (const [index, key] of publicKeys.entries()) {
        const bytes = (text = ''): Buffer =>
          Buffer.from(text.slice(text.indexOf(',') + 1).replace('whpk_', ''), 'base64');
        const signature = bytes(parts[index + 1]);
        expect(await verifyAsync(signature, message, bytes(key))).toBe(true);
        expect(await verifyAsync(signature, Buffer.from(`${message}x`), bytes(key))).toBe(false);
      }
      expect(secret).toMatch(/^whsec_/);
    } finally {
      await one.remove();
      await away.close();
    }
  });

  test('events that a killed process had under way are sent by another within seconds', async () => {
    const busy = await startReceiver();
    const one = await startProcess(SETTINGS);
    let two: ServiceProcess | undefined;
    try {
      const customer = await grantCustomer(one, 'acme', 'institution');
      await subscribe(customer, { url: busy.url() });
      let isHanging = true;
      busy.behave(() => (isHanging && busy.received.length > 150 ? undefined : 200));
      const published = await publish(one, createSubjects(400, 20));
      await until('it is in the middle', 20_000, async () => busy.received.length > 150);
      two = await startProcess({ ...SETTINGS, ...one.data });
      expect(busy.received.length).toBeLessThan(200); // it left the endpoint alone
      await one.end('SIGKILL');
      isHanging = false;
      await allArrive(busy, '/', published, 20_000);
      expect(findOutOfOrder(busy.numbers(), published)).toEqual([]);
      const ids = new Map<string, number>();
      for (const { headers, data } of busy.received) ids.set(headers['webhook-id'] ?? '', data['number'] as number);
      expect(new Set(ids.values()).size).toBe(ids.size); // what came twice has the same id
    } finally {
      await two?.end('SIGTERM');
      await one.remove();
      await busy.close();
    }
  });
});
