import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { importRows, runJob, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import {
  type IdentityProvider,
  type SigningKey,
  signingKey,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { brokerRow, licenseRow, reviewBody, warningRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** The start of each link in a mail. */
const PUBLIC_URL = 'https://ratings.example';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const WARNING = warningRow();

let inbox: MailServer;
let provider: IdentityProvider;
let key: SigningKey;
let service: LocalService;

beforeAll(async () => {
  [inbox, provider, key] = await Promise.all([startMailServer(), startIdentityProvider(), signingKey('k')]);
  provider.publish(key);
  service = await startService({
    ...provider.settings,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    PUBLIC_URL,
    JOBS: 'on',
  });
  await importRows(service, 'brokers', [brokerRow('alpha', { name: 'Alpha Märkte' }), brokerRow('beta')]);
  await service.settle();
});
afterAll(async () => {
  await service?.remove();
  await Promise.all([inbox?.close(), provider?.close()]);
});

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();
const runAndSettle = async (name: string): Promise<void> => {
  await runJob(service, name);
  await service.settle();
};
const open = (path: string) => send(`${service.origin}${path}`, { headers: { Accept: 'text/html' } });
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(`${service.origin}${path}`, {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const ask = (mail: string, broker: string, headers = {}): Promise<HttpResponse> =>
  post('/follow', { mail, broker }, headers);
const mails = async (address: string): Promise<ReceivedMail[]> => {
  await service.settle();
  return inbox.to(address);
};
const newest = async (address: string): Promise<ReceivedMail> => {
  const last = (await mails(address)).at(-1);
  if (!last) throw new Error(`${address} got no mail`);
  return last;
};
/** Path of the first link in a mail that begins like this. */
const findLink = ({ text }: ReceivedMail, start: string): string => {
  const found = text.split(/\s/).find((word) => word.startsWith(`${PUBLIC_URL}${start}`));
  if (!found) throw new Error(`no link ${start} in ${text}`);
  return found.slice(PUBLIC_URL.length);
};
const readToken = (path: string): string => path.split('/').at(-1) ?? '';
const readStopLink = ({ headers }: ReceivedMail): string =>
  (headers.get('list-unsubscribe') ?? '').slice(1 + PUBLIC_URL.length, -1);
/** Follows a broker as its reader does: the form, the mail, the link, the button. */
const follow = async (address: string, broker: string): Promise<void> => {
  expect((await ask(address, broker)).status).toBe(200);
  // a mail about something else may arrive later
  const mail = (await mails(address)).findLast(({ text }) => text.includes('/follow/confirm/'));
  const link = findLink(mail as ReceivedMail, '/follow/confirm/');
  expect((await post(link, { token: readToken(link) })).text).toContain('You follow this broker now');
};
const kept = (address: string) =>
  inDatabase(service, async (db) => {
    const { createHash } = await import('node:crypto');
    const id = `fo_${createHash('sha256').update(address).digest('hex')}`;
    return [
      await db.collection('follows').countDocuments({ follower: id }),
      await db.collection('noticeAddresses').countDocuments({ _id: id as never }),
      await db.collection('notices').countDocuments({ to: id }),
    ];
  });
const warn = async (warnings: readonly object[], more: object = {}): Promise<void> => {
  await importRows(service, 'brokers', [brokerRow('alpha', { name: 'Alpha Märkte', warnings, ...more })]);
  await service.settle();
  await runAndSettle('follow-warnings');
};

test('a reader follows a broker, is warned at once, told of the rest weekly and of a correction, and ends it', async () => {
  const ana = 'ana@mail.example';
  await runAndSettle('follow-warnings');
  await runAndSettle('follow-weekly');
  expect((await open('/brokers/alpha')).text).toContain('href="/follow?broker=alpha"');
  expect((await open('/follow?broker=alpha')).text).toContain('<form method="post" action="/follow"');
  const answer = await ask(ana, 'alpha');
  expect([answer.status, answer.headers['cache-control'], answer.headers['set-cookie']]).toEqual([
    200,
    'no-store',
    undefined,
  ]);
  const asked = await newest(ana);
  expect(asked.subject).toBe('Follow Alpha Märkte?');
  expect(asked.headers.get('list-unsubscribe')).toBeUndefined();
  const link = findLink(asked, '/follow/confirm/');

  // a program that opens links confirms nothing
  expect((await open(link)).text).toContain('<button>Yes, write to me</button>');
  await warn([{ ...WARNING, url: 'https://office.example/0' }]);
  expect(await mails(ana)).toHaveLength(1);
  await warn([]);

  expect((await post(link, { token: readToken(link) })).text).toContain('You follow this broker now');
  expect((await post(link, { token: readToken(link) })).status).toBe(422);

  await warn([WARNING]);
  const warned = await newest(ana);
  expect(warned.subject).toBe('A warning concerns Alpha Märkte');
  expect(warned.text).toContain('https://office.example/1');
  expect(warned.text).toContain(`${PUBLIC_URL}/brokers/alpha`);
  expect(warned.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  await runAndSettle('follow-warnings');
  expect(await mails(ana)).toHaveLength(2);

  await warn([{ ...WARNING, withdrawnAt: '2026-01-05T00:00:00Z' }]);
  expect((await newest(ana)).subject).toBe('A warning about Alpha Märkte was withdrawn or corrected');

  await warn([{ ...WARNING, withdrawnAt: '2026-01-05T00:00:00Z' }], {
    licenses: [licenseRow('alpha Ltd', 'fca'), licenseRow('alpha Ltd', 'cysec')],
  });
  await runAndSettle('follow-weekly');
  const weekly = await newest(ana);
  expect(weekly.subject).toBe('This week at the brokers that you follow');
  expect(weekly.text).toMatch(/Alpha Märkte: .*licences/);
  expect(weekly.text).not.toContain('beta');
  await runAndSettle('follow-weekly');
  expect(await mails(ana)).toHaveLength(4);

  const mine = findLink(weekly, '/follow/mine/');
  expect((await open(mine)).text).not.toContain('Alpha');
  expect((await post(mine, { token: readToken(mine), do: 'show' })).text).toContain('<bdi>Alpha Märkte</bdi>');

  const stop = readStopLink(weekly);
  await open(stop);
  expect((await kept(ana))[0]).toBe(1);
  expect((await post(stop, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
  expect(await kept(ana)).toEqual([0, 0, 0]);
  await warn([{ ...WARNING, url: 'https://office.example/2' }]);
  expect(await mails(ana)).toHaveLength(4);
  expect((await post(mine, { token: readToken(mine), do: 'show' })).text).toContain('You follow no broker');
});

test('an address gets three requests a day at most, and the form answers alike for every address', async () => {
  const [ben, tagged, cleo] = ['ben@mail.example', 'ben+again@mail.example', 'cleo@mail.example'];
  await follow(cleo, 'beta');
  const answers = [];
  for (const [address, broker] of [
    [ben, 'alpha'],
    [ben, 'beta'],
    [ben, 'alpha'],
    [ben, 'beta'],
    [tagged, 'alpha'],
    [cleo, 'beta'],
  ] as const)
    answers.push((await ask(address, broker)).text.replaceAll('Alpha Märkte', 'beta').replaceAll('/alpha', '/beta'));
  expect(new Set(answers.map((text) => text.replace(/Data as of [^.]*\./, ''))).size).toBe(1);
  expect(await mails(ben)).toHaveLength(3);
  expect(await mails(tagged)).toHaveLength(0);
  expect(await mails(cleo)).toHaveLength(1);
});

test('the form refuses a text that is not an address, and a broker or page that this service does not have', async () => {
  const refused = await ask('no address', 'alpha');
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('This is not an email address')]);
  expect((await ask('dora@mail.example', 'nobody')).status).toBe(404);
  expect((await ask('dora@mail.example', '../x')).status).toBe(422);
  expect((await ask('dora@mail.example', 'alpha', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect(await mails('dora@mail.example')).toEqual([]);
  expect((await post(`/follow/confirm/${'0a'.repeat(20)}`, { token: '0a'.repeat(20) })).status).toBe(422);
});

test('a reader who ends one broker keeps the others, and an address that follows nobody is deleted', async () => {
  const eve = 'eve@mail.example';
  await follow(eve, 'alpha');
  await follow(eve, 'beta');
  await warn([{ ...WARNING, url: 'https://office.example/3' }]);
  const mine = findLink(await newest(eve), '/follow/mine/');
  const token = readToken(mine);
  const left = (await post(mine, { token, do: 'end', broker: 'alpha' })).text;
  expect([left.includes('Alpha Märkte'), left.includes('<bdi>beta</bdi></a>')]).toEqual([false, true]);
  await post(mine, { token, do: 'end-all' });
  expect(await kept(eve)).toEqual([0, 0, 0]);
});

test('a request that nobody confirms is deleted after a day', async () => {
  const fay = 'fay@mail.example';
  await ask(fay, 'alpha');
  await service.settle();
  await runAndSettle('follow-cleanup');
  expect((await kept(fay))[0]).toBe(1);
  const past = new Date(Date.now() - 90_000_000);
  await inDatabase(service, (db) =>
    db.collection('follows').updateMany({ confirmedAt: { $exists: false } }, { $set: { createdAt: past } }),
  );
  await runAndSettle('follow-cleanup');
  expect(await kept(fay)).toEqual([0, 0, 0]);
});

test('the brokers that a person follows are in their export, and an erasure leaves none', async () => {
  const gil = 'gil@mail.example';
  const subject = `${provider.issuer}#gil`;
  await cli('account', 'kyc', subject, 'verified', '--actor', 'maria');
  const scope = 'reviews:write account:read account:write';
  const token = await provider.token(key, { sub: 'gil', scope, email: gil, email_verified: true });
  expect((await send(`${service.origin}/api/v1/reviews`, { token, body: reviewBody('alpha') })).status).toBe(201);
  await follow(gil, 'beta');
  const exported = JSON.parse(await cli('account', 'export', subject, '--actor', 'maria'));
  expect(exported.follows).toMatchObject([{ broker: 'beta' }]);
  expect(exported.followAddresses).toMatchObject([{ email: gil }]);
  expect(JSON.stringify(exported)).not.toMatch(/stopToken|codeHash/);
  await cli('account', 'erase', subject, '--yes', subject, '--reason', 'requested', '--actor', 'maria');
  expect(await kept(gil)).toEqual([0, 0, 0]);
});

test('somebody without an account is exported and erased by the address of mail', async () => {
  const hal = 'hal@mail.example';
  await follow(hal, 'alpha');
  await follow(hal, 'beta');
  const exported = JSON.parse(await cli('account', 'export', hal, '--actor', 'maria'));
  expect(exported.follows.map(({ broker }: { broker: string }) => broker)).toEqual(['alpha', 'beta']);
  expect(exported.followAddresses).toMatchObject([{ email: hal }]);
  expect(JSON.stringify(exported)).not.toMatch(/stopToken|codeHash/);
  const reports = JSON.parse(
    await cli(
      'account',
      'erase',
      'HAL@mail.example',
      '--yes',
      'HAL@mail.example',
      '--reason',
      'requested',
      '--actor',
      'maria',
      '--json',
    ),
  ) as { erased: object }[];
  expect(reports).toHaveLength(2);
  expect(await kept(hal)).toEqual([0, 0, 0]);
  expect(await readFile(join(service.dataDir, 'erasures.ndjson'), 'utf8')).not.toContain('hal');
  const again = await service.cli('account', 'export', hal, '--actor', 'maria');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('no address of mail that follows brokers')]);
  await follow(hal, 'beta');
  await cli('account', 'erase', '--replay', '--actor', 'maria');
  expect((await kept(hal)).slice(0, 2)).toEqual([1, 1]);
});

test('a weekly mail that waits holds back no mail about a warning', async () => {
  const lea = 'lea@mail.example';
  await follow(lea, 'beta');
  const soon = new Date(Date.now() + 3_600_000);
  await inDatabase(service, async (db) => {
    const address = await db.collection('noticeAddresses').findOne({ email: lea });
    await db.collection('notices').insertOne({
      _id: 'n_weekly' as never,
      channel: 'mail',
      kind: 'follow.weekly',
      to: address?._id,
      data: { changes: [{ broker: 'beta', kinds: ['license'] }] },
      state: 'waiting',
      attempts: 0,
      createdAt: new Date(),
      since: new Date(),
      nextTryAt: soon,
    });
  });
  await importRows(service, 'brokers', [
    brokerRow('beta', { warnings: [{ ...WARNING, url: 'https://office.example/lea' }] }),
  ]);
  await service.settle();
  await runAndSettle('follow-warnings');
  expect((await newest(lea)).subject).toBe('A warning concerns beta');
  const [warned] = await inDatabase(service, (db) =>
    db.collection('notices').find({ kind: 'follow.warning', 'data.url': 'https://office.example/lea' }).toArray(),
  );
  expect(warned?.['sentAt']).toBeInstanceOf(Date);
});

test('a round of warnings that was cut off goes on behind the last follower who was told', async () => {
  const readers = ['r1', 'r2', 'r3', 'r4'].map((name) => `${name}@reader.example`);
  for (const address of readers) await follow(address, 'beta');
  await importRows(service, 'brokers', [
    brokerRow('beta', { warnings: [{ ...WARNING, url: 'https://office.example/cut' }] }),
  ]);
  await service.settle();
  await runAndSettle('follow-warnings');
  const ids = await inDatabase(service, (db) =>
    db
      .collection('noticeAddresses')
      .find({ email: { $in: readers } })
      .sort({ _id: 1 })
      .toArray(),
  );
  const countMails = () => Promise.all(ids.map(async ({ email }) => (await mails(String(email))).length));
  expect(await countMails()).toEqual([2, 2, 2, 2]);
  const { data } = JSON.parse(
    (await send(`${service.origin}/transparency/v1/brokers/beta/history?before=999999999`)).text,
  );
  const entries = data.flatMap((step: { entries: { number: number; key: string }[] }) => step.entries);
  const { number } = entries.findLast(({ key: subject }: { key: string }) => subject.startsWith('warning/beta/'));
  // the state after a process was killed behind the second of them
  await inDatabase(service, (db) =>
    db
      .collection('followProgress')
      .updateOne({ _id: 'warnings' as never }, { $set: { number, after: String(ids[1]?._id) } }),
  );
  await runAndSettle('follow-warnings');
  expect(await countMails()).toEqual([2, 2, 3, 3]);
});

test('a restore brings back nobody who ended what they follow', async () => {
  const ivo = 'ivo@mail.example';
  await follow(ivo, 'alpha');
  await follow(ivo, 'beta');
  const token = await inDatabase(service, async (db) =>
    String((await db.collection('noticeAddresses').findOne({ email: ivo }))?.['stopToken']),
  );
  const mine = `/follow/mine/${token}`;
  const names = ['follows', 'noticeAddresses'] as const;
  const backup = await inDatabase(service, (db) =>
    Promise.all(names.map(async (name) => ({ name, rows: await db.collection(name).find({}).toArray() }))),
  );
  await post(mine, { token, do: 'end', broker: 'alpha' });
  await cli('account', 'erase', '--replay', '--actor', 'maria');
  await inDatabase(service, async (db) => {
    await db.collection('erasures').deleteMany({});
    for (const { name, rows } of backup) {
      await db.collection(name).deleteMany({});
      await db.collection(name).insertMany(rows);
    }
  });
  expect((await kept(ivo))[0]).toBe(2);
  await cli('account', 'erase', '--replay', '--actor', 'maria');
  expect((await kept(ivo)).slice(0, 2)).toEqual([1, 1]);
  const shown = (await post(mine, { token, do: 'show' })).text;
  expect([shown.includes('Alpha Märkte'), shown.includes('<bdi>beta</bdi>')]).toEqual([false, true]);
});

test('an address whose mailbox does not exist any more follows nobody', async () => {
  const [jan, kim] = ['jan@mail.example', 'kim@mail.example'];
  await follow(jan, 'alpha');
  await follow(kim, 'alpha');
  await inDatabase(service, (db) =>
    db.collection('noticeAddresses').updateOne({ email: jan }, { $set: { gone: { at: new Date(), why: '5.1.1' } } }),
  );
  await runAndSettle('follow-cleanup');
  expect(await kept(jan)).toEqual([0, 0, 0]);
  expect((await kept(kim)).slice(0, 2)).toEqual([1, 1]);
});

test('a service without mail has neither the form nor a link to it', async () => {
  const plain = await startService();
  try {
    await importRows(plain, 'brokers', [brokerRow('alpha')]);
    await plain.settle();
    const get = (path: string) => send(`${plain.origin}${path}`, { headers: { Accept: 'text/html' } });
    expect((await get('/brokers/alpha')).text).not.toContain('/follow?');
    expect((await get('/follow?broker=alpha')).status).toBe(404);
  } finally {
    await plain.remove();
  }
});
