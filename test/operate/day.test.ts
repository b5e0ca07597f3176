import { join } from 'node:path';
import type { SubmittedReview } from '@broker-transparency/client';
import { BrokerDetail, recomputeScore } from '@broker-transparency/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StoryDay, storyDay } from '../support/calendar.ts';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { type FeedServer, type Item, rss, startFeedServer } from '../support/hostile-feeds.ts';
import { send } from '../support/http.ts';
import { fetchCounts, readRefusal } from '../support/moderation.ts';
import { expectProblem } from '../support/problem.ts';
import { runCli, type Settings } from '../support/process.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { databaseName, dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';
import { buildComplaint, buildReview } from '../support/submissions.ts';
import { expectEntry, readTrail } from '../support/trail.ts';
import { until } from '../support/until.ts';
import { webhookHeaders, webhookSecret } from '../support/webhook.ts';

const SLUGS = ['alpha-fx', 'beta-trade', 'gamma-markets'];
const SECRET = webhookSecret(7);
const trail = readTrail();

let scratch: Scratch;
let feeds: FeedServer;
let settings: Settings;
const database = newSharedDatabase();
/** The database that the backup is restored into. */
const otherDatabase = newSharedDatabase();
let day: StoryDay;
let service: LocalService;

beforeAll(async () => {
  [scratch, feeds] = await Promise.all([createScratch(), startFeedServer()]);
  const feed = { url: `${feeds.origin}/feed`, source: 'Example Gazette', language: 'en', category: 'market' };
  settings = {
    DATA_DIR: join(scratch.path, 'data'),
    MONGODB_URL: database,
    KYC_WEBHOOK_SECRETS: SECRET,
    NEWS_FEEDS: await scratch.write('feeds.json', JSON.stringify([feed])),
    NEWS_FEEDS_PORTS: String(feeds.port),
    NEWS_FEEDS_ALLOW_LOOPBACK: 'true',
  };
});
afterAll(async () => {
  await service?.close();
  for (const one of [database, otherDatabase]) await dropSharedDatabase(one);
  await feeds?.close();
  await scratch?.remove();
});

/** Runs a day of the story: starts the service with its clock on that day, and stops it in the evening. */
const on = async (date: string, work: () => Promise<void>): Promise<void> => {
  day = storyDay(date);
  service = await startService({ ...settings, CLOCK: day.clock });
  await work();
  await service.close();
};

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();
const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await cli(...args, '--json'));

/** The public view of a broker: its score with its parts, its reviews and its complaints. */
const shown = async (slug: string) => {
  const { score, color, ratingSummary, complaintSummary, licenses } = await service.client().brokers.get(slug);
  const part = (key: string) => score.components.find((component) => component.key === key)?.score;
  return {
    value: score.value,
    raw: score.rawValue,
    color,
    caps: score.caps.map(({ code }) => code),
    regulation: part('regulation'),
    longevity: part('longevity'),
    stars: part('userRating'),
    complaints: part('complaints'),
    reviews: ratingSummary.count,
    average: ratingSummary.average,
    complaintSummary,
    license: licenses[0]?.status,
  };
};

type PublicView = Partial<Awaited<ReturnType<typeof shown>>>;

/** Expects a public view. */
const expectShown = async (slug: string, expected: PublicView): Promise<void> => {
  await service.settle();
  expect(await shown(slug), slug).toMatchObject(expected);
};

type ExpectedEntry = ReturnType<typeof expectEntry>;
const byAction = (a: { did: string }, b: { did: string }): number => a.did.localeCompare(b.did);

/** Entries of one transaction, whose order does not matter. */
const together = (...entries: readonly ExpectedEntry[]): ExpectedEntry[] => entries.toSorted(byAction);

/** Expects exactly these audit entries since the last call, in this order. */
const expectNoted = async (...noted: readonly (ExpectedEntry | ExpectedEntry[])[]): Promise<void> => {
  const fresh = await trail.next(service);
  let from = 0;
  const ordered = noted.flatMap((group) => {
    const part = fresh.slice(from, from + [group].flat().length);
    from += part.length;
    return part.toSorted(byAction);
  });
  expect([...ordered, ...fresh.slice(from)]).toMatchObject(noted.flat());
};

/**
 * Expects these audit entries. Also expects every document and count to follow from the facts, and every score from the
 * published answer alone.
 */
const expectSound = async (...noted: readonly (ExpectedEntry | ExpectedEntry[])[]): Promise<void> => {
  await service.settle();
  const [rebuilt, recounted, reviews] = await Promise.all([
    json('admin', 'rebuild', '--check'),
    cli('admin', 'moderation', 'recount', '--check'),
    publicReviews(),
  ]);
  expect(rebuilt).toMatchObject({ compared: 3, different: [] });
  expect(recounted).toBe(`${reviews.length > 0 ? 1 : 0} brokers compared, 0 different.`);
  for (const slug of SLUGS) {
    const broker = BrokerDetail.parse(await service.client().brokers.get(slug));
    expect(recomputeScore(broker), slug).toEqual(broker.score);
  }
  await expectNoted(...noted);
};

const RUN = expect.stringMatching(/^import [0-9a-f]{12}$/);
const ANY_NEWS = expect.stringMatching(/^news /);

// 1. Brokers

/**
 * Alpha and Beta have held one authorisation of ASIC, tier 1, for ten years: 3652 days. Nothing else is known of them:
 * .40·75 + .25·50 (no reviews: 3 stars) + .15·100 (no complaints) + .10·0 + .10·(100·ln(1 + 3652/365.25)/ln 21) = 30 +
 * 12.5 + 15 + 0 + 7.875687785 = 65.375687785.
 */
const UNTOUCHED: PublicView = {
  value: 65.4,
  raw: 65.375687785,
  color: 'yellow',
  caps: ['fewReviews'],
  regulation: 75,
  stars: 50,
  complaints: 100,
  longevity: 78.756877848,
};

const importBrokers = async (): Promise<void> => {
  await trail.next(service);
  const licensed = (slug: string, name: string, referenceNumber: string, over = {}, broker = {}) =>
    brokerRow(slug, {
      name,
      country: 'AU',
      licenses: [licenseRow(`${slug} Ltd`, 'asic', { referenceNumber, activeSince: '2016-03-01', ...over })],
      ...broker,
    });
  await importRows(service, 'brokers', [
    licensed('alpha-fx', 'Alpha FX', '218600'),
    licensed('beta-trade', 'Beta Trade', '246566'),
    licensed(
      'gamma-markets',
      'Gamma Markets',
      '391441',
      { status: 'pending', activeSince: undefined },
      { licensesCheckedAt: null },
    ),
  ]);
  await expectShown('alpha-fx', UNTOUCHED);
  await expectShown('beta-trade', UNTOUCHED);
  await expectShown('gamma-markets', { value: null, color: 'gray', regulation: 0, longevity: 0 });
  await expectSound(
    expectEntry('operator:system', 'import.started', RUN, undefined, { what: 'brokers', rows: 3 }),
    ...SLUGS.map((slug, index) => {
      const license = `licenses.asic ${['218600', '246566', '391441'][index]} ${slug} Ltd.status`;
      const status = slug === 'gamma-markets' ? 'pending' : 'active';
      return expectEntry('operator:system', 'broker.imported', `broker ${slug}`, undefined, { [license]: status });
    }),
  );
};

// 2. Licences

const HEADER = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS';
const register = (name: string, betaStatus: string): Promise<string> =>
  scratch.write(
    name,
    [
      HEADER,
      'AFS Licence,218600,ALPHA-FX LIMITED,,01/03/2016,APPR',
      `AFS Licence,246566,BETA-TRADE LIMITED,,01/03/2016,${betaStatus}`,
      'AFS Licence,391441,GAMMA-MARKETS LIMITED,,01/03/2024,APPR',
      '',
    ].join('\r\n'),
  );
const licenseNews = async (title: string) =>
  (await service.client().news.list({ limit: 100 })).data.filter((item) => item.title === title);
/** The register was looked at, which counts for its regulator. */
const verified = expectEntry('operator:maria', 'regulator.verified', 'regulator asic');

const checked = (slug: string, before: string, after: string) =>
  expectEntry('operator:maria', 'license.checked', `broker ${slug}`, { status: before }, { status: after });

const checkLicenses = async (): Promise<void> => {
  const check = ['license', 'check', '--register', 'asic', await register('asic-1.csv', 'SUSP'), '--least', '1'];
  const day1 = ['--as-of', '2026-02-27'];
  const { findings } = await json<{ findings: { broker: string; change: string }[] }>(...check, ...day1);
  expect(findings.map(({ broker, change }) => [broker, change])).toEqual([
    ['alpha-fx', ''],
    ['beta-trade', 'suspended'],
    ['gamma-markets', 'granted'],
  ]);
  expect(await shown('beta-trade')).toMatchObject({ ...UNTOUCHED, license: 'active' });
  await expectNoted();

  await cli(...check, ...day1, '--apply', '--actor', 'maria');
  await expectShown('alpha-fx', { ...UNTOUCHED, license: 'active' });
  // Without a licence that counts, only 12.5 for the prior of reviews and 15 for no complaints remain.
  await expectShown('beta-trade', {
    value: 27.5,
    raw: 27.5,
    color: 'red',
    license: 'suspended',
    caps: ['noScoringLicense', 'fewReviews'],
    regulation: 0,
    longevity: 0,
  });
  // 730 days: 30 + 12.5 + 15 + .10·(100·ln(1 + 730/365.25)/ln 21) = 57.5 + 3.606988941
  await expectShown('gamma-markets', {
    value: 61.1,
    raw: 61.106988941,
    color: 'yellow',
    license: 'active',
    regulation: 75,
    longevity: 36.069889405,
  });
  expect(await licenseNews('Beta Trade: ASIC licence 246566 suspended')).toMatchObject([
    { category: 'license_change', severity: 'serious', brokerSlugs: ['beta-trade'], regulatorCodes: ['asic'] },
  ]);
  await expectSound(
    expectEntry('operator:maria', 'import.started', RUN, undefined, { what: 'licenses' }),
    checked('alpha-fx', 'active', 'active'),
    together(checked('beta-trade', 'active', 'suspended'), expectEntry('operator:maria', 'news.imported', ANY_NEWS)),
    checked('gamma-markets', 'pending', 'active'),
    verified,
  );
};

/** 3657 days since 2016-03-01: 30 + 12.5 + 15 + 7.879773347. */
const findLicenseReinstated = async (): Promise<void> => {
  const file = await register('asic-2.csv', '');
  const check = ['license', 'check', '--register', 'asic', file, '--as-of', '2026-03-05', '--least', '1', '--apply'];
  await cli(...check, '--actor', 'maria');
  await expectShown('beta-trade', { value: 65.4, raw: 65.379773347, caps: ['fewReviews'], license: 'active' });
  expect(await licenseNews('Beta Trade: ASIC licence 246566 reinstated')).toMatchObject([{ severity: 'info' }]);
  await expectNoted(
    expectEntry('operator:maria', 'import.started', RUN, undefined, { what: 'licenses' }),
    checked('alpha-fx', 'active', 'active'),
    together(checked('beta-trade', 'suspended', 'active'), expectEntry('operator:maria', 'news.imported', ANY_NEWS)),
    checked('gamma-markets', 'active', 'active'),
    verified,
  );
};

// 3. News

const ALPHA_ITEM: Item = {
  title: 'Alpha FX opens an office in Sydney',
  link: 'https://gazette.example/1',
  guid: 'gazette-1',
  date: 'Sun, 01 Mar 2026 08:00:00 GMT',
  description: 'It will employ ten people.',
};
const BETA_ITEM: Item = {
  title: 'Court fines broker',
  link: 'https://gazette.example/2',
  guid: 'gazette-2',
  date: 'Thu, 05 Mar 2026 08:00:00 GMT',
  description: 'The owner of beta-trade.example has to pay.',
};
const gazette = async () =>
  (await service.client().news.list({ limit: 100 })).data
    .filter(({ source }) => source === 'Example Gazette')
    .map(({ title, brokerSlugs }) => [title, brokerSlugs]);
const taken = (by: string) => expectEntry(by, 'news.taken', ANY_NEWS, undefined, { feed: `${feeds.origin}/feed` });

const pullNews = async (): Promise<void> => {
  feeds.serve('/feed', rss([ALPHA_ITEM, BETA_ITEM]));
  expect(await json('news', 'pull', '--actor', 'nadia')).toMatchObject([{ taken: 1, known: 0, waiting: 1 }]);
  await service.settle();
  expect(await gazette()).toEqual([[ALPHA_ITEM.title, ['alpha-fx']]]);
  expect(await json('news', 'pull', '--actor', 'nadia')).toMatchObject([{ taken: 0, known: 1, waiting: 1 }]);
  await expectNoted(taken('operator:nadia'));
};

/** The publication date of the second item has come. */
const pullNewsByJob = async (): Promise<void> => {
  for (let run = 0; run < 2; run++) await cli('admin', 'job', 'run', 'news-pull', '--actor', 'cron');
  await service.settle();
  expect(await gazette()).toEqual([
    [BETA_ITEM.title, ['beta-trade']],
    [ALPHA_ITEM.title, ['alpha-fx']],
  ]);
  await expectNoted(taken('operator:cron'));
};

// 4. Reviews

const tokens = new Map<string, string>();
const client = (person: string) => service.client(tokens.get(person));

const verifyByWebhook = async (subject: string): Promise<void> => {
  const at = day.now();
  const data = { subject, status: 'verified', provider: 'acme', personReference: `p-${subject}` };
  const body = JSON.stringify({ type: 'kyc.updated', data: { ...data, occurredAt: at.toISOString() } });
  const headers = webhookHeaders(SECRET, `msg-${subject}`, at, body);
  const answer = await send(`${service.origin}/webhooks/kyc`, { body, headers });
  expect([answer.status, answer.json()]).toEqual([200, { outcome: 'applied' }]);
  await nameAccount(subject);
};
const giveToken = async (subject: string): Promise<void> => {
  const scopes = 'reviews:write,complaints:write,account:read,account:write';
  const made = await json<{ token: string; id: string }>('token', 'create', '--subject', subject, '--scope', scopes);
  tokens.set(subject, made.token);
  trail.name(made.id, `of-${subject}`);
  await nameAccount(subject);
};
const nameAccount = async (subject: string): Promise<void> => {
  const account = await inDatabase(service, (db) => db.collection('accounts').findOne({ subject }));
  trail.name(String(account?._id), subject);
};
const submit = async (person: string, rating: number, title: string): Promise<SubmittedReview> => {
  const content = `${title}: that is what ${person} has to say about the withdrawals of this year.`;
  const review = await client(person).reviews.create(buildReview('alpha-fx', { rating, title, content }));
  expect(review.status).toBe('pending');
  trail.name(review.id, `of-${person}`);
  return review;
};
const own = async (person: string) =>
  (await send(`${service.origin}/account/v1/reviews`, { token: tokens.get(person) })).json<{ data: unknown[] }>().data;
const publicReviews = async () =>
  (await service.client().reviews.list({ broker: 'alpha-fx' })).data.map(({ rating, title }) => [rating, title]);

const kyc = (person: string) =>
  expectEntry('system:kyc-webhook', 'account.kyc', `account ${person}`, { status: 'none' }, { status: 'verified' });
const tokenMade = (person: string) => expectEntry('operator:system', 'token.created', `token of-${person}`);
const submitted = (person: string) =>
  expectEntry(`account:${person}`, 'review.submitted', `review of-${person}`, undefined, { status: 'pending' });
const decided = (by: string, person: string, before: string, after: string) =>
  expectEntry(`operator:${by}`, `review.${after}`, `review of-${person}`, { status: before }, { status: after });

const publishReviewOfVerifiedPerson = async (): Promise<void> => {
  await giveToken('ana');
  const refused = await send(`${service.baseUrl}/reviews`, {
    token: tokens.get('ana'),
    body: buildReview('alpha-fx'),
  });
  expect(expectProblem(refused)).toMatchObject({ status: 403, code: 'kyc_required' });
  await verifyByWebhook('ana');
  const { id } = await submit('ana', 5, 'Always paid out');
  expect(await publicReviews()).toEqual([]);
  expect(await json('review', 'next', '--actor', 'mia')).toMatchObject({ id, claim: { by: 'mia' } });
  expect(readRefusal(await service.cli('review', 'publish', id, '--actor', 'noah'))).toContain('is claimed by mia');
  expect(await fetchCounts(service, 'alpha-fx')).toMatchObject({ reviews: { received: 1, pending: 1, published: 0 } });
  await cli('review', 'publish', id, '--actor', 'mia');
  // B = (10·3 + 5)/(10 + 1) stars, of which (B − 1)/4 = 54.545454545 %: 1.136363636 points more than without
  await expectShown('alpha-fx', { value: 66.5, raw: 66.512051421, stars: 54.545454545, reviews: 1, average: 5 });
  expect(await publicReviews()).toEqual([[5, 'Always paid out']]);
  expect(await fetchCounts(service, 'alpha-fx')).toMatchObject({ reviews: { received: 1, pending: 0, published: 1 } });
  await expectSound(
    expectEntry('operator:system', 'account.created', 'account ana'),
    tokenMade('ana'),
    kyc('ana'),
    submitted('ana'),
    expectEntry('operator:mia', 'review.claimed', 'review of-ana'),
    decided('mia', 'ana', 'pending', 'published'),
  );
};

const FACTS = 'The second line tells of another company.';

const rejectReviews = async (): Promise<void> => {
  for (const person of ['ben', 'carol']) {
    await verifyByWebhook(person);
    await giveToken(person);
  }
  const [ofBen, ofCarol] = [await submit('ben', 2, 'Slow'), await submit('carol', 5, 'Use my code')];
  const reject = (id: string, reason: string, ...more: string[]) =>
    cli('review', 'reject', id, '--reason', reason, '--actor', 'mia', ...more);
  await reject(ofBen.id, 'off_topic', '--note', FACTS);
  await reject(ofCarol.id, 'advertising');
  expect(await own('ben')).toMatchObject([
    {
      id: ofBen.id,
      status: 'rejected',
      appeal: null,
      decision: { decision: 'reject', statement: { facts: FACTS, reasonCode: 'off_topic', automatedMeans: false } },
    },
  ]);
  expect(await publicReviews()).toEqual([[5, 'Always paid out']]);
  await expectShown('alpha-fx', { value: 66.5, reviews: 1 });
  expect(await fetchCounts(service, 'alpha-fx')).toMatchObject({
    reviews: { received: 3, pending: 0, published: 1, rejected: { off_topic: 1, advertising: 1 } },
  });
  const arrived = (person: string) => [
    expectEntry('system:kyc-webhook', 'account.created', `account ${person}`),
    kyc(person),
    tokenMade(person),
  ];
  await expectNoted(
    ...arrived('ben'),
    ...arrived('carol'),
    submitted('ben'),
    submitted('carol'),
    decided('mia', 'ben', 'pending', 'rejected'),
    decided('mia', 'carol', 'pending', 'rejected'),
  );
};

const decideAppeal = async (): Promise<void> => {
  const [rejected] = (await own('ben')) as { id: string }[];
  const url = `${service.origin}/account/v1/reviews/${rejected?.id}/appeal`;
  const answer = await send(url, {
    token: tokens.get('ben'),
    body: { text: 'It is the same company: see its imprint.' },
  });
  expect(answer.status, answer.text).toBe(201);
  const { id } = answer.json<{ id: string }>();
  trail.name(id, 'of-ben');
  const decide = ['appeal', 'decide', id, 'reverse', '--note', 'The imprint says so.', '--actor'];
  expect(readRefusal(await service.cli(...decide, 'mia'))).toContain('somebody else has to decide');
  await cli(...decide, 'noah');
  // B = (10·3 + 5 + 2)/(10 + 2)
  await expectShown('alpha-fx', { value: 65.9, raw: 65.896521118, stars: 52.083333333, reviews: 2, average: 3.5 });
  expect((await publicReviews()).toSorted()).toEqual([
    [2, 'Slow'],
    [5, 'Always paid out'],
  ]);
  expect(await own('ben')).toMatchObject([{ status: 'published', appeal: { outcome: 'reversed' } }]);
  expect(await fetchCounts(service, 'alpha-fx')).toMatchObject({
    reviews: { received: 3, published: 2, rejected: { off_topic: 0, advertising: 1 } },
    appeals: { received: 1, open: 0, reversed: 1 },
  });
  await expectSound(
    expectEntry('account:ben', 'appeal.received', 'appeal of-ben'),
    together(
      decided('noah', 'ben', 'rejected', 'published'),
      expectEntry('operator:noah', 'appeal.decided', 'appeal of-ben', { status: 'open' }, { outcome: 'reversed' }),
    ),
  );
};

// 5. Complaints

const references = new Map<string, string>();
const complaint = (move: string, person: string, ...more: string[]) =>
  cli('complaint', move, references.get(person) as string, ...more, '--actor', 'olga');
const moved = (person: string, before: object, status: string, by = 'operator:olga') =>
  expectEntry(by, `complaint.${status}`, `complaint of-${person}`, before, { status });
const clocks = () => cli('admin', 'job', 'run', 'complaint-clocks', '--actor', 'cron');

/** Ana's complaint is about Alpha, Carol's about Beta. Neither affects the score until one is overdue or closed. */
const forwardComplaints = async (): Promise<void> => {
  const about = { ana: 'alpha-fx', carol: 'beta-trade' };
  for (const [person, broker] of Object.entries(about)) {
    const { reference, status } = await client(person).complaints.create(buildComplaint(broker));
    expect(status).toBe('received');
    references.set(person, reference);
    trail.name(reference, `of-${person}`);
    await complaint('screen', person);
    await complaint('forward', person);
    await expectShown(broker, {
      complaints: 100,
      complaintSummary: expect.objectContaining({ open: 1, overdue: 0, closed: 0 }),
    });
  }
  await expectSound(
    ...Object.keys(about).flatMap((person) => [
      expectEntry(`account:${person}`, 'complaint.submitted', `complaint of-${person}`, undefined, {
        status: 'received',
      }),
      moved(person, { status: 'received' }, 'screening'),
      moved(person, { status: 'screening' }, 'forwarded'),
    ]),
  );
};

const resolveComplaint = async (): Promise<void> => {
  await complaint('answer', 'ana', '--text', 'We have paid.');
  await complaint('resolve', 'ana', '--outcome', 'refunded');
  // 100·(.7·(1 + 4)/(1 + 4) + .3·(1 + 4)/(1 + 4)); reviews are five days old: w = 2^(−5/365), B = (30 + 7w)/(10 + 2w);
  // 3657 days of supervision: 30 + 13.016725201 + 15 + 7.879773347
  await expectShown('alpha-fx', {
    value: 65.9,
    raw: 65.896498548,
    complaints: 100,
    stars: 52.066900802,
    longevity: 78.797733471,
    complaintSummary: {
      open: 0,
      overdue: 0,
      closed: 1,
      resolvedRate: 1,
      timelyRate: 1,
      medianResponseDays: 5,
    },
  });
  await expectSound(
    moved('ana', { status: 'forwarded' }, 'responded'),
    moved('ana', { status: 'responded' }, 'resolved'),
  );
};

/**
 * One complaint is closed or overdue, none is resolved, none was in time: 100·(.7·4/5 + .3·4/5) = 80, three points
 * less.
 */
const findComplaintOverdue = async (): Promise<void> => {
  for (let run = 0; run < 2; run++) await clocks();
  await expectShown('beta-trade', {
    value: 62.4,
    raw: 62.388743736,
    complaints: 80,
    longevity: 78.887437358,
    complaintSummary: {
      open: 0,
      overdue: 1,
      closed: 0,
      resolvedRate: null,
      timelyRate: null,
      medianResponseDays: null,
    },
  });
  await expectSound(
    together(
      expectEntry('operator:cron', 'complaint.overdue', 'complaint of-carol', { overdue: false }, { overdue: true }),
      expectEntry('operator:cron', 'complaint.reminded', 'complaint of-carol', { day: null }, { day: 15 }),
    ),
  );
};

/** The complaint ends as it was already counted. Only the longer supervision changes the score. */
const findComplaintUnresolved = async (): Promise<void> => {
  await clocks();
  await expectShown('beta-trade', {
    value: 62.4,
    raw: 62.425187784,
    complaints: 80,
    longevity: 79.251877842,
    complaintSummary: {
      open: 0,
      overdue: 0,
      closed: 1,
      resolvedRate: 0,
      timelyRate: 0,
      medianResponseDays: null,
    },
  });
  await expectSound(moved('carol', { status: 'forwarded' }, 'unresolved', 'operator:cron'));
};

// 6. Backup, erasure, restore

const PUBLIC = [
  ...['/brokers', ...SLUGS.map((slug) => `/brokers/${slug}`), '/regulators', '/regulators/asic', '/news'].map(
    (path) => `/api/v1${path}`,
  ),
  '/api/v1/reviews?broker=alpha-fx',
  '/api/v1/search?q=alpha',
  '/transparency/v1/moderation/alpha-fx',
];
/** Asks again after a 503, as a client does. */
const publicAnswer = (path: string): Promise<string> =>
  until(`${path} is answered`, 10_000, async () => {
    const { status, text } = await send(`${service.origin}${path}`);
    return status !== 503 && text;
  });
const publicAnswers = async (): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(PUBLIC.map(async (path) => [path, await publicAnswer(path)])));

let answers: Record<string, string>;

const backUp = async (): Promise<void> => {
  answers = await publicAnswers();
  await cli('backup', join(scratch.path, 'backup'), '--actor', 'nadia');
  await expectNoted(expectEntry('operator:nadia', 'backup.made', `database ${databaseName(database)}`));
};

/** Alpha without Ben's review, two months later: w = 2^(−61/365), B = (30 + 5w)/(10 + w), 3713 days of supervision. */
const WITHOUT_BEN: PublicView = { value: 66.4, raw: 66.447417293, stars: 54.088918037, reviews: 1, average: 5 };

const eraseBen = async (): Promise<void> => {
  await cli('account', 'erase', 'ben', '--yes', 'ben', '--reason', 'requested', '--actor', 'olga');
  await expectShown('alpha-fx', WITHOUT_BEN);
  expect(await publicReviews()).toEqual([[5, 'Always paid out']]);
  expect(await fetchCounts(service, 'alpha-fx')).toMatchObject({
    reviews: { received: 2, published: 1, rejected: { off_topic: 0, advertising: 1 } },
    appeals: { received: 0, open: 0, reversed: 0 },
  });
  const refused = await send(`${service.baseUrl}/reviews`, { token: tokens.get('ben'), body: buildReview('alpha-fx') });
  expect(expectProblem(refused).code).toBe('invalid_token');
  await expectSound(
    together(
      expectEntry('operator:olga', 'appeal.erased', 'appeal of-ben', { status: 'decided' }),
      expectEntry('operator:olga', 'review.erased', 'review of-ben', { status: 'published' }),
      expectEntry('operator:olga', 'account.erased', 'account ben', { erased: false }, { erased: true, reviews: 1 }),
    ),
  );
};

/**
 * Without the list of erasures, the restored backup shows what was public when it was made. The list then erases Ben
 * again.
 */
const restoreElsewhere = async (): Promise<void> => {
  const ERASURE_LIST = join(settings['DATA_DIR'] as string, 'erasures.ndjson');
  settings = { ...settings, DATA_DIR: join(scratch.path, 'elsewhere'), MONGODB_URL: otherDatabase };
  const elsewhere = { ...settings, CLOCK: storyDay('2026-05-01').clock };
  const restore = ['restore', join(scratch.path, 'backup'), '--actor', 'nadia'];
  const stopped = await runCli(restore, elsewhere);
  expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('may be missing')]);
  succeeded(await runCli([...restore, '--accept-lost-erasures'], elsewhere));
  await on('2026-05-01', async () => {
    const restored = await publicAnswers();
    for (const path of PUBLIC) expect(restored[path], path).toBe(answers[path]);
    await expectSound(expectEntry('operator:nadia', 'backup.restored', `database ${databaseName(otherDatabase)}`));
    succeeded(await runCli(['account', 'erase', '--replay', '--actor', 'olga'], { ...elsewhere, ERASURE_LIST }));
    await expectShown('alpha-fx', WITHOUT_BEN);
    await expectSound(
      together(
        expectEntry('operator:olga', 'appeal.erased', 'appeal of-ben'),
        expectEntry('operator:olga', 'review.erased', 'review of-ben'),
        expectEntry('operator:olga', 'account.erased_again', 'account ben'),
      ),
    );
  });
};

test('a day in the life of the service, and its effects over two months', async () => {
  await on('2026-03-01', async () => {
    await importBrokers();
    await checkLicenses();
    await pullNews();
    await publishReviewOfVerifiedPerson();
    await rejectReviews();
    await decideAppeal();
    await forwardComplaints();
  });
  await on('2026-03-06', async () => {
    await findLicenseReinstated();
    await pullNewsByJob();
    await resolveComplaint();
  });
  await on('2026-03-17', findComplaintOverdue);
  await on('2026-05-01', async () => {
    await findComplaintUnresolved();
    await backUp();
    await eraseBen();
  });
  await restoreElsewhere();
});
