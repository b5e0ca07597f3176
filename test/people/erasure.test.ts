import { hash } from 'node:crypto';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, submit, succeeded } from '../support/filled-service.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, openBrowser } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

const PUBLIC_URL = 'https://ratings.example';
const MAIL = 'Erin.Example@mail.example';
const SUBJECT = `mail:${MAIL.toLowerCase()}`;
/** A word in everything that the person writes. */
const MARK = 'Quillfeather';
const TEXT = `${MARK} writes that the money came within two days, twice this year.`;
const REVIEW = { rating: '4', title: `${MARK} pays`, content: TEXT, language: 'en' };
const COMPLAINT = { category: 'withdrawal', title: `${MARK} waits`, content: TEXT, consent: 'yes' };

let inbox: MailServer;
let service: LocalService;
let erin: Browser;

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();

/** Returns the path of the newest link to a place in the mails of an address. */
const linkTo = (address: string, place: string): Promise<string> =>
  until(`a mail to ${address} with ${place}`, 20_000, async () => {
    await service.settle();
    const words = inbox.to(address).flatMap(({ text }) => text.split(/\s/));
    return words.findLast((word) => word.includes(place))?.replace(PUBLIC_URL, '');
  });

const open = (): Browser => openBrowser(service, PUBLIC_URL);

/** Signs the person in by the link of a mail. */
const enter = async (): Promise<Browser> => {
  const browser = open();
  const count = inbox.to(MAIL).length;
  await browser.send('/sign-in', { mail: MAIL });
  await until('a mail', 20_000, async () => {
    await service.settle();
    return inbox.to(MAIL).length > count;
  });
  await browser.send(await linkTo(MAIL, '/sign-in/link/'));
  return browser;
};

/** Follows a broker with an address. */
const follow = async (): Promise<void> => {
  await erin.send('/follow?broker=beta', { mail: MAIL });
  const link = await linkTo(MAIL, '/follow/confirm/');
  expect((await erin.send(link)).status).toBe(200);
};

const publishReview = async (slug: string): Promise<string> => {
  const token = await createToken(service, `writer-${slug}`);
  const { id } = (await (await submit(service, '/reviews', token, reviewBody(slug))).json()) as { id: string };
  await cli('review', 'publish', id);
  return id;
};

/** Writes a text in its steps. Returns the id of what was sent. */
const write = async (kind: 'review' | 'complaint', slug: string, fields: Record<string, string>): Promise<string> => {
  const path = `/write/${kind}?broker=${slug}`;
  await erin.send(path, { ...fields, do: 'preview' });
  const sent = await erin.send(`${path}&step=preview`, { agree: 'yes' });
  return /\/mine\/\w+\/([^?]+)/.exec(sent.location ?? '')?.[1] ?? '';
};

const report = (review: string, browser: Browser, fields: Record<string, string>) =>
  browser.send(`/reviews/${review}/report`, { reason: 'insult', text: TEXT, faith: 'yes', ...fields });

/** Lets the person answer for a broker by the code that goes to an address of the register. */
const answerFor = async (slug: string): Promise<void> => {
  const by = ['--register', 'fca', '--place', 'https://register.fca.org.uk/s/firm?id=1', '--actor', 'maria'];
  const asked = await cli('representative', 'request', slug, 'office@lawyer.example', ...by);
  await cli('representative', 'confirm', /rp_[0-9a-f]+/.exec(asked)?.[0] ?? '', '--actor', 'olga');
  const code = await until('the code', 20_000, async () => {
    await service.settle();
    return /the code (\S+) can/.exec(inbox.to('office@lawyer.example').at(-1)?.text ?? '')?.[1];
  });
  expect((await erin.send('/answer', { code })).location).toBe(`/answer/${slug}`);
};

beforeAll(async () => {
  inbox = await startMailServer();
  const mail = { SMTP_URL: inbox.url, MAIL_FROM: 'Ratings <mail@ratings.example>', PUBLIC_URL };
  service = await startService({ ...mail, JOBS: 'on' });
  await importRows(
    service,
    'brokers',
    ['alpha', 'beta', 'gamma', 'delta'].map((slug) => brokerRow(slug)),
  );
});
afterAll(async () => {
  await service?.remove();
  await inbox?.close();
});

/** Returns the names of the collections with a document that contains one of these words, in any letters. */
const findMentions = (words: readonly string[]): Promise<string[]> =>
  inDatabase(service, async (db) => {
    const found: string[] = [];
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      const text = BSON.EJSON.stringify(await db.collection(name).find({}).toArray()).toLowerCase();
      if (words.some((word) => text.includes(word.toLowerCase()))) found.push(name);
    }
    return found.sort();
  });

test('no collection has the account, the subject, the address or a word of a person after their erasure', async () => {
  erin = await enter();
  await cli('account', 'kyc', SUBJECT, 'verified', '--provider', 'acme', '--person', `${MARK}-passport`);
  const account = await inDatabase(service, (db) =>
    db.collection<{ _id: string; subject: string }>('accounts').findOne({ subject: SUBJECT }),
  );
  const accountId = account?._id ?? '';

  const review = await write('review', 'alpha', REVIEW);
  const complaint = await write('complaint', 'alpha', COMPLAINT);
  expect([review, complaint]).not.toContain('');
  await cli('review', 'reject', review, '--reason', 'off_topic', '--actor', 'maria');
  expect((await erin.send(`/mine/reviews/${review}`, { text: TEXT })).status).toBe(303);
  await cli('complaint', 'screen', complaint);
  await cli('complaint', 'forward', complaint);
  await erin.send('/write/review?broker=beta', { ...REVIEW, do: 'save' });
  await erin.send('/write/complaint?broker=beta', { ...COMPLAINT, do: 'save' });
  await follow();
  const other = await publishReview('gamma');
  expect((await report(other, erin, {})).status).toBe(303);
  expect((await report(other, open(), { name: MARK, mail: MAIL })).status).toBe(303);
  await answerFor('delta');
  await erin.send('/brokers/delta/dispute', { field: 'licenses', text: TEXT });
  const answered = await publishReview('delta');
  await erin.send(`/answer/delta/reviews/${answered}`, { reply: TEXT });
  await cli('reply', 'publish', JSON.parse(await cli('reply', 'list', '--json'))[0].id);
  const token = await createToken(service, SUBJECT);
  await submit(service, '/complaints', token, complaintBody('beta', { title: MARK }));
  const elsewhere = await enter();
  await open().send('/sign-in', { mail: MAIL });
  await service.settle();

  const secrets = [...erin.cookies.values(), ...elsewhere.cookies.values()];
  const sessions = secrets.map((secret) => hash('sha256', secret, 'hex'));
  const [hashed] = await inDatabase(service, (db) => db.collection('reports').distinct('contact.mailHash'));
  const words = [SUBJECT, MAIL, MARK, String(hashed), ...sessions];
  const before = await findMentions([accountId, ...words]);
  for (const collection of ['accounts', 'caseLinks', 'drafts', 'follows', 'sessions', 'signInRequests', 'reports'])
    expect(await countAll(collection), collection).toBeGreaterThan(0);
  expect(before).toEqual(
    expect.arrayContaining(['accounts', 'complaints', 'disputes', 'drafts', 'notices', 'reports']),
  );

  const erased = await erin.send('/mine/erase?step=sure', { word: 'DELETE' });
  expect(erased.location).toBe('/mine/erased');
  await service.settle();
  expect(await findMentions(words)).toEqual([]);
  // the trail and the list of erasures name the account, by an id that says nothing any more
  expect(await findMentions([accountId])).toEqual(['audit', 'erasures']);
  for (const collection of ['caseLinks', 'drafts', 'follows', 'sessions', 'signInRequests'])
    expect([collection, await countAll(collection)]).toEqual([collection, 0]);
});

const countAll = (name: string): Promise<number> => inDatabase(service, (db) => db.collection(name).countDocuments({}));
