import { writeFile } from 'node:fs/promises';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, succeeded } from '../support/filled-service.ts';
import { fetchCounts } from '../support/moderation.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Each test starts several processes, and the machine may be slow. */
let service: LocalService;
let scratch: Scratch;
const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args));
const runIn = (output: string): string => /import undo ([0-9a-f]{12})/.exec(output)?.[1] ?? '';
const broker = (slug: string) => getJson(service, `/brokers/${slug}`) as Promise<Document>;
const stored = (collection: string, filter: object = {}): Promise<Document[]> =>
  inDatabase(service, (db) => db.collection(collection).find(filter).sort({ importedAs: 1 }).toArray());

beforeAll(async () => {
  [service, scratch] = await Promise.all([startService({ LOG_LEVEL: 'error' }), createScratch()]);
  const rows = ['example-broker', 'other-broker'].map((slug) => brokerRow(slug));
  await cli('import', 'brokers', await scratch.ndjson('brokers.ndjson', rows));
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const REVIEW = {
  broker: 'example-broker',
  rating: 5,
  title: 'Paid out at once',
  content: 'I withdrew three times this year and the money came.',
  language: 'en',
  status: 'published',
  createdAt: '2026-03-02T09:30:00Z',
  publishedAt: '2026-03-03T10:00:00Z',
};
const review = (reference: string, over: object = {}) => ({
  ...REVIEW,
  reference,
  author: { subject: `former-${reference}`, displayName: `Reviewer ${reference}` },
  ...over,
});
const verification = (person: string) => ({ provider: 'acme', person, verifiedAt: '2026-01-01T00:00:00Z' });
const COMPLAINT = {
  broker: 'example-broker',
  category: 'withdrawal',
  title: 'Refused for a month',
  content: 'I asked for my balance and have had no answer.',
  consentToForward: true,
  complainant: { subject: 'former-x', contact: 'Zyxstreet 12' },
  createdAt: '2026-01-02T00:00:00Z',
};

describe('existing reviews', () => {
  const rows = [
    review('r1', {
      verification: verification('p1'),
      reply: { content: 'Thank you.', createdAt: '2026-03-04T00:00:00Z' },
    }),
    review('r2', { rating: 1 }),
    review('r3', { status: 'pending', publishedAt: undefined, verification: verification('p3') }),
    review('r4', { status: 'removed', reasonCode: 'insult' }),
  ];

  test('existing reviews keep their times and states, and only those of verified people count', async () => {
    const file = await scratch.ndjson('reviews.ndjson', rows);
    const dry = await cli('import', 'reviews', file, '--dry-run');
    expect(dry).toContain('4 reviews: 4 new, 0 changed, 0 unchanged. Nothing was written.');
    expect(await stored('reviews')).toEqual([]);
    const output = await cli('import', 'reviews', file, '--actor', 'maria');
    expect(output).toContain('4 reviews imported: 4 new');
    await until('it counts', 5000, async () => (await broker('example-broker'))['ratingsByMonth']?.length === 1);
    const { ratingsByMonth, recentReviews } = await broker('example-broker');
    expect(ratingsByMonth).toMatchObject([{ month: '2026-03', count: 1, sum: 500 }]);
    expect(recentReviews.map(({ rating }: Document) => rating)).toEqual([5]);
    const { data } = (await getJson(service, '/reviews?broker=example-broker')) as { data: Document[] };
    expect(
      data.map(({ rating, identityVerified, createdAt, publishedAt }) => [
        rating,
        identityVerified,
        createdAt,
        publishedAt,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [5, true, '2026-03-02T09:30:00.000Z', '2026-03-03T10:00:00.000Z'],
        [1, false, '2026-03-02T09:30:00.000Z', '2026-03-03T10:00:00.000Z'],
      ]),
    );
    expect(data).toHaveLength(2);
    expect((await fetchCounts(service, 'example-broker')).reviews).toMatchObject({
      received: 4,
      published: 2,
      pending: 1,
    });
    const states = await inDatabase(service, (db) => db.collection('recordEntries').find({ kind: 'review' }).toArray());
    expect(states.map(({ value }) => JSON.parse(value).state).sort()).toEqual(['published', 'removed', 'unverified']);
    expect(await cli('admin', 'rebuild', '--check')).not.toMatch(/differ(s|ent)? [1-9]/);
  });

  test('existing reviews are imported once, and a row that contradicts what was imported is refused', async () => {
    const again = await cli('import', 'reviews', await scratch.ndjson('again.ndjson', rows));
    expect(again).toContain('0 reviews imported: 0 new, 0 changed, 4 unchanged');
    const other = [
      review('r2', { rating: 2 }),
      review('r5', { author: { subject: 'former-r1', displayName: 'X' } }),
      review('r6', { verification: verification('p3') }),
      review('r7', { author: { subject: 'twice', displayName: 'X' } }),
      review('r8', { author: { subject: 'twice', displayName: 'X' } }),
      review('r9', { createdAt: '2099-01-01T00:00:00Z', publishedAt: '2099-01-02T00:00:00Z' }),
    ];
    const { code, stderr } = await service.cli('import', 'reviews', await scratch.ndjson('other.ndjson', other));
    expect(code).toBe(1);
    for (const line of [
      'line 1, column rating: "rating" differs from what was imported under this reference: undo that run first.',
      'line 2, column author.subject: The author has a review of this broker here',
      'line 3, column author.subject: The author has a review of this broker here',
      "line 5, column author.subject: The author's review on line 4 is of the same broker",
      'line 6, column createdAt: "createdAt" must not be in the future, not "2099-01-01T00:00:00Z".',
    ])
      expect(stderr).toContain(line);
  });

  test('existing reviews go with an undo, unless something was done about them here', async () => {
    const rowsOfOther = [
      review('u1', { broker: 'other-broker', verification: verification('p8') }),
      review('u2', { broker: 'other-broker', status: 'pending', publishedAt: undefined }),
    ];
    const output = await cli('import', 'reviews', await scratch.ndjson('undo.ndjson', rowsOfOther));
    await until('it counts', 5000, async () => (await broker('other-broker'))['ratingsByMonth']?.length === 1);
    const [, pending] = await stored('reviews', { importedAs: /^u/ });
    await cli('review', 'publish', String(pending?.['_id']), '--actor', 'ben');
    const refused = await service.cli('import', 'undo', runIn(output), '--yes', runIn(output));
    expect(refused.stderr).toMatch(/review "\w+" is not as run \w+ left it: review\.published on .* changed it/);
    await cli('review', 'remove', String(pending?.['_id']), '--reason', 'advertising', '--actor', 'ben');
    const second = await cli(
      'import',
      'reviews',
      await scratch.ndjson('undo2.ndjson', [
        review('v1', { broker: 'other-broker', verification: verification('p9') }),
      ]),
    );
    await cli('import', 'undo', runIn(second), '--yes', runIn(second), '--actor', 'maria');
    expect(await stored('reviews', { importedAs: 'v1' })).toEqual([]);
    await until(
      'it counts no more',
      5000,
      async () => (await broker('other-broker'))['ratingsByMonth']?.[0]?.count === 1,
    );
    expect((await fetchCounts(service, 'other-broker')).reviews.received).toBe(2);
    await cli('admin', 'rebuild', '--check');
  });
});

describe('existing complaints', () => {
  test('existing complaints take the steps of live ones, from a template, and are found by an erasure', async () => {
    const template = scratch.file('complaints.xlsx');
    expect(await cli('import', 'complaints', template, '--template')).toContain('has every column of complaints');
    const output = await cli('import', 'complaints', template, '--actor', 'maria');
    expect(output).toContain('1 complaints imported: 1 new');
    const [complaint] = await stored('complaints', { importedAs: '2001' });
    expect(complaint).toMatchObject({
      status: 'resolved',
      ending: 'refunded',
      kycVerified: false,
      forwardedAt: new Date('2025-10-06T09:00:00Z'),
      contact: '12 Example Street, Example Town',
    });
    await until('it counts', 5000, async () => (await broker('example-broker'))['complaintSummary']?.closed === 1);
    const wrong = [
      { ...COMPLAINT, reference: 'w1', status: 'forwarded' },
      { ...COMPLAINT, reference: 'w2', status: 'received', createdAt: '2099-01-01T00:00:00Z' },
    ];
    const refused = await service.cli('import', 'complaints', await scratch.ndjson('wrong.ndjson', wrong));
    expect(refused.stderr).toContain(
      'line 1, column forwardedAt: "forwardedAt" must be there for a complaint that is forwarded.',
    );
    expect(refused.stderr).toContain('line 2, column createdAt: "createdAt" must not be in the future');
    await cli('account', 'erase', 'person-2001', '--yes', 'person-2001', '--reason', 'requested');
    const [erased] = await stored('complaints', { importedAs: '2001' });
    expect(erased).toMatchObject({ status: 'resolved', erasedAt: expect.any(Date) });
    expect(JSON.stringify(erased)).not.toMatch(/Example Street|balance/);
    const back = { ...COMPLAINT, reference: '2002', status: 'received', complainant: { subject: 'person-2001' } };
    const refusedAgain = await service.cli('import', 'complaints', await scratch.ndjson('back.ndjson', [back]));
    expect(refusedAgain.stderr).toMatch(
      /column complainant\.subject: The person was erased on \d{4}-\d\d-\d\d: leave the row out\./,
    );
    await cli('import', 'undo', runIn(output), '--yes', runIn(output));
    expect(await stored('complaints', { importedAs: '2001' })).toHaveLength(1);
  });
});

describe('complaint add', () => {
  const args = (...more: string[]) => [
    ...['complaint', 'add', 'example-broker', '--category', 'withdrawal', '--title', 'Refused for a month'],
    ...['--text', 'I asked for my balance and have had no answer.', '--consent', 'yes'],
    ...['--received', '2026-10-05', '--channel', 'letter', '--contact', 'Zyxstreet 12', ...more],
  ];

  test('complaint add enters a complaint as of the day it came, and can be taken back', async () => {
    expect(await cli(...args('--dry-run'))).toBe('The complaint can be added. Nothing was written.\n');
    const output = await cli(...args('--amount', '250.00 EUR', '--reference', 'letter-7', '--actor', 'maria'));
    const [, reference = '', subject] =
      /Complaint (C-\w+) is received\. Its author has the subject (\S+)\. /.exec(output) ?? [];
    expect(subject).toBe('complainant:letter-7');
    const shown = JSON.parse(await cli('complaint', 'show', reference, '--json'));
    expect(shown).toMatchObject({
      status: 'received',
      createdAt: '2026-10-05T00:00:00.000Z',
      channel: 'letter',
      contact: 'Zyxstreet 12',
      kycVerified: false,
      amountInDispute: { amount: '250.00', currency: 'EUR' },
    });
    const twice = await service.cli(...args('--reference', 'letter-7'));
    expect([twice.code, twice.stderr]).toEqual([1, 'There is a complaint with the reference "letter-7".\n']);
    const future = await service.cli(...args('--received', '2099-01-01'));
    expect(future.stderr).toContain('"createdAt" must not be in the future');
    await cli('complaint', 'screen', reference);
    const refused = await service.cli('import', 'undo', runIn(output), '--yes', runIn(output));
    expect(refused.stderr).toMatch(/complaint "C-\w+" is not as run \w+ left it: complaint\.screening on/);
    const other = await cli(...args());
    await cli('import', 'undo', runIn(other), '--yes', runIn(other));
    expect(await stored('complaints', { title: 'Refused for a month' })).toHaveLength(1);
  });
});

test('templates and help say what a file has', async () => {
  await writeFile(scratch.file('taken.csv'), '');
  const taken = await service.cli('import', 'brokers', scratch.file('taken.csv'), '--template');
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('already: name a new one')]);
  expect(await cli('import', 'news', '--help')).toMatch(/\n {2}severity +text; one of info, notice, serious, critical/);
  expect((await service.cli('import', 'news')).code).toBe(2);
  const news = scratch.file('news.csv');
  await cli('import', 'news', news, '--template', 'csv');
  expect(await cli('import', 'news', news, '--dry-run')).toContain('1 news: 1 new');
  expect(await cli('audit', 'list', '--action', 'complaint.taken_back')).toContain('complaint:C-');
});
