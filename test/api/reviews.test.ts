import type { ReviewSubmission } from '@broker-transparency/client';
import { BrokerDetail, Review, recomputeScore, SubmittedReview } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { moderate, publishReviews } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import { buildReview } from '../support/submissions.ts';

/** Each test writes about its own broker. */
const BROKERS = ['life', 'rejected', 'removed', 'withdrawn', 'twice', 'person', 'pages', 'bounds', 'blank'];

let service: LocalService;
/** Tokens. alice, carol and dave are three verified people. `alice2` belongs to another account of alice's. */
let alice: string;
let alice2: string;
let carol: string;
let dave: string;
const accounts: string[] = [];

beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    BROKERS.map((slug) => brokerRow(slug)),
  );
  [alice, alice2] = await Promise.all([createToken(service, 'alice'), createToken(service, 'alice-again')]);
  [carol, dave] = await Promise.all([createToken(service, 'carol'), createToken(service, 'dave')]);
  for (const subject of ['alice', 'alice-again'])
    succeeded(
      await service.cli('account', 'kyc', subject, 'verified', '--provider', 'acme', '--person', 'passport-8831'),
    );
  const rows = JSON.parse(succeeded(await service.cli('token', 'list', '--json')));
  accounts.push(...rows.map((row: { accountId: string }) => row.accountId));
});
afterAll(() => service?.remove());

const submit = (token: string, broker: string, over: Partial<ReviewSubmission> = {}) =>
  service.client(token).reviews.create(buildReview(broker, over));
const listed = async (broker: string) => (await service.client().reviews.list({ broker, limit: 100 })).data;
const detail = (broker: string) => service.client().brokers.get(broker);

/** Expects every public view to show this number of reviews of a broker. */
const shows = async (broker: string, count: number): Promise<void> => {
  await service.settle();
  const { recentReviews, ratingSummary, ratingsByMonth } = await detail(broker);
  const counts = [
    (await listed(broker)).length,
    recentReviews.length,
    ratingSummary.count,
    ratingsByMonth.reduce((sum, month) => sum + month.count, 0),
  ];
  expect(counts).toEqual(Array(4).fill(count));
};

test('keeps a pending review invisible, and counts it everywhere once it is published', async () => {
  const before = await detail('life');
  const { broker, ...sent } = buildReview('life', { rating: 4.25, language: 'pt-BR' });
  const review = await submit(alice, broker, sent);
  expect(SubmittedReview.strict().parse(review)).toEqual(review);
  expect(review).toMatchObject({ ...sent, brokerSlug: broker, status: 'pending', identityVerified: true });
  expect(await listed('life')).toEqual([]);
  expect(await detail('life')).toEqual(before);

  await moderate(service, 'publish', review.id);
  await shows('life', 1);
  const [published] = await listed('life');
  const { status: _, ...kept } = review;
  expect(published).toEqual({ ...kept, publishedAt: expect.any(String) });
  expect(Review.strict().parse(published)).toEqual(published);
  const after = await detail('life');
  expect(after.recentReviews).toEqual([published]);
  expect(after.ratingSummary).toMatchObject({ average: 4.25, count: 1, distribution: { 4: 1 } });
  expect(after.score.rawValue).toBeGreaterThan(before.score.rawValue);
  expect(after.score.confidence.effectiveReviews).toBe(1);
  expect(recomputeScore(BrokerDetail.parse(after))).toEqual(after.score);
});

test('keeps a rejected review invisible and final, and lets its author write again', async () => {
  const before = await detail('rejected');
  const { id } = await submit(carol, 'rejected');
  await moderate(service, 'reject', id);
  expect(await listed('rejected')).toEqual([]);
  expect((await detail('rejected')).score).toEqual(before.score);
  for (const move of [['publish'], ['remove', '--reason', 'insult'], ['withdraw', '--reason', 'author_request']]) {
    const { code, stderr } = await service.cli('review', move[0] as string, id, ...move.slice(1));
    expect([code, stderr]).toEqual([1, expect.stringContaining('rejected')]);
  }
  expect((await submit(carol, 'rejected')).status).toBe('pending');
});

test.each(['removed', 'withdrawn'])(
  'drops a published review that is %s within a second, from the score too',
  async (broker) => {
    const move = broker === 'removed' ? 'remove' : 'withdraw';
    const before = await detail(broker);
    const [review] = await publishReviews(service, broker, [dave], { rating: 1 });
    await shows(broker, 1);
    expect((await detail(broker)).score.rawValue).toBeLessThan(before.score.rawValue);
    await moderate(service, move, String(review?.id));
    await shows(broker, 0);
    const { score, ratingSummary, ratingsByMonth } = await detail(broker);
    expect(ratingsByMonth).toEqual([]);
    expect(ratingSummary).toEqual(before.ratingSummary);
    expect(score.value).toBe(before.score.value);
    expect((await submit(dave, broker)).status).toBe('pending');
  },
);

describe('one person has one live review of a broker', () => {
  const exists = { code: 'review_exists', status: 409 };

  test('a person has one pending or published review of a broker; a withdrawn one does not count', async () => {
    const { id } = await submit(carol, 'twice');
    await expect(submit(carol, 'twice', { rating: 1 })).rejects.toMatchObject(exists);
    await moderate(service, 'withdraw', id);
    const second = await submit(carol, 'twice');
    await moderate(service, 'publish', second.id);
    await expect(submit(carol, 'twice')).rejects.toMatchObject(exists);
    expect((await submit(dave, 'twice')).status).toBe('pending');
  });

  test('a person has one review of a broker across two accounts, until it is rejected', async () => {
    const { id } = await submit(alice, 'person');
    await expect(submit(alice2, 'person')).rejects.toMatchObject(exists);
    await moderate(service, 'reject', id);
    expect((await submit(alice2, 'person')).status).toBe('pending');
    await expect(submit(alice, 'person')).rejects.toMatchObject(exists);
  });
});

test('neither skips nor repeats a review between pages while others are published', async () => {
  const [first, second] = await publishReviews(service, 'pages', [alice, carol]);
  const client = service.client();
  const page = await client.reviews.list({ broker: 'pages', limit: 1 });
  expect(page.data.map(({ id }) => id)).toEqual([second?.id]);
  await publishReviews(service, 'pages', [dave]);
  const cursor = String(page.pagination.nextCursor);
  const rest = await client.reviews.list({ broker: 'pages', limit: 1, cursor });
  expect(rest.data.map(({ id }) => id)).toEqual([first?.id]);
  expect(rest.pagination).toEqual({ limit: 1, nextCursor: null });
  const times = (await listed('pages')).map(({ publishedAt }) => publishedAt);
  expect(times).toHaveLength(3);
  expect(times).toEqual([...times].sort().reverse());
  // A cursor is a position in time, not in one broker's list, so another list accepts it.
  expect((await client.reviews.list({ broker: 'blank', cursor })).data).toEqual([]);
});

describe('GET /reviews', () => {
  test('returns an empty list for a broker without reviews', async () => {
    const answer = await service.client().reviews.list({ broker: 'blank' });
    expect(answer).toEqual({ data: [], pagination: { limit: 20, nextCursor: null } });
  });

  test('answers 404 for an unknown broker', async () => {
    const problem = expectProblem(await send(`${service.baseUrl}/reviews?broker=nobody`));
    expect(problem).toMatchObject({ code: 'broker_not_found', detail: expect.stringContaining('"nobody"') });
  });

  test.each([
    ['', 'broker', 'required'],
    ['broker=', 'broker', 'invalid_format'],
    ['broker=a&broker=b', 'broker', 'repeated'],
    ['broker=blank&limit=0', 'limit', 'too_small'],
    ['broker=blank&limit=101', 'limit', 'too_big'],
    ['broker=blank&cursor=abc', 'cursor', 'invalid_format'],
    ['broker=blank&status=pending', 'status', 'unknown'],
    ['brokr=blank', 'brokr', 'unknown'],
  ])('refuses GET /reviews?%s: %s %s', async (query, parameter, code) => {
    const problem = expectProblem(await send(`${service.baseUrl}/reviews?${query}`));
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors).toContainEqual(expect.objectContaining({ parameter, code }));
  });
});

test('no answer has an account, a subject or anything that identifies the person', async () => {
  const answers = [await send(`${service.baseUrl}/reviews`, { body: buildReview('bounds'), token: alice })];
  for (const slug of BROKERS)
    answers.push(
      await send(`${service.baseUrl}/reviews?broker=${slug}`),
      await send(`${service.baseUrl}/brokers/${slug}`),
    );
  expect(answers[0]?.status).toBe(201);
  const private_ = new RegExp(`accountId|personKey|passport|8831|alice|carol|dave|live|${accounts.join('|')}`);
  expect(accounts).toHaveLength(4);
  for (const { text } of answers) expect(text).not.toMatch(private_);
});
