import { freePort } from '@broker-transparency/embedded-mongo/port';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startReceiver } from '../enterprise/receiver.ts';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import {
  type IdentityProvider,
  type SigningKey,
  signingKey,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { startProcess } from '../support/process.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Part of every text that people send. No mail may contain it. */
const MARK = 'xanthippe';
/** The start of each link in a mail. */
const PUBLIC_URL = 'https://ratings.example';

let inbox: MailServer;
let scratch: Scratch;
let provider: IdentityProvider;
let key: SigningKey;
let service: LocalService;
let settings: Record<string, string>;

beforeAll(async () => {
  [inbox, provider, key, scratch] = await Promise.all([
    startMailServer(),
    startIdentityProvider(),
    signingKey('k'),
    createScratch(),
  ]);
  provider.publish(key);
  settings = {
    ...provider.settings,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    PUBLIC_URL,
    OPERATOR_MAIL: 'ops@ratings.example',
    NOTICE_WEBHOOK_NETWORKS: '127.0.0.0/8',
    JOBS: 'on',
  };
  service = await startService(settings);
  await importRows(service, 'brokers', [brokerRow('alpha', { name: 'Alpha Märkte' }), brokerRow('beta')]);
});
afterEach(() => inbox.behave());
afterAll(async () => {
  await service?.remove();
  await Promise.all([inbox?.close(), provider?.close(), scratch?.remove()]);
});

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();
const act = (...args: string[]): Promise<string> => cli(...args, '--actor', 'maria');
const formatSubject = (name: string): string => `${provider.issuer}#${name}`;

/** Somebody whose address the identity provider has verified, and whose identity is known. */
const person = async (name: string, claims: object = {}): Promise<string> => {
  await act('account', 'kyc', formatSubject(name), 'verified');
  const scope = 'reviews:write complaints:write account:read account:write';
  return provider.token(key, { sub: name, scope, email: `${name}@mail.example`, email_verified: true, ...claims });
};

const submit = async (path: string, token: string, body: object, language = 'en'): Promise<Record<string, string>> => {
  const headers = { 'Accept-Language': language };
  const answer = await send(`${service.origin}${path}`, { token, body, headers });
  expect(answer.status, answer.text).toBe(201);
  return answer.json();
};
const review = async (token: string, broker: string, language?: string): Promise<string> => {
  const body = reviewBody(broker, { title: `Of ${MARK}`, content: `${MARK} had the money within two days, twice.` });
  return (await submit('/api/v1/reviews', token, body, language))['id'] as string;
};
const complain = async (token: string, title: string): Promise<string> => {
  const body = complaintBody('alpha', {
    title: `${title} of ${MARK}`,
    content: `${MARK} has waited for four weeks by now.`,
  });
  return (await submit('/api/v1/complaints', token, body))['reference'] as string;
};

/** Expects at least a number of mails to an address, and returns the last of that number. */
const mail = async (address: string, count: number): Promise<ReceivedMail> => {
  await service.settle();
  const found = inbox.to(address)[count - 1];
  if (!found) throw new Error(`${address} got ${inbox.to(address).length} of ${count} mails`);
  return found;
};
const outbox = (filter: object = {}) =>
  inDatabase(service, (db) => db.collection('notices').find(filter).sort({ createdAt: 1 }).toArray());
const change = (collection: string, filter: object, update: object): Promise<unknown> =>
  inDatabase(service, (db) => db.collection(collection).updateMany(filter, update));
const readId = ({ headers }: ReceivedMail): string =>
  /^<(n_[0-9a-f]+)@ratings\.example>$/.exec(headers.get('message-id') ?? '')?.[1] ?? '';
const findAddress = (name: string) =>
  inDatabase(service, (db) => db.collection('noticeAddresses').findOne({ email: `${name}@mail.example` }));

test('an author is told of each step, in the language of the request, with reasons and how to appeal', async () => {
  const alice = await person('alice');
  const id = await review(alice, 'alpha', 'de-DE,de;q=0.9,en;q=0.5');
  const received = await mail('alice@mail.example', 1);
  expect(received.subject).toBe('Ihre Bewertung von Alpha Märkte ist angekommen');
  expect(received.text).toContain(`Aktenzeichen: ${id}`);
  expect(received.text).toContain(`${PUBLIC_URL}/de/mine/reviews/${id}`);
  expect(received.from).toBe('mail@ratings.example');
  expect(received.headers.get('from')).toBe('Ratings <mail@ratings.example>');
  expect(received.headers.get('auto-submitted')).toBe('auto-generated');
  expect(received.headers.get('content-language')).toBe('de');
  expect(received.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  await act('review', 'publish', id);
  expect((await mail('alice@mail.example', 2)).subject).toBe('Ihre Bewertung von Alpha Märkte ist veröffentlicht');
  await act('review', 'remove', id, '--reason', 'off_topic', '--note', 'The second sentence is about another firm.');
  const removed = await mail('alice@mail.example', 3);
  expect(removed.text).toContain('Sie handelt von etwas anderem als diesem Broker.');
  expect(removed.text).toContain('The second sentence is about another firm.');
  expect(removed.text).toMatch(/bis zum \d+\. \S+ \d{4} widersprechen/);
  await submit(`/account/v1/reviews/${id}/appeal`, alice, { text: `${MARK} was there, as the bill shows.` }, 'de');
  await mail('alice@mail.example', 4);
  const [appeal] = JSON.parse(await cli('appeal', 'list', '--json'));
  await cli('appeal', 'decide', appeal.id, 'reverse', '--note', 'It is about Alpha.', '--actor', 'olga');
  await service.settle();
  const [, , , , ...last] = inbox.to('alice@mail.example');
  expect(last.map(({ subject }) => subject).sort()).toEqual([
    'Ihre Bewertung von Alpha Märkte ist veröffentlicht',
    'Über Ihren Widerspruch ist entschieden',
  ]);
});

test('an address that nobody has verified is neither used nor kept', async () => {
  const mallory = await person('mallory', { email_verified: false });
  await review(mallory, 'beta');
  expect(await findAddress('mallory')).toBeNull();
  expect(JSON.parse(await cli('mail', 'list', '--kind', 'review.received', '--json'))).toHaveLength(1);
});

test('complainant and contact of the broker are told of each step, and no mail says what it is about', async () => {
  await act('broker', 'contact', 'add', 'alpha', 'legal@alpha.example', '--language', 'de');
  const asked = await mail('legal@alpha.example', 1);
  const [, code = ''] = /den Code (\S+),/.exec(asked.text) ?? [];
  const bob = await person('bob');
  const first = await complain(bob, 'First');
  await act('complaint', 'screen', first);
  await act('complaint', 'forward', first);
  await mail('bob@mail.example', 3);
  expect(inbox.to('legal@alpha.example')).toHaveLength(1); // it is not confirmed yet
  const wrong = await service.cli('broker', 'contact', 'confirm', 'alpha', 'AAAAA-AAAAA');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('No contact waits for this code')]);
  await act('broker', 'contact', 'confirm', 'alpha', code.toLowerCase());
  const second = await complain(bob, 'Second');
  for (const step of ['screen', 'forward']) await act('complaint', step, second);
  const forwarded = await mail('legal@alpha.example', 2);
  expect(forwarded.subject).toBe(`Beschwerde ${second} über Alpha Märkte`);
  expect(forwarded.headers.has('list-unsubscribe')).toBe(false);
  await act('complaint', 'answer', second, '--text', `${MARK} gets the money back.`);
  await act('complaint', 'resolve', second, '--outcome', 'refunded');
  expect((await mail('legal@alpha.example', 3)).text).toContain('Der Broker hat zurückgezahlt');
  const resolved = await mail('bob@mail.example', 8);
  expect(
    inbox
      .to('bob@mail.example')
      .slice(3)
      .map(({ subject }) => subject),
  ).toEqual([
    'We have your complaint about Alpha Märkte',
    'We look at your complaint about Alpha Märkte',
    'Your complaint was sent to Alpha Märkte',
    'Alpha Märkte has answered your complaint',
    'Your complaint about Alpha Märkte is resolved',
  ]);
  expect(resolved.text).toContain('the broker paid back');
  await act('broker', 'contact', 'remove', 'alpha', 'legal@alpha.example');
  expect(await cli('broker', 'contact', 'list', '--json')).toBe('[]');
});

test('the contact of a broker is told that an authority warns of it, and of the correction', async () => {
  await act('broker', 'contact', 'add', 'beta', 'legal@beta.example', '--topic', 'warnings');
  const [, code = ''] = /the code (\S+?)[,.\s]/.exec((await mail('legal@beta.example', 1)).text) ?? [];
  await act('broker', 'contact', 'confirm', 'beta', code);
  const file = await scratch.ndjson('warnings.ndjson', [{ id: '1', names: ['beta'] }]);
  const list = ['--source', 'by-hand', '--authority', 'fca', '--list-url', 'https://warnings.example/'];
  await act('warning', 'import', file, ...list, '--as-of', '2026-11-02');
  const [match] = JSON.parse(await cli('warning', 'queue', '--json'));
  await act('warning', 'confirm', match.id, 'beta', '--about', 'firm');
  const warned = await mail('legal@beta.example', 2);
  expect(warned.subject).toBe('A warning concerns beta');
  expect(warned.text).toContain(match.id);
  await act('warning', 'undo', match.id, 'beta');
  expect((await mail('legal@beta.example', 3)).subject).toBe('A warning about beta was corrected');
});

test('a mail that the server defers waits, and one that it refuses is listed and can be tried again', async () => {
  const carol = await person('carol');
  inbox.behave({ mail: () => ({ code: 451, reply: '4.7.1 greylisted' }) });
  await review(carol, 'alpha');
  await service.settle();
  const [waiting] = await outbox({ state: 'waiting', 'tried.code': 451 });
  expect(Number(waiting?.['nextTryAt']) - Number(waiting?.['tried'].at)).toBe(60_000);
  inbox.behave({ recipient: () => ({ code: 550, reply: '5.7.1 we do not like you' }) });
  await change('notices', { _id: waiting?._id }, { $set: { nextTryAt: new Date() } });
  await service.settle();
  const [failed, ...others] = JSON.parse(await cli('mail', 'list', '--status', 'failed', '--json'));
  expect(others).toEqual([]);
  expect(failed).toMatchObject({
    kind: 'review.received',
    attempts: 2,
    problem: expect.stringContaining('5.7.1 we do not'),
  });
  inbox.behave();
  await act('mail', 'retry', failed.id);
  expect(readId(await mail('carol@mail.example', 1))).toBe(failed.id);
  const shown = JSON.parse(await cli('mail', 'show', failed.id, '--json'));
  expect(shown).toMatchObject({ state: 'sent', to: 'c…@mail.example', reply: expect.stringMatching(/^250/) });
});

test('an address that does not exist gets no more mail', async () => {
  const dora = await person('dora');
  inbox.behave({ recipient: () => ({ code: 550, reply: '5.1.1 no such user' }) });
  const id = await review(dora, 'alpha');
  await service.settle();
  expect((await findAddress('dora'))?.['gone']).toBeTruthy();
  inbox.behave();
  await act('review', 'publish', id);
  expect(await outbox({ 'data.reference': id })).toMatchObject([{ kind: 'review.received', state: 'failed' }]);
});

test('a bounce is noted by the id of the mail, and ends mail to an address that does not exist', async () => {
  const [gus, text] = [await person('gus'), `${MARK}'s own server says so.`];
  await review(gus, 'alpha');
  const id = readId(await mail('gus@mail.example', 1));
  const bounce = (about: string, action = 'failed') =>
    [
      'MIME-Version: 1.0\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status',
      `Reporting-MTA: dns; mail.example\r\n\r\nFinal-Recipient: rfc822; gus@mail.example\r\nAction: ${action}\r\nStatus: 5.1.1`,
      `--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <${about}@ratings.example>\r\n\r\n${text}\r\n--b--\r\n`,
    ].join('\r\n\r\n');
  const bring = async (body: string): Promise<string> =>
    act('admin', 'mail', 'bounces', await scratch.write('bounce.eml', body));
  expect(await bring(`Subject: Out of office\r\n\r\nMessage-ID: <${id}@ratings.example>`)).toContain('not a report');
  expect(await bring(bounce(`n_${'0'.repeat(30)}`))).toContain('not about a mail of this service');
  expect(await bring(bounce(id, 'delayed'))).toContain('only delayed');
  expect((await findAddress('gus'))?.['gone']).toBeUndefined();
  expect(await bring(bounce(id))).toBe(`Mail ${id} is noted as failed, and its address gets no more mail.`);
  expect((await findAddress('gus'))?.['gone']).toMatchObject({ why: '5.1.1' });
  expect(JSON.parse(await cli('mail', 'show', id, '--json'))).toMatchObject({ state: 'failed', problem: '5.1.1' });
});

test('an address is confirmed by a code if there is no identity provider, and a link in a mail stops mail', async () => {
  await act('account', 'kyc', 'ivy', 'verified');
  const scopes = 'reviews:write,account:read,account:write';
  const ivy = await cli('token', 'create', '--subject', 'ivy', '--scope', scopes, '--quiet');
  const own = async (path = '', body?: object) =>
    send(`${service.origin}/account/v1/mail${path}`, { token: ivy, ...(body ? { body } : {}) });
  const asked = await own('', { address: 'Ivy@Mail.example', language: 'de' });
  expect([asked.status, asked.json()]).toEqual([
    201,
    {
      address: null,
      source: null,
      confirmedAt: null,
      language: 'de',
      pending: { address: 'Ivy@mail.example', endsAt: expect.any(String) },
    },
  ]);
  const [, code = ''] = /mit dem Code (\S+)\./.exec((await mail('Ivy@mail.example', 1)).text) ?? [];
  await review(ivy, 'alpha');
  expect(inbox.to('Ivy@mail.example')).toHaveLength(1); // it is not confirmed yet
  for (let n = 0; n < 4; n++) expect((await own('/confirmation', { code: 'AAAAA-AAAAA' })).status).toBe(409);
  expect((await own('/confirmation', { code })).json()).toMatchObject({ address: 'Ivy@mail.example', pending: null });
  expect((await own('/confirmation', { code })).status).toBe(409); // it is used
  await review(ivy, 'beta');
  const told = await mail('Ivy@mail.example', 2);
  const written = /^<(\S+)>$/.exec(told.headers.get('list-unsubscribe') ?? '')?.[1] as string;
  expect(told.text).toContain(written);
  expect(written.startsWith(`${PUBLIC_URL}/`)).toBe(true);
  const link = written.replace(PUBLIC_URL, service.origin);
  expect((await send(link)).text).toContain('<form method="post">');
  expect((await own()).json()).toMatchObject({ address: 'Ivy@mail.example' });
  const stopped = await send(link, { method: 'POST' });
  const unknown = await send(link.replace(/..$/, '00'), { method: 'POST' });
  expect([unknown.status, unknown.text]).toEqual([200, stopped.text]);
  expect((await own()).json()).toMatchObject({ address: null, source: null });
  // the code of another address is wrong too often, and too many are asked for
  await own('', { address: 'ivy2@mail.example' });
  const [, late = ''] = /mit dem Code (\S+)\./.exec((await mail('ivy2@mail.example', 1)).text) ?? [];
  for (let n = 0; n < 5; n++) await own('/confirmation', { code: 'AAAAA-AAAAA' });
  expect((await own('/confirmation', { code: late })).status).toBe(409);
  for (let n = 0; n < 2; n++) expect((await own('', { address: 'ivy2@mail.example' })).status).toBe(201);
  const refused = await own('', { address: 'ivy2@mail.example', language: 'en' });
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '86400']);
});

test('nobody keeps an address from being confirmed by asking for codes to it', async () => {
  const address = 'complaints@beta.example';
  const ask = async (name: string): Promise<number> => {
    const token = await cli('token', 'create', '--subject', name, '--scope', 'account:read,account:write', '--quiet');
    return (await send(`${service.origin}/account/v1/mail`, { token, body: { address } })).status;
  };
  const askers = ['mallory', 'mallory', 'mallory', 'mallory', 'owner'];
  const answers: number[] = [];
  for (const asker of askers) answers.push(await ask(asker));
  expect(answers).toEqual([201, 201, 201, 429, 201]);
  await act('broker', 'contact', 'add', 'beta', address);
  await mail(address, 5);
  // together, accounts have twelve codes sent there within a day; nobody sees that there were so many
  for (const asker of ['two', 'three', 'four']) for (let n = 0; n < 3; n++) expect(await ask(asker)).toBe(201);
  await service.settle();
  expect(inbox.to(address)).toHaveLength(13);
});

test('systems of the operator are told by signed webhooks, in their networks only', async () => {
  const receiver = await startReceiver();
  const kinds = ['--kind', 'review.received', 'review.rejected'];
  const added = await act('mail', 'webhook', 'add', receiver.url('/crm'), ...kinds);
  const secret = /whsec_\S+/.exec(added)?.[0] ?? '';
  await act('account', 'kyc', 'jane', 'verified');
  const jane = await cli('token', 'create', '--subject', 'jane', '--scope', 'reviews:write', '--quiet');
  receiver.behave(() => 503);
  const reference = await review(jane, 'alpha');
  await service.settle();
  receiver.behave();
  expect(await outbox({ channel: 'webhook', 'tried.code': 503 })).toHaveLength(1);
  await change('notices', { channel: 'webhook' }, { $set: { nextTryAt: new Date() } });
  await service.settle();
  expect(receiver.received).toHaveLength(2);
  const [first, again] = receiver.received as [(typeof receiver.received)[number], (typeof receiver.received)[number]];
  expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(() => new Webhook(secret).verify(again.body, again.headers)).not.toThrow();
  expect(JSON.parse(again.body)).toEqual({
    type: 'review.received',
    timestamp: expect.any(String),
    data: { reference, broker: 'alpha', account: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  await act('review', 'publish', reference); // not of a kind that it wants
  await act('review', 'remove', reference, '--reason', 'off_topic', '--note', MARK);
  const other = await review(jane, 'beta');
  await act('review', 'reject', other, '--reason', 'unlawful', '--note', `${MARK} and a law`);
  await service.settle();
  expect(receiver.received.slice(2).map(({ type }) => type)).toEqual(['review.received', 'review.rejected']);
  expect(JSON.stringify(receiver.received)).not.toContain(MARK);
  await act(
    'mail',
    'webhook',
    'add',
    receiver.url('/elsewhere').replace('127.0.0.1', '[::1]'),
    '--kind',
    'review.received',
  );
  await review(await person('kim'), 'beta');
  await service.settle();
  expect(await outbox({ 'tried.problem': /none of the networks/ })).toHaveLength(1);
  for (const { id: one } of JSON.parse(await cli('mail', 'webhook', 'list', '--json')))
    await act('mail', 'webhook', 'remove', one);
  expect(await outbox({ channel: 'webhook' })).toEqual([]);
  await receiver.close();
});

test('an erasure waits for a mail that is being sent, and none begins once it is done', async () => {
  const erin = await person('erin');
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order: string[] = [];
  inbox.behave({
    mail: async ({ to }) => {
      if (!to.includes('erin@mail.example')) return undefined;
      reached.resolve();
      await goOn.promise;
      order.push('taken');
      return undefined;
    },
  });
  await review(erin, 'alpha');
  await reached.promise;
  const account = (await findAddress('erin'))?._id;
  const aborted = () =>
    inDatabase(service, async (db) => (await db.admin().serverStatus())['transactions'].totalAborted);
  const before = await aborted();
  const erased = act(
    'account',
    'erase',
    formatSubject('erin'),
    '--yes',
    formatSubject('erin'),
    '--reason',
    'requested',
  ).then(() => order.push('erased'));
  // it tries in vain, or is through although it must not be
  await until('tries', 30_000, async () => order.length > 0 || (await aborted()) >= before + 3);
  goOn.resolve();
  await erased;
  expect(order).toEqual(['taken', 'erased']);
  expect(await findAddress('erin')).toBeNull();
  expect(await outbox({ accountId: account })).toEqual([]);
});

test('a process that is killed after the server took a mail sends it again, with the same id', async () => {
  const frank = await person('frank');
  await service.close();
  const port = await freePort();
  const address = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
  const doomed = await startProcess({ ...settings, ...service.data, ...address });
  const killed = Promise.withResolvers<void>();
  inbox.behave({
    mail: ({ to }) => {
      if (!to.includes('frank@mail.example')) return undefined;
      process.kill(doomed.pid, 'SIGKILL');
      killed.resolve();
      return undefined;
    },
  });
  const arrived = (count: number): Promise<ReceivedMail> =>
    until(`${count} mails`, 10_000, async () => inbox.to('frank@mail.example')[count - 1]);
  const asked = { token: frank, body: reviewBody('alpha') };
  await send(`${doomed.origin}/api/v1/reviews`, asked).catch(() => {}); // its answer can be lost with the process
  await killed.promise;
  const first = await arrived(1);
  inbox.behave();
  await doomed.end('SIGKILL');
  // mails that the killed process had taken are free after its lease
  await change('notices', { state: 'waiting' }, { $set: { nextTryAt: new Date() } });
  await change('noticeAddresses', {}, { $unset: { hold: 1 } });
  const again = await startProcess({ ...settings, ...service.data });
  try {
    expect(readId(await arrived(2))).toBe(readId(first));
    await until('its row', 10_000, async () => (await outbox({ _id: readId(first), state: 'sent' })).length === 1);
  } finally {
    await again.end('SIGTERM');
  }
});

test('no mail contains anything of what people sent', () => {
  expect(inbox.received.length).toBeGreaterThan(15);
  for (const { raw, text, subject } of inbox.received) expect(`${raw}${text}${subject}`).not.toContain(MARK);
});

test('the log never has the secret of a link that stops mail, however the link is spelt', async () => {
  const logging = await startService({ LOG_LEVEL: 'info' });
  try {
    for (const path of [
      '/mail/stop/s_SECRET',
      '/mail/stop/s_SECRET/',
      '/mail/stop/s_SECRET?x=1',
      '/Mail/stop/s_SECRET',
    ])
      for (const method of ['GET', 'POST', 'DELETE']) await send(`${logging.origin}${path}`, { method });
    await send(`${logging.origin}/last`);
    await until('all are logged', 5000, async () => logging.output().includes('/last'));
    expect(logging.output()).toContain('"path":"/mail/stop/:token"');
    expect(logging.output()).not.toContain('SECRET');
  } finally {
    await logging.remove();
  }
});
