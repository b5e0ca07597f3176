import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import type { Document } from 'mongodb';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findDatabaseUrl, inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, succeeded } from '../support/filled-service.ts';
import { type FeedServer, rss, startFeedServer } from '../support/hostile-feeds.ts';
import { send } from '../support/http.ts';
import { readRefusal, runJson } from '../support/moderation.ts';
import { newProber } from '../support/prober.ts';
import { runBeside } from '../support/process.ts';
import { forgeEntry } from '../support/record.ts';
import { brokerRow, complaintBody, licenseRow, newsRow, regulatorRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';
import { openBrowser, signIn } from '../support/sign-in.ts';
import { newLogKey, untilHeld } from '../support/signed-log.ts';

/** Part of every text and name that people send. The trail must never contain it. */
const MARK = 'xanthippe';
const TEXT = `I am ${MARK}, and they have owed me 4711 euros since spring.`;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BROKERS = ['one', 'two', 'three', 'four', 'five'];
const DAY_MS = 86_400_000;

/** Hundreds of commands, on a machine that may be busy. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

interface AuditEntry {
  readonly at: Date;
  readonly actor: {
    readonly type: string;
    readonly name?: string;
    readonly token?: string;
    readonly accountId?: string;
  };
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly reason: string;
}

let service: LocalService;
let scratch: Scratch;
let feeds: FeedServer;
let alice: string;
let bob: string;

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();
const act = (...args: string[]): Promise<string> => cli(...args, '--actor', 'maria');
const refused = async (...args: string[]): Promise<string> =>
  readRefusal(await service.cli(...args, '--actor', 'maria'));
const findId = (text: string): string => /[0-9a-f]{24}/.exec(text)?.[0] as string;
const findRun = (text: string): string => /import undo ([0-9a-f]+)/.exec(text)?.[1] as string;

const bring = async (kind: string, rows: readonly unknown[], ...options: string[]): Promise<string> =>
  findRun(await act('import', kind, await scratch.ndjson(`${kind}.ndjson`, rows), ...options));
const sent = async (path: string, token: string, body: object) => {
  const answer = await send(`${service.origin}${path}`, { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ id: string; reference: string }>();
};
const submit = async (token: string, broker: string): Promise<string> =>
  (await sent('/api/v1/reviews', token, reviewBody(broker, { title: `Of ${MARK}`, content: TEXT }))).id;
const publish = async (token: string, broker: string): Promise<string> => {
  const id = await submit(token, broker);
  await act('review', 'publish', id);
  return id;
};
let complaints = 0;
const complain = async (): Promise<string> => {
  complaints += 1;
  const over = { title: `Complaint ${complaints} of ${MARK}`, content: TEXT };
  return (await sent('/api/v1/complaints', alice, complaintBody('one', over))).reference;
};
const deliver = async (id: string, occurredAt: Date): Promise<void> => {
  const data = { subject: `${MARK}@webhook.example`, status: 'verified', provider: 'acme', occurredAt };
  const [body, at] = [JSON.stringify({ type: 'kyc.updated', data }), new Date()];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, at, body),
  };
  expect((await send(`${service.origin}/webhooks/kyc`, { body, headers })).status).toBe(200);
};
const change = (collection: string, filter: object, update: object): Promise<unknown> =>
  inDatabase(service, (db) => db.collection(collection).updateOne(filter, update));
const trail = (filter: object = {}): Promise<(AuditEntry & Document)[]> =>
  inDatabase(service, (db) =>
    db.collection<AuditEntry & Document>('audit').find(filter).sort({ at: 1, _id: 1 }).toArray(),
  );

beforeAll(async () => {
  [scratch, feeds] = await Promise.all([createScratch(), startFeedServer()]);
  const url = feeds.serve(
    '/feed',
    rss([{ title: 'An item', link: 'https://feed.example/1', guid: '1', date: 'Thu, 01 Jan 2026 10:00:00 GMT' }]),
  );
  const feed = { url, source: 'Example Gazette', language: 'en', category: 'market' };
  const port = await freePort();
  service = await startService({
    KYC_WEBHOOK_SECRETS: SECRET,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'mail@ratings.example',
    NEWS_FEEDS: await scratch.write('feeds.json', JSON.stringify([feed])),
    NEWS_FEEDS_PORTS: `80,443,${feeds.port}`,
    NEWS_FEEDS_ALLOW_LOOPBACK: 'true',
  });
  await bring(
    'brokers',
    BROKERS.map((slug) => brokerRow(slug)),
  );
  alice = await createToken(service, `${MARK}@alice.example`);
  bob = await createToken(service, `${MARK}@bob.example`);
});
afterAll(() => Promise.all([service?.remove(), feeds?.close(), scratch?.remove()]));

/** The existing actions, as the command line names them. */
const knownActions = async (): Promise<string[]> =>
  [...(await cli('audit', 'list', '--help')).matchAll(/^ {2}([a-z]+\.[a-z_]+) {2,}\S/gm)].map(([, name]) =>
    String(name),
  );

const identity = async (): Promise<void> => {
  const subject = `${MARK}@third.example`;
  const create = () =>
    act('token', 'create', '--subject', subject, '--scope', 'reviews:write', '--name', MARK, '--json');
  const [first, second] = [JSON.parse(await create()).id, JSON.parse(await create()).id];
  await act('token', 'rotate', first);
  await act('token', 'revoke', second);
  await act('account', 'kyc', subject, 'verified', '--provider', 'acme', '--person', MARK, '--expires', '1d');
  await act('account', 'block', subject, '--reason', 'fraud');
  await act('account', 'unblock', subject);
  await change('accounts', { subject }, { $set: { 'kyc.expiresAt': new Date(Date.now() - DAY_MS) } });
  await act('admin', 'job', 'run', 'kyc-expiry');
  await deliver('msg_1', new Date(Date.now() - 1000));
  await deliver('msg_2', new Date(Date.now() - DAY_MS));
};

const moderation = async (): Promise<void> => {
  const kept = await publish(alice, 'one');
  await act('review', 'flag', kept, '--reason', 'insult', '--note', `Is ${MARK} a person?`);
  await act('review', 'flag', kept, '--remove');
  await act('review', 'reply', kept, '--content', `Dear ${MARK}, we paid.`);
  await act('review', 'reply', kept, '--remove');
  await act('review', 'claim', await submit(bob, 'one'));
  const report = await sent('/account/v1/reports', bob, { reviewId: kept, reason: 'insult', text: TEXT });
  await act('report', 'decide', report.id, 'keep', '--note', TEXT);
  const mailed = ['--reason', 'insult', '--text', TEXT, '--contact', `${MARK}@mail.example`];
  await act('report', 'forget', findId(await act('report', 'add', kept, ...mailed)));
  const fields = { reason: 'insult', text: TEXT, name: MARK, mail: `${MARK}@mail.example`, faith: 'yes' };
  const { location } = await openBrowser(service).send(`/reviews/${kept}/report`, fields);
  const opened = await openBrowser(service).get(String(location));
  await act('appeal', 'end-links', '--report', /<code>([0-9a-f]{24})/.exec(opened.html)?.[1] ?? '');
  await act('review', 'remove', kept, '--reason', 'insult', '--note', TEXT);
  const appeal = await sent(`/account/v1/reviews/${kept}/appeal`, alice, { text: TEXT });
  await cli('appeal', 'decide', appeal.id, 'reverse', '--note', TEXT, '--actor', 'ben');
  await act('review', 'withhold', kept, '--reason', 'unlawful', '--days', '14', '--note', TEXT);
  await act('review', 'restore', kept, '--reason', 'claim_dismissed');
  const waiting = JSON.parse(await act('review', 'next', '--json')).id;
  await act('review', 'release', waiting);
  await act('review', 'reject', waiting, '--reason', 'off_topic', '--note', TEXT);
  await act('review', 'withdraw', await publish(bob, 'two'), '--reason', 'author_request');
  await change('moderationCounts', { broker: 'one' }, { $inc: { 'reviews.received': 5 } });
  await act('admin', 'moderation', 'recount');
};

const handling = async (): Promise<void> => {
  const references = await Promise.all(Array.from({ length: 7 }, complain));
  const [answered, silent, slow, unhappy, refusedOne, back] = references as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  for (const reference of [answered, silent, slow, unhappy]) {
    await act('complaint', 'screen', reference);
    await act('complaint', 'forward', reference);
  }
  await act('complaint', 'evidence', answered, '--kind', 'statement', '--place', `vault/${MARK}.pdf`, '--note', TEXT);
  await act('complaint', 'answer', answered, '--text', TEXT);
  await act('complaint', 'resolve', answered, '--outcome', 'refunded');
  await act('complaint', 'answer', unhappy, '--text', TEXT);
  await act('complaint', 'close', unhappy, '--outcome', 'rejected_by_broker');
  const right = ['--reason', 'wrong_outcome', '--outcome', 'explained'];
  await cli('complaint', 'correct', unhappy, ...right, '--actor', 'ben');
  await act('complaint', 'reject', refusedOne, '--reason', 'out_of_scope');
  await act('complaint', 'withdraw', back, '--reason', 'by_author');
  const ago = (days: number) => ({ $set: { forwardedAt: new Date(Date.now() - days * DAY_MS) } });
  await change('complaints', { _id: silent }, ago(120));
  await change('complaints', { _id: slow }, ago(40));
  await act('admin', 'job', 'run', 'complaint-clocks');
  await act('complaint', 'remind', slow);
};

const data = async (): Promise<void> => {
  const expiresAt = '2026-01-31T00:00:00Z';
  const licenses = [licenseRow('two Ltd', 'asic', { referenceNumber: '100' })];
  await bring('brokers', [brokerRow('two', { licenses })]);
  await bring('brokers', [brokerRow('three', { licenses: [licenseRow('three Ltd', 'fca', { expiresAt })] })]);
  await act('admin', 'job', 'run', 'license-expiry');
  await bring('regulators', [regulatorRow('zz-old', { tier: 3 })]);
  await bring('news', [newsRow(1)]);
  const written = {
    reference: MARK,
    broker: 'one',
    title: `${MARK} waited`,
    content: TEXT,
    status: 'received',
    createdAt: '2026-01-02T00:00:00Z',
  };
  const runs = [
    await bring('regulators', [regulatorRow('zz-old', { tier: 1 }), regulatorRow('zz-new')]),
    await bring('brokers', [brokerRow('four', { licenses: [] }), brokerRow('passing')]),
    await bring('news', [newsRow(1, { severity: 'serious' }), newsRow(2)]),
    await bring('reviews', [
      { ...written, status: 'pending', rating: 4, language: 'en', author: { subject: MARK, displayName: MARK } },
    ]),
    await bring('complaints', [
      { ...written, category: 'conduct', consentToForward: true, complainant: { subject: MARK, contact: MARK } },
    ]),
  ];
  for (const run of runs) await act('import', 'undo', run, '--yes', run);
  await bring('brokers', [{ slug: 'one', country: 'IE' }], '--stated-by', 'dataset:list');
  await bring('regulators', [{ code: 'zz-old', tier: 2 }], '--stated-by', 'dataset:list');
  const ruling = ['--field', 'country', '--source', 'dataset:list', '--reason', 'The list is old.'];
  await act('fact', 'overrule', 'one', ...ruling);
  const register = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS';
  const file = await scratch.write('asic.csv', `${register}\nAFS Licence,100,TWO LTD,,01/02/2010,SUSP\n`);
  await act('license', 'check', '--register', 'asic', file, '--as-of', '2026-11-02', '--apply', '--least', '1');
  await act('news', 'pull');
  const [newest] = await runJson<{ id: string }>(service, 'news', 'list');
  await act('news', 'remove', String(newest?.id), '--reason', 'rights');
  await change('brokers', { _id: 'five' }, { $set: { name: 'Another' } });
  await change('regulators', { _id: 'fca' }, { $inc: { brokerCount: 3 } });
  await act('admin', 'rebuild');
  await act('admin', 'seed');
};

const warnings = async (): Promise<void> => {
  const lines = [
    { id: '1', names: ['one'] },
    { id: '2', names: [`${MARK} of the firm`, 'two'] },
  ];
  const file = await scratch.ndjson('warnings.ndjson', lines);
  const list = ['--authority', 'fca', '--list-url', 'https://warnings.example/', '--as-of', '2026-11-02'];
  await act('warning', 'import', file, '--source', 'fca-by-hand', ...list);
  const matches = await runJson<{ id: string; broker: string }>(service, 'warning', 'queue');
  const [first, second] = ['one', 'two'].map((slug) => matches.find(({ broker }) => broker === slug)?.id ?? '');
  await act('warning', 'confirm', first as string, 'one', '--about', 'firm');
  await act('warning', 'undo', first as string, 'one');
  await act('warning', 'reject', second as string, 'two');
  await bring('brokers', [brokerRow('alike-a'), brokerRow('alike-b', { domains: ['alike-a.example'] })]);
  const alarms = await runJson<{ id: string; value: string }>(service, 'warning', 'alarms');
  const alarm = alarms.find(({ value }) => value === 'alike-a.example')?.id ?? '';
  await act('warning', 'settle', alarm, '--reason', 'one_firm');
  await bring('brokers', [{ slug: 'alike-b', domains: ['alike-b.example'] }]);
  await act('admin', 'job', 'run', 'warning-matches');
};

const customers = async (): Promise<void> => {
  const agreed = ['--plan', 'media', '--accepted-by', `${MARK}, by contract`];
  await act('enterprise', 'grant', 'acme-news', '--name', `News of ${MARK}`, ...agreed);
  const issue = async () =>
    (await act('enterprise', 'issue-key', 'acme-news', '--name', MARK)).match(/ek_[0-9a-f]+/)?.[0];
  const [first, second] = [await issue(), await issue()];
  await act('enterprise', 'rotate-key', String(first));
  await act('enterprise', 'revoke-key', String(second));
  await act('enterprise', 'end', 'acme-news');
  await act('admin', 'prober', 'add', newProber('frankfurt-1').verifierKey);
  await act('admin', 'prober', 'end', 'frankfurt-1');
};

const incidents = async (): Promise<void> => {
  const from = '2026-01-01T10:00Z';
  const id = (await act('incident', 'open', '--title', `Of ${MARK}`, '--since', from, '--text', TEXT)).match(
    /in_[0-9a-f]+/,
  )?.[0];
  await act('incident', 'update', String(id), '--text', TEXT);
  await act('incident', 'resolve', String(id), '--until', '2026-01-01T11:00Z');
  await act('incident', 'retract', String(id));
};

const registers = async (): Promise<void> => {
  const rows = Array.from({ length: 4100 }, (_, n) => `AFS Licence,${n + 1},FIRM ${n + 1} PTY LTD,,01/02/2010`);
  const header = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT';
  const file = await scratch.write('afs_lic_20260105.csv', [header, ...rows].join('\r\n'));
  await act('register', 'add-file', 'asic', file);
  await act('register', 'drop', 'asic', '--reason', 'not_whole');
};

const becoming = async (): Promise<void> => {
  await bring('brokers', [brokerRow('part'), brokerRow('whole')]);
  await submit(alice, 'part');
  await publish(alice, 'whole');
  await act('broker', 'rename', 'part', 'the-part');
  await act('broker', 'merge', 'the-part', '--into', 'whole');
  await act('broker', 'split', 'the-part');
  const icon = await fetch(`${service.origin}/apple-touch-icon.png`);
  const picture = await scratch.write('mark.png', Buffer.from(await icon.arrayBuffer()));
  await act('broker', 'mark', 'set', 'the-part', picture, '--reason', 'firm_sent');
  await act('broker', 'mark', 'remove', 'the-part', '--reason', 'firm_asked');
};

/** Mail is queued and never sent here: nothing listens, and no job runs. */
const mails = async (): Promise<void> => {
  const readMailedCode = async (kind: string): Promise<string> => {
    const [row] = await inDatabase(service, (db) => db.collection('notices').find({ kind }).toArray());
    return row?.['data'].code;
  };
  await act('broker', 'contact', 'add', 'one', `${MARK}@one.example`);
  await act('broker', 'contact', 'confirm', 'one', await readMailedCode('broker.code'));
  await sent('/account/v1/mail', alice, { address: `${MARK}@mail.example` });
  await sent('/account/v1/mail/confirmation', alice, { code: await readMailedCode('address.code') });
  await bring('brokers', [brokerRow('told')]);
  await publish(alice, 'told');
  const notice = await inDatabase(service, (db) => db.collection('notices').findOne({ kind: 'review.received' }));
  const [id] = [String(notice?._id)];
  const bounce = ['Content-Type: message/delivery-status', '', `Final-Recipient: rfc822; ${MARK}@mail.example`];
  const original = ['Content-Type: message/rfc822', '', `Message-ID: <${id}@ratings.example>`, '', TEXT];
  const head = ['MIME-Version: 1.0', 'Content-Type: multipart/report; boundary=b', ''];
  const all = [...head, '--b', ...bounce, 'Action: failed', 'Status: 5.2.2', '', '--b', ...original, '--b--', ''];
  await act('admin', 'mail', 'bounces', await scratch.write('bounce.eml', all.join('\r\n')));
  await act('mail', 'retry', id);
  expect((await send(`${service.origin}/account/v1/mail/removal`, { method: 'POST', token: alice })).status).toBe(201);
  const hook = /nw_[0-9a-f]+/.exec(await act('mail', 'webhook', 'add', `https://${MARK}.example/`))?.[0];
  await act('mail', 'webhook', 'remove', String(hook));
  await act('broker', 'contact', 'remove', 'one', `${MARK}@one.example`);
};

/** Somebody answers for a firm, in their browser. */
const firms = async (): Promise<void> => {
  await bring('brokers', [brokerRow('firm')]);
  const subject = `${MARK}@firm.example`;
  await createToken(service, subject, { kyc: 'none' });
  const browser = await signIn(service, subject);
  const request = async (): Promise<string> => {
    const place = ['--register', 'fca', '--place', 'https://register.fca.org.uk/s/firm?id=1'];
    return String(
      (await act('representative', 'request', 'firm', `${MARK}@firm.example`, ...place)).match(/rp_[0-9a-f]+/)?.[0],
    );
  };
  await act('representative', 'end', await request());
  await cli('representative', 'confirm', await request(), '--actor', 'ben');
  const [row] = await inDatabase(service, (db) =>
    db.collection('notices').find({ kind: 'broker.invitation' }).toArray(),
  );
  const taken = async (path: string, fields: Record<string, string>): Promise<void> =>
    expect([path, (await browser.send(path, fields)).status]).toEqual([path, 303]);
  await taken('/answer', { code: String(row?.['data'].code) });
  const reply = async (): Promise<string> => {
    const review = await publish(alice, 'firm');
    await taken(`/answer/firm/reviews/${review}`, { reply: TEXT });
    const [{ id }] = JSON.parse(await cli('reply', 'list', '--json'));
    return id;
  };
  const first = await reply();
  await act('reply', 'publish', first);
  await taken('/answer/firm', { do: 'withdraw-reply', id: first });
  const [review] = await inDatabase(service, (db) => db.collection('reviews').find({ broker: 'firm' }).toArray());
  await taken(`/answer/firm/reviews/${review?._id}`, { reply: TEXT });
  await act('reply', 'decline', JSON.parse(await cli('reply', 'list', '--json'))[0].id, '--reason', 'personal_data');
  for (const field of ['name', 'complaints', 'country'])
    await taken('/brokers/firm/dispute', { field, text: TEXT, evidence: `https://${MARK}.example/` });
  const disputes: { reference: string; field: string }[] = JSON.parse(await cli('dispute', 'list', '--json'));
  const named = (field: string): string => disputes.find((one) => one.field === field)?.reference ?? '';
  await act('dispute', 'text', named('name'), 'show');
  await act('dispute', 'decide', named('name'), 'reject', '--note', TEXT);
  await act('dispute', 'decide', named('complaints'), 'uphold', '--change', 'corrected');
  await taken('/answer/firm', {
    do: 'withdraw-dispute',
    reference: named('country'),
    [`agree-${named('country')}`]: 'yes',
  });
  await act('account', 'erase', subject, '--yes', subject, '--reason', 'requested');
};

const erasure = async (): Promise<void> => {
  const subject = `${MARK}@bob.example`;
  const held = await publish(bob, 'three');
  await sent('/account/v1/reports', alice, { reviewId: held, reason: 'insult', text: TEXT });
  await act('review', 'remove', held, '--reason', 'insult');
  await sent(`/account/v1/reviews/${held}/appeal`, bob, { text: TEXT });
  await sent('/api/v1/complaints', bob, complaintBody('one', { content: TEXT }));
  const account = await inDatabase(service, (db) => db.collection('accounts').findOne({ subject }));
  await act('account', 'export', subject);
  await act('account', 'erase', subject, '--yes', subject, '--reason', 'requested');
  await inDatabase(service, (db) => db.collection('accounts').insertOne(account as Document));
  await act('account', 'erase', '--replay');
};

/** Somebody writes to the database past the service, and the log stops. */
const heldLog = async (): Promise<void> => {
  await forgeEntry(service, { key: 'regulator/zzz', kind: 'regulator', value: '{"code":"zzz"}' });
  await act('admin', 'log', 'set-aside', String(await untilHeld(service)), '--reason', 'written_past_the_service');
};

/** Operators come last, since from then on every command needs a token; their going ends that. */
const operators = async (): Promise<void> => {
  const add = (...args: string[]) => cli('operator', 'add', ...args, '--quiet');
  const ada = await scratch.write('ada.token', await add('ada', '--role', 'admin'));
  const asAda = (...args: string[]) => cli(...args, '--token-file', ada);
  const ben = await scratch.write('ben.token', await asAda('operator', 'add', 'ben', '--role', 'editor', '--quiet'));
  readRefusal(await service.cli('review', 'list', '--token-file', ben));
  await cli('operator', 'renew', '--token-file', ben);
  await asAda('admin', 'operator', 'claim', 'ben', 'maria');
  await asAda('operator', 'set-role', 'ben', '--role', 'moderator');
  await asAda('operator', 'sign-in', 'ben', 'https://login.example#ben');
  await asAda('operator', 'sign-in', 'ben', '--remove');
  await asAda('operator', 'end', 'ben');
  const olga = await scratch.write('olga.token', await asAda('operator', 'add', 'olga', '--role', 'admin', '--quiet'));
  await cli('operator', 'renew', '--token-file', olga);
  await asAda('operator', 'add', 'carl', '--role', 'editor');
  await asAda('operator', 'decline', 'carl');
  await asAda('operator', 'add', 'carl', '--role', 'editor');
  await cli('operator', 'confirm', 'carl', '--token-file', olga);
  await cli(
    'admin',
    'operator',
    'recover',
    'ada',
    '--database-url',
    await scratch.write('url', await findDatabaseUrl(service)),
  );
  await inDatabase(service, (db) => db.collection('operators').deleteMany({}));
};

/** The entries of a database that was restored from a backup, and whose log went on from there. */
const restored = async (): Promise<AuditEntry[]> => {
  const [backup, url] = [join(scratch.path, 'backup'), newSharedDatabase()];
  const settings = { DATA_DIR: join(scratch.path, 'data'), MONGODB_URL: url };
  await act('backup', backup);
  try {
    succeeded(await runBeside(['restore', backup, '--accept-lost-erasures', '--actor', 'maria'], settings));
    const { entries } = JSON.parse(succeeded(await runBeside(['log', 'show', '--json'], settings)));
    const { file } = await newLogKey(scratch, 'log.key');
    const accept = ['admin', 'log', 'recover', '--accept-loss', String(entries), '--actor', 'maria'];
    succeeded(await runBeside(accept, { ...settings, LOG_KEY: file }));
    const of = async (action: string): Promise<AuditEntry[]> =>
      JSON.parse(succeeded(await runBeside(['audit', 'list', '--action', action, '--json'], settings)));
    const rows = [...(await of('backup.restored')), ...(await of('log.loss_accepted'))];
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  } finally {
    await dropSharedDatabase(url);
  }
};

const isState = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' &&
    Object.values(value).every((fact) => fact === null || ['string', 'number', 'boolean'].includes(typeof fact)));

const expectComplete = (entry: AuditEntry): void => {
  const { at, actor, action, subject, before, after, reason } = entry;
  const what = JSON.stringify(entry);
  expect(at, what).toBeInstanceOf(Date);
  const { token = '0'.repeat(12), ...who } = actor;
  expect([Object.keys(who).sort(), token], what).toEqual([
    actor.type === 'account' ? ['accountId', 'type'] : ['name', 'type'],
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ]);
  expect(actor.type, what).toMatch(/^(account|operator|system)$/);
  expect(action.split('.'), what).toHaveLength(2);
  expect(subject, what).toEqual({ kind: expect.stringMatching(/^[a-z]+$/), id: expect.stringMatching(/./) });
  expect([isState(before), isState(after)], what).toEqual([true, true]);
  expect(before === null && after === null, what).toBe(false);
  expect(reason, what).toMatch(/^[a-z][a-z_]*(:[0-9a-f]{12})?$/);
};

/** Codes in the pages of the documentation, which explain the reasons. */
const documentedCodes = async (): Promise<Set<string | undefined>> => {
  const pages = ['audit', 'moderation', 'complaints', 'identity', 'people', 'news', 'operators', 'firms'].map((name) =>
    readFile(new URL(`../../docs/operating/${name}.md`, import.meta.url), 'utf8'),
  );
  const spans = (await Promise.all(pages)).join().match(/`[^`\n]+`/g) ?? [];
  return new Set(spans.flatMap((span) => span.match(/[a-z_]+/g) ?? []));
};

test('every action records who, what, when, why, before and after, and nothing personal', async () => {
  for (const part of [
    identity,
    moderation,
    handling,
    data,
    warnings,
    customers,
    incidents,
    registers,
    becoming,
    mails,
    firms,
    erasure,
    heldLog,
  ])
    await part();
  const ofRestore = await restored();
  await operators();
  const entries = [...(await trail()), ...ofRestore];
  for (const entry of entries) expectComplete(entry);
  // there are no migrations yet, and only a demo loads: see demo.test.ts
  const atTheDesk = ['case.claimed', 'case.released', 'review.decision_refused'];
  const never = ['database.migrated', 'review.loaded', 'complaint.loaded', ...atTheDesk];
  expect([...new Set(entries.map(({ action }) => action)), ...never].sort()).toEqual(await knownActions());
  const personal = /xanthippe|\b4711\b|example\.org/;
  expect(JSON.stringify(entries).toLowerCase()).not.toMatch(personal);
  // the address of a source of a regulator may have an @
  const others = entries.filter(({ subject }) => subject.kind !== 'regulator');
  expect(JSON.stringify(others)).not.toMatch(/@/);
  const people = await trail({ 'actor.type': 'account' });
  expect(new Set(people.map(({ reason }) => reason))).toEqual(
    new Set(['submitted', 'insult', 'code_given', 'author_request']),
  );
  const reasons = new Set(entries.map(({ reason }) => reason.split(':')[0]));
  expect([...reasons.difference(await documentedCodes())]).toEqual([]);
});

test('the help of audit list explains the same actions', async () => {
  const help = await cli('audit', 'list', '--help');
  expect([...help.matchAll(/^ {2}([a-z]+\.[a-z_]+) +\S/gm)].map(([, name]) => name)).toEqual(await knownActions());
});

describe('audit list', () => {
  const list = (...args: string[]) => runJson<Record<keyof AuditEntry, never>>(service, 'audit', 'list', ...args);

  test('shows the life of one review in order', async () => {
    const [{ subject } = { subject: { id: '' } }] = await trail({ action: 'review.released' });
    const life = await list('--subject', `review:${subject.id}`);
    expect(life.map(({ action, before, after, reason }) => [action, before, after, reason])).toEqual([
      ['review.submitted', null, { status: 'pending', rating: 4.25 }, 'submitted'],
      ['review.claimed', { claimedUntil: null }, { claimedUntil: expect.any(String) }, 'taken_up'],
      ['review.claimed', { claimedUntil: expect.any(String) }, { claimedUntil: expect.any(String) }, 'taken_up'],
      ['review.released', { claimedUntil: expect.any(String) }, { claimedUntil: null }, 'given_back'],
      ['review.rejected', { status: 'pending' }, { status: 'rejected' }, 'off_topic'],
      ['review.erased', { status: 'rejected' }, null, 'person_erased'],
    ]);
    const table = (await cli('audit', 'list', '--subject', `review:${subject.id}`)).split('\n');
    expect(table[0]).toMatch(/^time +who +action +subject +before +after +why$/);
    expect(table[5]).toMatch(
      /operator:maria +review\.rejected +review:\w+ +status=pending +status=rejected +off_topic$/,
    );
  });

  test('shows what each filter selects, newest first', async () => {
    const all = await trail();
    const ids = (rows: readonly Document[]) => rows.map(({ _id }) => String(_id));
    const expectSame = async (args: string[], filter: (entry: AuditEntry) => boolean) => {
      const wanted = ids(all.filter(filter)).reverse();
      expect(wanted.length, args.join(' ')).toBeGreaterThan(0);
      expect(ids(await list(...args, '--limit', '40')), args.join(' ')).toEqual(wanted.slice(0, 40));
    };
    const account = all.find(({ actor }) => actor.accountId !== undefined)?.actor.accountId as string;
    const middle = all[Math.floor(all.length / 2)]?.at as Date;
    await expectSame([], () => true);
    await expectSame(['--subject-kind', 'token'], ({ subject }) => subject.kind === 'token');
    await expectSame(['--by', 'ben'], ({ actor }) => actor.name === 'ben');
    await expectSame(['--by', account], ({ actor }) => actor.accountId === account);
    await expectSame(['--action', 'import.undone'], ({ action }) => action === 'import.undone');
    await expectSame(['--since', middle.toISOString()], ({ at }) => at >= middle);
    await expectSame(['--until', middle.toISOString()], ({ at }) => at < middle);
    await expectSame(
      ['--since', '1d', '--by', 'maria', '--subject-kind', 'news', '--action', 'news.removed'],
      ({ actor, action }) => actor.name === 'maria' && action === 'news.removed',
    );
  });

  test('never reads the whole trail', async () => {
    await inDatabase(service, (db) => db.setProfilingLevel('all'));
    for (const args of [
      [],
      ['--subject', 'broker:two'],
      ['--subject-kind', 'token'],
      ['--by', 'ben'],
      ['--since', '1h'],
    ])
      await list(...args, '--limit', '3');
    await list('--action', 'import.undone', '--limit', '3');
    const reads = await inDatabase(service, async (db) => {
      await db.setProfilingLevel('off');
      return db.collection('system.profile').find({ 'command.find': 'audit' }).toArray();
    });
    expect(reads).toHaveLength(6);
    for (const { planSummary, hasSortStage, docsExamined, command } of reads) {
      expect(planSummary, JSON.stringify(command)).toMatch(/^IXSCAN/);
      expect([hasSortStage, docsExamined <= 4], JSON.stringify(command)).toEqual([undefined, true]);
    }
  });

  test('refuses an empty time span', async () => {
    const { code, stderr } = await service.cli('audit', 'list', '--since', '1d', '--until', '2d');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Nothing is from \S+Z on and before \S+Z\.\n$/)]);
    const kind = await service.cli('audit', 'list', '--subject', 'planet:earth');
    expect([kind.code, kind.stderr]).toEqual([2, expect.stringContaining('where kind is one of account, alarm')]);
  });
});

test('an illegal move changes nothing, leaves no entry, and says why', async () => {
  const pending = await submit(alice, 'five');
  const received = await complain();
  const [{ subject: token } = { subject: { id: '' } }] = await trail({
    action: 'token.revoked',
    'actor.name': 'maria',
  });
  const [{ subject: appeal } = { subject: { id: '' } }] = await trail({ action: 'appeal.decided', reason: /reversed/ });
  const [{ subject: run } = { subject: { id: '' } }] = await trail({ action: 'import.undone' });
  const stored = () =>
    inDatabase(service, async (db) => {
      const names = [
        'audit',
        'reviews',
        'complaints',
        'accounts',
        'tokens',
        'appeals',
        'reports',
        'importRuns',
        'news',
      ];
      return Promise.all(names.map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()));
    });
  const before = await stored();
  const moves: [RegExp, ...string[]][] = [
    [/is pending and cannot become removed/, 'review', 'remove', pending, '--reason', 'insult'],
    [/is pending: only a published one has a reply/, 'review', 'reply', pending, '--content', 'Thank you.'],
    [/has no flag/, 'review', 'flag', pending, '--remove'],
    [/is received and cannot become resolved/, 'complaint', 'resolve', received, '--outcome', 'refunded'],
    [/is not blocked/, 'account', 'unblock', `${MARK}@third.example`],
    [/No live token/, 'token', 'revoke', token.id],
    [/No live token/, 'token', 'rotate', token.id],
    [/is decided: reversed/, 'appeal', 'decide', appeal.id, 'confirm', '--note', 'Again.'],
    [/was undone on/, 'import', 'undo', run.id, '--yes', run.id],
    [/There is no news item/, 'news', 'remove', 'nothing', '--reason', 'rights'],
  ];
  for (const [why, ...args] of moves) expect(await refused(...args)).toMatch(why);
  expect(await stored()).toEqual(before);
});
