import {
  OwnComplaintList,
  OwnReport,
  OwnReportList,
  OwnReview,
  OwnReviewList,
  SCOPES,
} from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, type FilledService, startFilledService, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, type SendOptions, send, steadyHeaders } from '../support/http.ts';
import { insertPeople, toToken } from '../support/people.ts';
import { expectProblem } from '../support/problem.ts';
import { complaintBody, reviewBody } from '../support/records.ts';

const TEXT = 'This is about another company, as the second sentence shows.';
const NOBODY = '0'.repeat(24);

let service: FilledService;
/** Tokens. alice wrote the published review. bob's token has no scope for reviews, and his identity is not verified. */
let alice: string;
let bob: string;
let reviewId: string;
/** A pending review of carol's, and a report by her. */
let carols: { readonly review: string; readonly report: string };

beforeAll(async () => {
  service = await startFilledService();
  alice = service.verified;
  bob = await createToken(service, 'bob', { kyc: 'none', scopes: 'complaints:write,account:read,account:write' });
  reviewId = (await service.client().reviews.list({ broker: 'alpha-markets' })).data[0]?.id as string;
  await inDatabase(service, (db) => insertPeople(db, ['carol'], SCOPES));
  const carol = toToken('carol');
  const review = await send(`${service.baseUrl}/reviews`, { token: carol, body: reviewBody('beta-trade') });
  const reported = await ask('/reports', { token: carol, body: report(), headers: { 'Idempotency-Key': 'carols' } });
  carols = { review: review.json<{ id: string }>().id, report: reported.json<{ id: string }>().id };
});
afterAll(() => service?.remove());

const ask = (path: string, asked: SendOptions = {}) => send(`${service.origin}/account/v1${path}`, asked);
const report = (over = {}) => ({ reviewId, reason: 'off_topic', text: TEXT, ...over });

/** Returns whether a request reads something that exists. */
const isFound = (method: string, path: string): boolean => method === 'GET' && !path.includes(NOBODY);

const ROUTES: readonly [string, string, unknown?][] = [
  ['GET', '/reviews'],
  ['GET', `/reviews/${NOBODY}/proof`],
  ['POST', `/reviews/${NOBODY}/withdrawal`],
  ['POST', `/reviews/${NOBODY}/appeal`, { text: TEXT }],
  ['GET', '/complaints'],
  ['GET', '/reports'],
  ['POST', '/reports', { reviewId: NOBODY, reason: 'insult', text: TEXT }],
  ['POST', `/reports/${NOBODY}/appeal`, { text: TEXT }],
];

describe.each(ROUTES)('%s %s', (method, path, body) => {
  test('needs a valid token, and is never cached', async () => {
    const none = expectProblem(await ask(path, { method, body }));
    const bad = expectProblem(await ask(path, { method, body, token: 'btr_bad' }));
    expect([none.code, bad.code]).toEqual(['authentication_required', 'invalid_token']);
    const good = await ask(path, { method, body, token: bob });
    expect(good.status).toBe(isFound(method, path) ? 200 : 404);
    expect(good.headers['cache-control']).toBe('no-store');
    expect(good.headers['ratelimit-policy']).toContain('"public"');
  });

  test('refuses other methods', async () => {
    const answer = await ask(path, { method: 'DELETE', token: bob });
    expect(expectProblem(answer).code).toBe('method_not_allowed');
    expect(answer.headers['allow']).toContain(method);
  });
});

describe('a token', () => {
  beforeAll(() =>
    inDatabase(service, async (db) => {
      await insertPeople(db, ['reads'], ['account:read']);
      await insertPeople(db, ['complains'], ['complaints:write']);
    }),
  );

  test.each(ROUTES)('a token opens %s %s only if it has its scope', async (method, path, body) => {
    const outcome = async (name: string) => {
      const { status, headers } = await ask(path, { method, body, token: toToken(name) });
      return [status, /scope="(.*)"$/.exec(headers['www-authenticate'] ?? '')?.[1]];
    };
    const closed = [403, method === 'GET' ? 'account:read' : 'account:write'];
    const opened = [isFound(method, path) ? 200 : 404, undefined];
    expect(await outcome('reads')).toEqual(method === 'GET' ? opened : closed);
    expect(await outcome('complains')).toEqual(closed);
  });
});

test('refuses unknown paths, parameters and fields, as the public API does', async () => {
  expect(expectProblem(await ask('/tokens', { token: bob })).code).toBe('not_found');
  const query = expectProblem(await ask('/reviews?limt=5', { token: bob }));
  expect(query.errors).toMatchObject([
    { parameter: 'limt', code: 'unknown', detail: expect.stringContaining('"limit"') },
  ]);
  const body = expectProblem(await ask('/reports', { token: bob, body: report({ reason: 'dislike', text: 'short' }) }));
  expect(body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    '#/reason not_one_of',
    '#/text too_small',
  ]);
  expect(expectProblem(await ask('/reviews/nothing/withdrawal', { method: 'POST', token: bob })).code).toBe(
    'invalid_request',
  );
});

test('stores a report once per key and once per person, and shows the decision to its reporter', async () => {
  const headers = { 'Idempotency-Key': 'report-1' };
  const first = await ask('/reports', { token: bob, body: report(), headers });
  const again = await ask('/reports', { token: bob, body: report(), headers });
  expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
  expect(again.json()).toEqual(first.json());
  const created = OwnReport.strict().parse(first.json());
  expect(created).toMatchObject({ reviewId, status: 'open', outcome: null, decision: null });
  expect(expectProblem(await ask('/reports', { token: bob, body: report() })).code).toBe('report_exists');
  expect(expectProblem(await ask(`/reports/${created.id}/appeal`, { token: bob, body: { text: TEXT } })).code).toBe(
    'state_conflict',
  );

  succeeded(await service.cli('report', 'decide', created.id, 'keep', '--note', 'It is about this broker.'));
  const list = await ask('/reports', { token: bob });
  expect(OwnReportList.strict().parse(list.json()).data).toMatchObject([
    {
      outcome: 'kept',
      decision: {
        decision: 'keep',
        appealUntil: expect.any(String),
        statement: { facts: 'It is about this broker.', reasonCode: null, ground: null, automatedMeans: false },
      },
    },
  ]);
  expect(expectProblem(await ask(`/reports/${created.id}/appeal`, { token: alice, body: { text: TEXT } })).code).toBe(
    'report_not_found',
  );
  expect((await ask(`/reports/${created.id}/appeal`, { token: bob, body: { text: TEXT } })).status).toBe(201);
  expect(expectProblem(await ask(`/reports/${created.id}/appeal`, { token: bob, body: { text: TEXT } })).code).toBe(
    'appeal_exists',
  );
});

describe('answers alike for what does not exist and for what belongs to somebody else', () => {
  const TRIES: [string, (id: string) => Promise<HttpResponse>, keyof typeof carols][] = [
    ['by a withdrawal', (id) => ask(`/reviews/${id}/withdrawal`, { method: 'POST', token: bob }), 'review'],
    ['by a request for its proof', (id) => ask(`/reviews/${id}/proof`, { token: bob }), 'review'],
    ['by an appeal', (id) => ask(`/reviews/${id}/appeal`, { token: bob, body: { text: TEXT } }), 'review'],
    ['by a report', (id) => ask('/reports', { token: bob, body: report({ reviewId: id }) }), 'review'],
    [
      'by a key that its owner used',
      (id) =>
        ask('/reports', {
          token: bob,
          body: report({ reviewId: id }),
          headers: { 'Idempotency-Key': 'carols' },
        }),
      'review',
    ],
    [
      'by an appeal about a report',
      (id) => ask(`/reports/${id}/appeal`, { token: bob, body: { text: TEXT } }),
      'report',
    ],
  ];

  test.each(TRIES)(
    'answers alike for what belongs to somebody else and for what does not exist: %s',
    async (_, attempt, kind) => {
      const seen = async (id: string) => {
        const answer = await attempt(id);
        const { requestId, ...problem } = expectProblem(answer);
        const text = JSON.stringify(problem).replaceAll(id, 'ID');
        return { status: answer.status, headers: steadyHeaders(answer), text };
      };
      const [theirs, nothing] = [await seen(carols[kind]), await seen(NOBODY)];
      expect(theirs).toEqual(nothing);
      expect(theirs.status).toBe(404);
    },
  );
});

test('lists a person’s own reviews in every state, page by page, and nobody else’s', async () => {
  for (const broker of ['beta-trade', 'gamma-fx'])
    await send(`${service.baseUrl}/reviews`, { token: alice, body: reviewBody(broker) });
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await ask(`/reviews?limit=2${cursor && `&cursor=${cursor}`}`, { token: alice });
    const { data, pagination } = OwnReviewList.parse(answer.json());
    pages.push(data.map(({ brokerSlug, status }) => `${brokerSlug} ${status}`).join(', '));
    cursor = pagination.nextCursor;
  }
  expect(pages).toEqual(['gamma-fx pending, beta-trade pending', 'alpha-markets published']);
  expect((await ask('/reviews', { token: bob })).json()['data']).toEqual([]);
});

test('lets only its author withdraw a review, and only once', async () => {
  const [own] = OwnReviewList.parse((await ask('/reviews?limit=1', { token: alice })).json()).data;
  const path = `/reviews/${own?.id}/withdrawal`;
  expect(expectProblem(await ask(path, { method: 'POST', token: bob })).code).toBe('review_not_found');
  const headers = { 'Idempotency-Key': 'withdraw-1' };
  const gone = await ask(path, { method: 'POST', token: alice, headers });
  expect(gone.status).toBe(201);
  expect(OwnReview.strict().parse(gone.json())).toMatchObject({ id: own?.id, status: 'withdrawn' });
  expect((await ask(path, { method: 'POST', token: alice, headers })).headers['idempotent-replayed']).toBe('true');
  const problem = expectProblem(await ask(path, { method: 'POST', token: alice }));
  expect([problem.code, problem.detail]).toEqual([
    'state_conflict',
    expect.stringContaining('is withdrawn and cannot become'),
  ]);
  // A key applies to one path. The same key withdraws another review.
  const other = await ask(`/reviews/${reviewId}/withdrawal`, { method: 'POST', token: alice, headers });
  expect([other.status, other.json()['id']]).toEqual([201, reviewId]);
  await service.settle();
  expect((await service.client().reviews.list({ broker: 'alpha-markets' })).data).toEqual([]);
});

test('shows why a review was rejected, and takes one appeal', async () => {
  const created = await send(`${service.baseUrl}/reviews`, { token: alice, body: reviewBody('alpha-markets') });
  const { id } = created.json<{ id: string }>();
  const path = `/reviews/${id}/appeal`;
  expect(expectProblem(await ask(path, { token: alice, body: { text: TEXT } })).detail).toContain('is pending');
  succeeded(
    await service.cli('review', 'reject', id, '--reason', 'personal_data', '--note', 'It names a private person.'),
  );
  expect(expectProblem(await ask(path, { token: bob, body: { text: TEXT } })).code).toBe('review_not_found');
  expect((await ask(path, { token: alice, body: { text: TEXT } })).status).toBe(201);
  expect(expectProblem(await ask(path, { token: alice, body: { text: TEXT } })).code).toBe('appeal_exists');
  const [own] = OwnReviewList.parse((await ask('/reviews', { token: alice })).json()).data;
  expect(own).toMatchObject({
    id,
    status: 'rejected',
    decision: { decision: 'reject', appealUntil: null, statement: { reasonCode: 'personal_data', ground: 'law' } },
    appeal: { status: 'open', outcome: null },
  });
});

test('lists a person’s own complaints with their state, page by page', async () => {
  for (const title of ['The first of two', 'The second of two'])
    await send(`${service.baseUrl}/complaints`, { token: bob, body: complaintBody('alpha-markets', { title }) });
  const first = OwnComplaintList.strict().parse((await ask('/complaints?limit=1', { token: bob })).json());
  const rest = await ask(`/complaints?limit=1&cursor=${first.pagination.nextCursor}`, { token: bob });
  const all = [...first.data, ...OwnComplaintList.parse(rest.json()).data];
  expect(all.map(({ title, status }) => [title, status])).toEqual([
    ['The second of two', 'received'],
    ['The first of two', 'received'],
  ]);
  expect((await ask('/complaints', { token: alice })).json()['data']).toEqual([]);
});

test('serves the public figures cacheably, and counts reports in them', async () => {
  const answer = await send(`${service.origin}/transparency/v1/moderation/alpha-markets`);
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'public, max-age=30']);
  expect(answer.headers['etag']).toBeDefined();
  expect(answer.json()).toMatchObject({
    reviews: { received: 2, published: 0, withdrawn: 1, rejected: { personal_data: 1 } },
    reports: { received: 2, open: 0, upheld: 0 },
    appeals: { received: 2, open: 1, reversed: 0 },
  });
  expect(expectProblem(await send(`${service.origin}/transparency/v1/moderation/nobody`)).code).toBe(
    'broker_not_found',
  );
});
