import { createHash } from 'node:crypto';
import { canonicalJson } from '@broker-transparency/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReceiver } from '../enterprise/receiver.ts';
import { inDatabase } from '../support/database.ts';
import { importRows, runJob, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import {
  type IdentityProvider,
  type SigningKey,
  signingKey,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { readRefusal } from '../support/moderation.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, openBrowser } from '../support/sign-in.ts';

/** The start of each link in a mail. */
const PUBLIC_URL = 'https://ratings.example';
const NOTE = 'The second sentence calls a person a thief, and shows no fact for it.';
const TEXT = 'The second sentence calls me a thief. That is an insult.';
const APPEAL = 'It tells of a service that I used, and the words are about the firm.';
const NAME = 'Rita Reporter';
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)> & 'text'`;

let inbox: MailServer;
let provider: IdentityProvider;
let key: SigningKey;
let service: LocalService;
let authors = 0;

beforeAll(async () => {
  [inbox, provider, key] = await Promise.all([startMailServer(), startIdentityProvider(), signingKey('k')]);
  provider.publish(key);
  service = await startService({
    ...provider.settings,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    PUBLIC_URL,
    JOBS: 'on',
    TRUST_PROXY: '1',
    NOTICE_WEBHOOK_NETWORKS: '127.0.0.0/8',
  });
  await importRows(service, 'brokers', [brokerRow('alpha', { name: 'Alpha Märkte' })]);
  await service.settle();
});
afterAll(async () => {
  await service?.remove();
  await Promise.all([inbox?.close(), provider?.close()]);
});

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();
const refused = async (...args: string[]): Promise<string> => readRefusal(await service.cli(...args));
/** A browser that reaches the service by its public address, from a network address. */
const browser = (from?: string): Browser => openBrowser(service, PUBLIC_URL, from);
const readMails = async (address: string): Promise<ReceivedMail[]> => {
  await service.settle();
  return inbox.to(address);
};
const newest = async (address: string): Promise<ReceivedMail> => {
  const last = (await readMails(address)).at(-1);
  if (!last) throw new Error(`${address} got no mail`);
  return last;
};
/** Path of the link to a case in a mail. */
const findLink = ({ text }: ReceivedMail): string => {
  const found = text.split(/\s/).find((word) => /\/case\/[0-9a-f]{40}$/.test(word));
  if (!found?.startsWith(PUBLIC_URL)) throw new Error(`no link in ${text}`);
  return found.slice(PUBLIC_URL.length);
};

/** A review by a new author, whose identity provider has verified their address. */
const writeReview = async (over: Parameters<typeof reviewBody>[1] = {}) => {
  const name = `author-${++authors}`;
  const mail = `${name}@mail.example`;
  const subject = `${provider.issuer}#${name}`;
  await cli('account', 'kyc', subject, 'verified', '--actor', 'maria');
  const scope = 'reviews:write account:read account:write';
  const token = await provider.token(key, { sub: name, scope, email: mail, email_verified: true });
  const answer = await send(`${service.origin}/api/v1/reviews`, { token, body: reviewBody('alpha', over) });
  expect(answer.status, answer.text).toBe(201);
  return { id: answer.json<{ id: string }>().id, mail, subject, token };
};
const publishReview = async (over: Parameters<typeof reviewBody>[1] = {}) => {
  const review = await writeReview(over);
  await cli('review', 'publish', review.id, '--actor', 'first');
  return review;
};

const FIELDS = { reason: 'insult', text: TEXT, name: NAME, faith: 'yes' };
const report = (id: string, fields: Record<string, string>) =>
  browser().send(`/reviews/${id}/report`, { ...FIELDS, ...fields }, '/report');
/** Sends a report, and returns its link and reference. */
const sendReport = async (id: string, fields: Record<string, string>) => {
  const sent = await report(id, fields);
  expect(sent.status, sent.html).toBe(303);
  const link = String(sent.location);
  const reference = /<code>([0-9a-f]{24})<\/code>/.exec((await browser().get(link)).html)?.[1] ?? '';
  expect(reference).not.toBe('');
  return { link, reference };
};
const countLinks = () => inDatabase(service, (db) => db.collection('caseLinks').countDocuments());

test('somebody without an account reports a review, reads the decision at a link, and appeals once', async () => {
  const mail = 'rita@mail.example';
  const system = await startReceiver();
  await cli('mail', 'webhook', 'add', system.url('/events'));
  const { id, mail: authorMail, token } = await publishReview();
  const page = await browser().get('/brokers/alpha/reviews');
  expect(page.html).toContain(`href="/reviews/${id}/report"`);
  const { link, reference } = await sendReport(id, { mail });
  const shown = await browser().get(link);
  expect(shown.html).toContain('We have your report.');
  const confirmation = await newest(mail);
  expect(confirmation.subject).toBe('We have your report');
  expect((await browser().get(findLink(confirmation))).html).toContain(reference);

  await cli('report', 'decide', reference, 'keep', '--note', NOTE, '--actor', 'anna');
  const decided = await newest(mail);
  expect(decided.subject).toBe('Your report is decided');
  const decision = findLink(decided);
  const opened = await browser().get(decision);
  expect(
    Object.fromEntries(['cache-control', 'x-robots-tag', 'referrer-policy'].map((h) => [h, opened.headers.get(h)])),
  ).toEqual({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'strict-origin',
  });
  for (const part of ['The review stays.', NOTE, 'A person.', 'You can go to court.'])
    expect(opened.html).toContain(part);
  expect((await browser().get(link)).html).toContain(NOTE);

  expect((await browser().send(decision, { do: 'appeal', text: 'short' })).status).toBe(422);
  const before = await countLinks();
  for (const path of [decision, `/de${decision}`]) await browser().get(path); // a scanner opens links
  expect(await countLinks()).toBe(before);
  expect((await browser().send(decision, { do: 'appeal', text: APPEAL })).status).toBe(303);
  expect((await newest(mail)).subject).toBe('We have your appeal');
  expect((await browser().get(decision)).html).not.toContain('Send the appeal');
  const again = await browser().post(decision, { do: 'appeal', text: APPEAL });
  expect([again.status, again.html]).toEqual([409, expect.stringContaining('There is an appeal')]);

  const [appeal] = JSON.parse(await cli('appeal', 'list', '--json')) as { id: string }[];
  const decide = ['--reason', 'insult', '--note', NOTE];
  await cli('appeal', 'decide', String(appeal?.id), 'reverse', ...decide, '--actor', 'ben');
  expect((await browser().get(decision)).html).toContain('The decision was changed.');

  // nobody learns who reported it: the author, the broker, other systems and the trail
  const removed = await newest(authorMail);
  const own = await send(`${service.origin}/account/v1/reviews`, { token });
  const seen = [removed.raw, own.text, (await browser().get(findLink(removed))).html, page.html];
  seen.push((await browser().get('/brokers/alpha')).html, JSON.stringify(await readMails(authorMail)));
  await service.settle();
  const kinds = system.received.map(({ type }) => type);
  expect(kinds).toEqual(expect.arrayContaining(['report.received', 'report.decided', 'review.removed']));
  seen.push(JSON.stringify(system.received));
  expect(seen.at(-1)).not.toMatch(/[0-9a-f]{40}/); // nor do other systems get a link
  await inDatabase(service, async (db) => {
    for (const name of ['audit', 'recordEntries', 'moderationDecisions', 'notices', 'moderationCounts'])
      seen.push(JSON.stringify(await db.collection(name).find().toArray()));
  });
  expect(seen.filter((text) => text.includes(NAME) || text.includes(mail))).toEqual([]);
  expect((await browser().get(findLink(removed))).html).toContain('by a report');
  await system.close();
});

test('an author reads the statement of reasons at a link, checks it against the record, and appeals once', async () => {
  const { id, mail } = await writeReview({ title: HOSTILE.slice(0, 90), content: `${HOSTILE} and more of the text.` });
  await cli('review', 'reject', id, '--reason', 'off_topic', '--note', `${HOSTILE} ${NOTE}`, '--actor', 'anna');
  const link = findLink(await newest(mail));
  const page = await browser().get(link);
  for (const part of ['The review is not published.', 'everywhere', 'by our own reading', 'the terms of this service'])
    expect(page.html).toContain(part);
  expect(page.html).not.toMatch(/<script>alert|<img src=x/);
  const codes = [...page.html.matchAll(/<code[^>]*>([^<]*)<\/code>/g)].map(([, text = '']) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  );
  const [, entry, salt, statement] = codes;
  const commitment = createHash('sha256')
    .update(Buffer.from(String(salt), 'base64'))
    .update(canonicalJson(JSON.parse(String(statement))))
    .digest('base64');
  expect(JSON.parse(String(statement))).toMatchObject({ reviewId: id, decision: 'reject' });
  const value = await inDatabase(
    service,
    async (db) => (await db.collection('recordEntries').findOne({ key: entry }))?.['value'],
  );
  expect(JSON.parse(String(value))).toEqual({
    broker: 'alpha',
    decision: 'reject',
    reasonCode: 'off_topic',
    ground: 'terms',
    origin: 'own_initiative',
    automatedMeans: false,
    commitment,
  });
  const refusedAppeal = await browser().send(link, { do: 'appeal', text: '<b>"' });
  expect([refusedAppeal.status, refusedAppeal.html]).toEqual([422, expect.stringContaining('&lt;b&gt;')]);
  expect((await browser().send(link, { do: 'appeal', text: `${HOSTILE} ${APPEAL}` })).status).toBe(303);
  const confirmed = await newest(mail);
  expect(confirmed.subject).toBe('We have your appeal');
  expect((await browser().get(findLink(confirmed))).html).toContain('It waits for a decision.');
  const [appeal] = JSON.parse(await cli('appeal', 'list', '--json')) as { id: string }[];
  await cli('appeal', 'decide', String(appeal?.id), 'reverse', '--note', NOTE, '--actor', 'ben');
  const replaced = await browser().get(link);
  expect(replaced.html).toContain('Another decision about this review was made since');
  expect((await browser().post(link, { do: 'appeal', text: APPEAL })).status).toBe(409);
});

test('a link shows nothing after six months, once it is withdrawn, or if it is guessed', async () => {
  const one = await publishReview();
  const { link, reference } = await sendReport(one.id, { mail: 'walter@mail.example' });
  const second = findLink(await newest('walter@mail.example'));
  const other = await sendReport(one.id, { mail: 'wilma@mail.example' });
  expect((await browser().get('/case/51e1')).status).toBe(410);
  const nothing = await browser().get(`/case/${'0a'.repeat(20)}`);
  expect([nothing.status, nothing.headers.get('cache-control')]).toEqual([410, 'no-store']);
  expect((await browser().get(`/case/${reference}`)).status).toBe(410);

  const [unsure, sure] = [{ do: 'withdraw' }, { do: 'withdraw', agree: 'yes' }];
  expect((await browser().post(link, unsure)).status).toBe(422);
  expect((await browser().get(link)).status).toBe(200);
  expect((await browser().post(link, sure)).html).toContain('You have withdrawn the links');
  for (const path of [link, second]) expect((await browser().get(path)).status).toBe(410);
  const closed = await browser().post(link, { do: 'appeal', text: APPEAL });
  expect([closed.status, (await browser().get(other.link)).status]).toEqual([410, 200]);
  expect(await cli('appeal', 'end-links', '--report', other.reference, '--actor', 'anna')).toMatch(/^2 links/);
  expect((await browser().get(other.link)).status).toBe(410);
  expect(await refused('appeal', 'end-links', '--report', one.id)).toContain('No report has the id');

  await cli('review', 'remove', one.id, '--reason', 'insult', '--actor', 'anna');
  const author = findLink(await newest(one.mail));
  expect((await browser().get(author)).status).toBe(200);
  await inDatabase(service, (db) =>
    db
      .collection('caseLinks')
      .updateMany({}, [
        { $set: { endsAt: { $dateSubtract: { startDate: '$createdAt', unit: 'second', amount: 1 } } } },
      ]),
  );
  expect((await browser().get(author)).status).toBe(410);
  expect((await browser().post(author, { do: 'appeal', text: APPEAL })).status).toBe(410);
  await runJob(service, 'case-links');
  expect(await countLinks()).toBe(0);
});

test('a restore brings back no withdrawn link and no forgotten sender', async () => {
  const one = await publishReview();
  const withdrawn = await sendReport(one.id, { mail: 'wendy@mail.example' });
  const forgotten = await sendReport(one.id, { mail: 'wanda@mail.example' });
  const names = ['caseLinks', 'reports', 'noticeAddresses'] as const;
  const backup = await inDatabase(service, (db) =>
    Promise.all(names.map(async (name) => ({ name, rows: await db.collection(name).find({}).toArray() }))),
  );
  expect((await browser().send(withdrawn.link, { do: 'withdraw', agree: 'yes' })).html).toContain('You have withdrawn');
  await cli('report', 'forget', forgotten.reference, '--actor', 'anna');
  await cli('account', 'erase', '--replay', '--actor', 'anna');
  await inDatabase(service, async (db) => {
    await db.collection('erasures').deleteMany({});
    for (const { name, rows } of backup) {
      await db.collection(name).deleteMany({});
      await db.collection(name).insertMany(rows);
    }
  });
  expect((await browser().get(withdrawn.link)).status).toBe(200);
  await cli('account', 'erase', '--replay', '--actor', 'anna');
  for (const { link } of [withdrawn, forgotten]) expect((await browser().get(link)).status).toBe(410);
  const kept = await inDatabase(service, (db) => db.collection('reports').find({ reviewId: one.id }).toArray());
  expect(kept.map(({ _id, contact }) => [String(_id), contact !== undefined])).toEqual([
    [withdrawn.reference, true],
    [forgotten.reference, false],
  ]);
});

test('the form says at each field what to correct, keeps what was typed, and shows no code of it', async () => {
  const { id } = await publishReview({ title: HOSTILE.slice(0, 90) });
  const fields = { reason: 'insult', text: HOSTILE, name: HOSTILE, mail: HOSTILE, faith: 'yes' };
  const answer = await report(id, fields);
  expect(answer.status).toBe(422);
  expect(answer.html).not.toMatch(/<script>alert|<img src=x/);
  expect(answer.html).toContain('id="field-mail-problem"');
  expect(answer.html).toContain('&lt;script&gt;');
  const empty = await browser().send(`/reviews/${id}/report`, {}, '/report');
  for (const field of ['reason', 'text', 'name', 'mail', 'faith'])
    expect(empty.html).toContain(`id="field-${field}-problem"`);
  const away = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  expect((await browser().post(`/reviews/${id}/report`, FIELDS, away)).status).toBe(403);
  for (const path of [`/reviews/${'0a'.repeat(12)}/report`, '/reviews/x/report'])
    expect((await browser().get(path)).status).toBe(404);
});

test('a form of a case keeps what was typed while its sender was signed out, and is sent again without an account', async () => {
  const { id } = await publishReview();
  const mail = 'signed-out@mail.example';
  const stale = { 'form-token': 'of a session that has ended' };
  const typed = { ...FIELDS, mail, text: `${TEXT} ${HOSTILE}` };
  const first = await browser().post(`/reviews/${id}/report`, { ...typed, ...stale });
  expect([first.status, first.html.includes('<script>alert')]).toEqual([403, false]);
  for (const part of ['You were signed out', TEXT, mail, 'value="insult" checked']) expect(first.html).toContain(part);

  const { link, reference } = await sendReport(id, { mail });
  await cli('report', 'decide', reference, 'keep', '--note', NOTE, '--actor', 'anna');
  const appeal = { do: 'appeal', text: `${APPEAL} ${HOSTILE}` };
  const kept = await browser().post(link, { ...appeal, ...stale });
  expect([kept.status, kept.html.includes('<script>alert')]).toEqual([403, false]);
  for (const part of ['Your text is still here', APPEAL]) expect(kept.html).toContain(part);
  expect(kept.html).not.toContain('/sign-in?to=%2Fcase');
  expect(JSON.parse(await cli('appeal', 'list', '--json'))).toEqual([]);
  expect((await browser().post(link, { ...appeal, text: APPEAL })).status).toBe(303);
});

test('an offence against a child is reported without a name, and a mailbox gets five first mails a day', async () => {
  const { id } = await publishReview();
  const anonymous = { reason: '', name: '', child: 'yes', mail: '' };
  const { reference } = await sendReport(id, anonymous);
  const kept = await inDatabase(service, (db) => db.collection('reports').findOne({ text: TEXT, reviewId: id }));
  expect([kept?.['reasonCode'], kept?.['contact'], String(kept?._id)]).toEqual(['unlawful', {}, reference]);
  const address = 'flood@mail.example';
  const answers = [];
  for (let n = 0; n < 7; n++) {
    const mail = n % 2 === 0 ? address : `flood+${n}@mail.example`;
    answers.push((await report(id, { mail, text: `${TEXT} ${n}` })).location?.replace(/[0-9a-f]{40}/, 'TOKEN'));
  }
  expect(new Set(answers).size).toBe(1);
  const sent = [...(await readMails(address)), ...inbox.received.filter(({ to }) => String(to).startsWith('flood+'))];
  expect(sent).toHaveLength(5);
});

test('nobody uses up the reports of all: 20 an hour are taken for one network address, and the form keeps the next one', async () => {
  const { id } = await publishReview();
  const path = `/reviews/${id}/report`;
  const hasty = browser('6.7.8.9');
  for (let nth = 0; nth < 20; nth++) {
    const { status } = await hasty.post(path, { child: 'yes', text: `${TEXT} ${nth}`, faith: 'yes' });
    expect(status).toBe(303);
  }
  const next = { ...FIELDS, mail: 'nora@mail.example', text: `${TEXT} This one is new.` };
  const { status, html } = await hasty.post(path, next);
  expect(status).toBe(429);
  expect(html).toContain('Too many reports came within an hour.');
  for (const typed of [next.text, `value="${NAME}"`, `value="${next.mail}"`, 'value="insult" checked'])
    expect(html).toContain(typed);
  expect((await browser('7.8.9.10').post(path, next)).status).toBe(303);
  const kept = await inDatabase(service, (db) => db.collection('reportAskers').find().toArray());
  expect(new Set(kept.flatMap((row) => Object.keys(row)))).toEqual(new Set(['_id', 'askedBy', 'createdAt']));
  expect(JSON.stringify(kept)).not.toContain('6.7.8.9');
});

test('an erasure and a command forget who reported, with their links and mails', async () => {
  const { id } = await publishReview();
  const reader = await writeReview({ content: 'I have traded there for a year and tell of it here.' });
  const own = await sendReport(id, { mail: reader.mail });
  const other = await sendReport(id, { mail: 'otto@mail.example' });
  const exported = await cli('account', 'export', reader.subject, '--actor', 'maria');
  expect(JSON.parse(exported).reports).toMatchObject([{ contact: { name: NAME, mail: reader.mail } }]);
  expect(exported).not.toContain('otto@mail.example');
  await cli('account', 'erase', reader.subject, '--yes', reader.subject, '--reason', 'requested', '--actor', 'maria');
  expect((await browser().get(own.link)).status).toBe(410);
  await cli('report', 'forget', other.reference, '--actor', 'anna');
  expect(await refused('report', 'forget', other.reference)).toContain('has no name and no address');
  expect((await browser().get(other.link)).status).toBe(410);
  await inDatabase(service, async (db) => {
    const ids = [`re_${own.reference}`, `re_${other.reference}`];
    expect(await db.collection('noticeAddresses').countDocuments({ _id: { $in: ids as never[] } })).toBe(0);
    expect(await db.collection('notices').countDocuments({ to: { $in: ids } })).toBe(0);
    expect(await db.collection('reports').countDocuments({ 'contact.mail': 'otto@mail.example' })).toBe(0);
  });
});
