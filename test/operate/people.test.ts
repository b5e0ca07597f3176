import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SCOPES } from '@broker-transparency/contract';
import type { Db, Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, getJson, importRows, post, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { fetchCounts } from '../support/moderation.ts';
import { untilLogged } from '../support/record.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Part of every text that the person wrote or received. */
const MARK = 'Zyxwalice';
/** The operator who handles it, and part of the operators' internal notes. */
const OPERATOR = 'Olgamoderator';
const NOTE = 'Entrenous';

let service: LocalService;
let carol: string;
let carolsReview: string;
let carolsAccount: string;
/** Everything that identifies alice: her subjects, ids and references. */
const names: string[] = [];
const accountIds: string[] = [];
let forwarded: string;
let received: string;

type Backup = Record<string, Document[]>;

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args));
const json = async (...args: string[]) => JSON.parse(await cli(...args, '--json'));

/** All collections but the one in which each process says every few seconds that it runs. */
const lasting = async (db: Db): Promise<string[]> =>
  (await db.listCollections().toArray()).map(({ name }) => name).filter((name) => name !== 'servers');

const dump = (): Promise<Backup> =>
  inDatabase(service, async (db) => {
    const backup: Backup = {};
    for (const name of await lasting(db)) backup[name] = await db.collection(name).find().toArray();
    return backup;
  });
/** Restores like mongorestore --drop, at one instant: the service runs, and must not see half of it. */
const restore = (backup: Backup): Promise<void> =>
  inDatabase(service, async (db) => {
    await untilLogged(db); // else the log could still take entries that it read before
    const collections = await lasting(db);
    await db.client.withSession((session) =>
      session.withTransaction(async () => {
        for (const name of collections) {
          await db.collection(name).deleteMany({}, { session });
          if (backup[name]?.length) await db.collection(name).insertMany(backup[name], { session });
        }
      }),
    );
  });
/** Documents of all collections that contain one of these words. */
const mentioning = (backup: Backup, words: readonly string[]): { collection: string; document: Document }[] =>
  Object.entries(backup).flatMap(([collection, documents]) =>
    documents
      .filter((document) => words.some((word) => JSON.stringify(document).includes(word)))
      .map((document) => ({ collection, document })),
  );

const created = async (path: string, token: string, body: unknown): Promise<Record<string, string>> => {
  const response = await post(service, path, token, body, { 'Idempotency-Key': `key-${names.length}-${path}` });
  const answer = (await response.json()) as Record<string, string>;
  expect([response.status, answer]).toEqual([201, expect.anything()]);
  return answer;
};
const review = async (token: string, broker: string, over = {}): Promise<string> => {
  const text = { title: `${MARK} title`, content: `${MARK} wrote that the money came within two days.` };
  const { id = '' } = await created('/reviews', token, reviewBody(broker, { ...text, ...over }));
  names.push(id);
  return id;
};
const complaint = async (token: string, broker: string, title: string): Promise<string> => {
  const text = { title: `${MARK} ${title}`, content: `${MARK} has had no answer to four messages in a month.` };
  const { reference = '' } = await created(
    '/complaints',
    token,
    complaintBody(broker, { ...text, desiredResolution: MARK }),
  );
  names.push(reference);
  return reference;
};
const totals = async () => {
  const { ratingSummary, ratingsByMonth, complaintSummary, recentReviews } = await service
    .client()
    .brokers.get('alpha');
  return { count: ratingSummary.count, months: ratingsByMonth.length, recent: recentReviews.length, complaintSummary };
};

const account = async (token: string, path: string, body: unknown): Promise<void> => {
  const { status, text } = await send(`${service.origin}/account/v1${path}`, { token, body });
  expect([status, text]).toEqual([201, expect.anything()]);
};

/** Creates everything that moderation stores: reports by alice, reports about her review, and notes of moderators. */
const becomeModerated = async (token: string): Promise<void> => {
  const id = await review(token, 'alpha', { rating: 1 });
  await cli('review', 'publish', id, '--note', MARK, '--actor', OPERATOR);
  await cli('review', 'flag', id, '--reason', 'off_topic', '--note', `${MARK} ${NOTE}`, '--actor', OPERATOR);
  const text = `${MARK} is not a customer, as far as anybody can tell.`;
  await account(carol, '/reports', { reviewId: id, reason: 'off_topic', text });
  await account(token, '/reports', { reviewId: carolsReview, reason: 'insult', text });
  const rejected = await review(token, 'gamma');
  await cli('review', 'reject', rejected, '--reason', 'off_topic', '--actor', OPERATOR);
  await account(token, `/reviews/${rejected}/appeal`, { text });
  const [appeal] = (await json('appeal', 'list')) as { id: string }[];
  await cli(
    'appeal',
    'decide',
    appeal?.id as string,
    'confirm',
    '--note',
    `${MARK}: it stands.`,
    '--actor',
    `${OPERATOR} II`,
  );
};

const becomeAlice = async (): Promise<void> => {
  for (const subject of ['alice@example.org', 'alice-again']) {
    const token = succeeded(
      await service.cli(
        'token',
        'create',
        '--subject',
        subject,
        '--name',
        `${MARK} M.`,
        '--scope',
        SCOPES.join(','),
        '--label',
        `${MARK} ${NOTE}`,
        '--actor',
        OPERATOR,
        '--quiet',
      ),
    ).trim();
    await cli('account', 'kyc', subject, 'verified', '--provider', 'acme', '--person', 'passport-1');
    if (subject === 'alice-again') await becomeModerated(token);
    else {
      await cli('review', 'claim', await review(token, 'beta'), '--actor', OPERATOR);
      received = await complaint(token, 'alpha', 'received');
      forwarded = await complaint(token, 'alpha', 'forwarded');
      await cli('complaint', 'screen', forwarded, '--actor', OPERATOR);
      await cli(
        'complaint',
        'evidence',
        forwarded,
        '--kind',
        'other',
        '--place',
        `${MARK} ${NOTE}`,
        '--note',
        `${MARK} ${NOTE}`,
      );
      await cli('complaint', 'forward', forwarded);
      await cli('complaint', 'answer', forwarded, '--text', `Dear ${MARK}`);
      await cli('complaint', 'resolve', forwarded, '--outcome', 'explained');
    }
  }
  const accounts = (await json('account', 'list')) as { id: string; subject: string }[];
  carolsAccount = accounts.find(({ subject }) => subject === 'carol')?.id as string;
  accountIds.push(...accounts.filter(({ subject }) => subject.startsWith('alice')).map(({ id }) => id));
  names.push('alice@example.org', 'alice-again', MARK, ...accountIds);
};

beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    ['alpha', 'beta', 'gamma'].map((slug) => brokerRow(slug)),
  );
  carol = await createToken(service, 'carol');
  carolsReview = await review(carol, 'alpha', { title: 'Of carol', content: 'A review by somebody else altogether.' });
  await cli('review', 'publish', carolsReview);
  names.length = 0;
  await becomeAlice();
  await service.settle();
  expect((await totals()).count).toBe(2);
});
afterAll(() => service?.remove());

test('an account is shown with the other accounts of its person', async () => {
  expect(await json('account', 'show', 'alice@example.org')).toMatchObject({
    subject: 'alice@example.org',
    samePerson: ['alice-again'],
    erasedAt: [],
    kyc: { status: 'verified' },
  });
});

describe('an export', () => {
  test('an export contains everything that names the person, and nothing about anybody else', async () => {
    const file = join(service.dataDir, 'alice.json');
    await cli('account', 'export', 'alice@example.org', '--out', file);
    const text = await readFile(file, 'utf8');
    const held = JSON.parse(text);
    expect(
      Object.fromEntries(Object.entries(held).map(([name, rows]) => [name, Array.isArray(rows) && rows.length])),
    ).toMatchObject({
      accounts: 2,
      tokens: 2,
      reviews: 3,
      complaints: 2,
      answers: 5,
      reports: 1,
      appeals: 1,
      decisions: 2,
      flags: 1,
    });
    const { brokers: _derived, recordEntries, recordTexts, ...facts } = await dump();
    const found = mentioning(facts, names).filter(({ document }) => document['action'] !== 'account.exported');
    expect(new Set(found.map(({ collection }) => collection))).toEqual(
      new Set([
        'accounts',
        'tokens',
        'reviews',
        'complaints',
        'idempotentAnswers',
        'audit',
        'moderationDecisions',
        'appeals',
        'reports',
        'reviewFlags',
      ]),
    );
    // carol's own reports belong to her
    for (const { collection, document } of found.filter(({ document }) => document['accountId'] !== carolsAccount))
      expect(text, `${collection} ${JSON.stringify(document)}`).toContain(
        JSON.stringify(String(collection === 'tokens' ? document['id'] : document['_id'])),
      );
    // the record has reviews by id, and their texts while they are public: the export has the reviews
    const recorded = mentioning({ recordEntries, recordTexts } as Backup, names);
    expect(recorded.length).toBeGreaterThan(0);
    for (const { document } of recorded) {
      const [kind, id] = String(document['key'] ?? document['_id']).split('/'); // texts have the key as their id
      expect([kind, text.includes(JSON.stringify(id))]).toEqual(['review', true]);
    }
    expect(text).not.toContain('Of carol');
    expect(text).not.toContain(carolsAccount);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await service.cli('account', 'export', 'alice@example.org', '--out', file)).code).toBe(1);
  });
});

describe('an export for the person', () => {
  let text: string;
  beforeAll(async () => {
    text = await cli('account', 'export', 'alice@example.org', '--actor', OPERATOR);
  });

  test('an export for the person has decisions with their reasons, and the outcome of an appeal', () => {
    const { decisions, appeals, complaints, flags } = JSON.parse(text);
    expect(decisions).toContainEqual(
      expect.objectContaining({ kind: 'reject', statement: expect.objectContaining({ reasonCode: 'off_topic' }) }),
    );
    expect(appeals).toMatchObject([{ outcome: 'confirmed', facts: `${MARK}: it stands.` }]);
    expect(flags).toMatchObject([{ reasonCode: 'off_topic' }]);
    expect(complaints).toContainEqual(
      expect.objectContaining({ evidence: [expect.objectContaining({ kind: 'other' })] }),
    );
  });

  test('an export for the person names no operator, and has no internal notes', async () => {
    const stored = JSON.stringify(await dump());
    for (const word of [OPERATOR, NOTE]) expect([word, stored.includes(word)]).toEqual([word, true]);
    for (const word of [OPERATOR, NOTE]) expect([word, text.includes(word)]).toEqual([word, false]);
  });
});

describe('refuses an erasure and changes nothing', () => {
  beforeAll(() => inDatabase(service, untilLogged)); // the log grows a moment after what was published

  test.each([
    [
      'an unknown subject',
      1,
      /No account has the subject "nobody"/,
      ['nobody', '--yes', 'nobody', '--reason', 'requested'],
    ],
    ['no reason', 2, /Add --reason/, ['alice@example.org']],
    ['an unknown reason', 2, /Allowed choices/, ['alice@example.org', '--reason', 'why not']],
    ['no consent', 2, /add --yes 'alice@example.org'/, ['alice@example.org', '--reason', 'requested']],
    ['no subject', 2, /Name the subject/, ['--reason', 'requested']],
    ['a subject with --replay', 2, /--replay takes no subject/, ['alice@example.org', '--replay']],
  ])('refuses an erasure with %s, and changes nothing', async (_, code, message, args) => {
    const before = await dump();
    const result = await service.cli('account', 'erase', ...args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await dump()).toEqual(before);
  });

  test('refuses an erasure if the list cannot be written, and changes nothing', async () => {
    const before = await dump();
    const settings = { ERASURE_LIST: '/sys/none/list' };
    const erase = ['account', 'erase', 'alice@example.org', '--yes', 'alice@example.org', '--reason', 'requested'];
    const { code, stderr } = await service.cliWith(settings, ...erase);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/nothing was erased.*Set ERASURE_LIST/)]);
    expect(await dump()).toEqual(before);
  });
});

/**
 * Expects that nothing names the person except ids in the audit trail and the record of the erasure, and the ids of
 * reviews in the record of what was published.
 */
const expectGone = async (): Promise<void> => {
  await service.settle();
  expect((await totals()).count).toBe(1);
  const after = await dump();
  const left = mentioning(
    after,
    names.filter((name) => name !== received && name !== forwarded),
  );
  expect(new Set(left.map(({ collection }) => collection))).toEqual(new Set(['audit', 'erasures', 'recordEntries']));
  expect(mentioning(after, [MARK, 'alice', 'passport'])).toEqual([]);
  const hashes = new Set(after['erasures']?.map(({ personHash }) => personHash));
  const { erasures: _, ...others } = after;
  expect(mentioning(others, [...hashes])).toEqual([]);
};

/** Expects the counts to remain: one resolved complaint, and one that never reached the broker. */
const expectCountsKept = async (before: Awaited<ReturnType<typeof totals>>): Promise<void> => {
  const { complaintSummary, ...reviews } = await totals();
  expect(reviews).toEqual({ count: 1, months: 1, recent: 1 });
  expect(complaintSummary).toEqual({ ...before.complaintSummary, open: before.complaintSummary.open - 1 });
  expect(await json('complaint', 'show', forwarded)).toMatchObject({ status: 'resolved', ending: 'explained' });
  expect(await json('complaint', 'show', received)).toMatchObject({ status: 'withdrawn', ending: 'person_erased' });
  expect(JSON.stringify(await getJson(service, '/reviews?broker=alpha'))).not.toContain(MARK);
  await cli('admin', 'rebuild', '--check');
  await cli('admin', 'moderation', 'recount', '--check');
  expect(await fetchCounts(service, 'alpha')).toMatchObject({
    reviews: { received: 1, published: 1 },
    reports: { received: 0 },
  });
  expect(await fetchCounts(service, 'gamma')).toMatchObject({ reviews: { received: 0 }, appeals: { received: 0 } });
};

test('erases a person from every collection, keeps them erased after a restore, and lets them return as somebody new', async () => {
  const [backup, before] = [await dump(), await totals()];
  const token = (await createToken(service, 'alice@example.org')).trim();
  const reports = await json(
    'account',
    'erase',
    'alice@example.org',
    '--yes',
    'alice@example.org',
    '--reason',
    'requested',
    '--actor',
    'olga',
  );
  expect(reports.map(({ accountId }: { accountId: string }) => accountId).sort()).toEqual(accountIds.toSorted());
  await expectGone();
  await expectCountsKept(before);
  expect((await post(service, '/complaints', token, complaintBody('alpha'))).status).toBe(401);
  const [entry] = await inDatabase(service, (db) =>
    db
      .collection('audit')
      .find({ action: 'account.erased', 'subject.id': accountIds[0] as string })
      .toArray(),
  );
  expect(entry).toMatchObject({
    actor: { type: 'operator', name: 'olga' },
    reason: 'requested',
    after: { erased: true, accounts: 3 },
  });
  expect(
    await cli('account', 'erase', 'alice@example.org', '--yes', 'alice@example.org', '--reason', 'requested'),
  ).toContain('nothing was left');

  await restore(backup);
  expect(mentioning(await dump(), [MARK]).length).toBeGreaterThan(5);
  const replayed = await json('account', 'erase', '--replay');
  expect(replayed).toMatchObject({ listed: 2, unreadable: [] });
  expect(replayed.again).toHaveLength(2);
  await expectGone();
  await expectCountsKept(before);

  const again = await createToken(service, 'alice@example.org');
  await cli('account', 'kyc', 'alice@example.org', 'verified', '--provider', 'acme', '--person', 'passport-1');
  await cli('review', 'publish', await review(again, 'alpha', { rating: 5 }));
  expect(await json('account', 'erase', '--replay')).toMatchObject({ listed: 2, again: [] });
  await service.settle();
  expect((await totals()).count).toBe(2);
  expect(await json('account', 'show', 'alice@example.org')).toMatchObject({ erasedAt: [expect.any(String)] });
  await cli('admin', 'rebuild', '--check');
});

test('the list and the database complete each other, and a truncated line in the list is named', async () => {
  const list = join(service.dataDir, 'erasures.ndjson');
  const lines = (await readFile(list, 'utf8')).split('\n').length;
  await appendFile(list, '{"accountId":"cut o');
  await createToken(service, 'dan');
  await cli('account', 'erase', 'dan', '--yes', 'dan', '--reason', 'fraud');
  const settings = { ERASURE_LIST: join(service.dataDir, 'copy', 'list.ndjson') };
  expect((await service.cliWith(settings, 'account', 'erase', '--replay')).stdout).toContain('3 erasures on the list');
  expect((await readFile(settings.ERASURE_LIST, 'utf8')).trim().split('\n')).toHaveLength(3);
  await inDatabase(service, (db) => db.collection('erasures').deleteMany({}));
  const { code, stdout, stderr } = await service.cli('account', 'erase', '--replay');
  expect(code).toBe(1);
  expect(stdout).toContain('3 erasures on the list');
  expect(stderr).toContain(`line ${lines} cannot be read`);
  expect(await inDatabase(service, (db) => db.collection('erasures').countDocuments())).toBe(3);
});

test('stores nothing that a person sends during their erasure', async () => {
  const token = await createToken(service, 'dora');
  const accounts = (await json('account', 'list')) as { id: string; subject: string }[];
  const id = accounts.find(({ subject }) => subject === 'dora')?.id as string;
  const statuses = new Set<number>();
  let erased = false;
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (!erased) {
      const { status } = await post(
        service,
        '/complaints',
        token,
        complaintBody('beta', { title: `Number ${sent++}` }),
      );
      if (status !== 503) statuses.add(status); // conflicts with the erasure; the caller may retry
    }
  };
  const senders = Promise.all([sender(), sender(), sender(), sender()]);
  await until('some came in', 60_000, async () => sent > 20);
  await cli('account', 'erase', 'dora', '--yes', 'dora', '--reason', 'requested');
  erased = true;
  await senders;
  expect([...statuses].sort()).toEqual([201, 401]);
  const left = mentioning(await dump(), [id]).map(({ collection }) => collection);
  expect(new Set(left)).toEqual(new Set(['audit', 'erasures']));
  await cli('admin', 'rebuild', '--check');
});

test('erases a person with too much for one transaction in several', async () => {
  await createToken(service, 'busy');
  const accounts = (await json('account', 'list')) as { id: string; subject: string }[];
  const accountId = accounts.find(({ subject }) => subject === 'busy')?.id;
  const rows = Array.from({ length: 1200 }, (_, n) => ({
    _id: `C-BUSY${n}`,
    broker: 'beta',
    accountId,
    kycVerified: true,
    status: n % 2 ? 'received' : 'resolved',
    category: 'other',
    title: MARK,
    content: MARK,
    consentToForward: true,
    createdAt: new Date(),
  }));
  await inDatabase(service, (db) => db.collection('complaints').insertMany(rows as never[]));
  const [report] = await json('account', 'erase', 'busy', '--yes', 'busy', '--reason', 'requested');
  expect(report.erased).toEqual({ accounts: 2, complaints: 1200 });
  const statuses = await inDatabase(service, (db) =>
    db
      .collection('complaints')
      .aggregate([{ $match: { _id: /^C-BUSY/ } }, { $sortByCount: '$status' }])
      .toArray(),
  );
  expect(Object.fromEntries(statuses.map(({ _id, count }) => [_id, count]))).toEqual({ withdrawn: 600, resolved: 600 });
  expect(mentioning(await dump(), [String(accountId)]).map(({ collection }) => collection)).not.toContain('complaints');
  await service.settle();
  expect((await service.client().brokers.get('beta')).complaintSummary.closed).toBe(600);
  await cli('admin', 'rebuild', '--check');
});
