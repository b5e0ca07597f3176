import type { ComplaintSubmission } from '@broker-transparency/client';
import { BrokerDetail, COMPLAINT_CATEGORIES, ComplaintReceipt, recomputeScore } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { buildComplaint, complaintDetails } from '../support/submissions.ts';

const BROKERS = ['received', 'categories', 'replayed', 'private', 'counted'];
const KINDS: readonly ComplaintSubmission['category'][] = COMPLAINT_CATEGORIES;

let service: LocalService;
/** alice's identity is verified, bob's is not, and carol may only write reviews. */
let alice: string;
let bob: string;
let carol: string;

beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    BROKERS.map((slug) => brokerRow(slug)),
  );
  [alice, bob, carol] = await Promise.all([
    createToken(service, 'alice'),
    createToken(service, 'bob', { kyc: 'none' }),
    createToken(service, 'carol', { scopes: 'reviews:write' }),
  ]);
});
afterAll(() => service?.remove());

const submit = (token: string, body: ComplaintSubmission) => service.client(token).complaints.create(body);
/** Sends no idempotency key, unlike the client. */
const post = (token: string | undefined, body: unknown) => send(`${service.baseUrl}/complaints`, { token, body });
const detail = (broker: string) => service.client().brokers.get(broker);
const countOpen = async (broker: string): Promise<number> => {
  await service.settle();
  return (await detail(broker)).complaintSummary.open;
};

test('answers a complaint with a receipt whose reference the operator can look up', async () => {
  const receipt = await submit(bob, buildComplaint('received', complaintDetails));
  expect(ComplaintReceipt.strict().parse(receipt)).toEqual(receipt);
  expect(receipt.reference).toMatch(/^C-[2-9A-HJ-NP-Z]{10}$/);
  const { title, category, consentToForward } = buildComplaint('received');
  expect(receipt).toMatchObject({ brokerSlug: 'received', status: 'received', title, category, consentToForward });
  const rows = JSON.parse(succeeded(await service.cli('complaint', 'list', '--broker', 'received', '--json')));
  expect(rows).toEqual([
    expect.objectContaining({
      reference: receipt.reference,
      kycVerified: false,
      ...complaintDetails,
      occurredAt: '2026-01-02T03:04:05.000Z',
    }),
  ]);
});

test('refuses a complaint about what has not happened yet', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const { status, text } = await post(bob, { ...buildComplaint('received'), occurredAt: tomorrow });
  expect(status).toBe(400);
  expect(JSON.parse(text).errors).toEqual([expect.objectContaining({ pointer: '#/occurredAt', code: 'too_big' })]);
});

test('counts each complaint as open, and changes the score only after it is closed', async () => {
  const before = await detail('counted');
  expect(before.complaintSummary).toEqual({
    open: 0,
    overdue: 0,
    closed: 0,
    resolvedRate: null,
    timelyRate: null,
    medianResponseDays: null,
  });
  await submit(bob, buildComplaint('counted'));
  expect(await countOpen('counted')).toBe(1);
  await submit(alice, buildComplaint('counted'));
  expect(await countOpen('counted')).toBe(2);
  const after = await detail('counted');
  expect(after.complaintSummary).toEqual({ ...before.complaintSummary, open: 2 });
  expect(after.score.value).toBe(before.score.value);
  expect(recomputeScore(BrokerDetail.parse(after))).toEqual(after.score);
});

test.each(KINDS)('takes the category %s', async (category) => {
  expect(await submit(alice, buildComplaint('categories', { category }))).toMatchObject({ category });
});

describe('accepts complaints', () => {
  test('accepts complaints from every account whose token has the scope, verified or not', async () => {
    for (const token of [alice, bob]) expect((await post(token, buildComplaint('private'))).status).toBe(201);
  });

  test('refuses complaints without a token, and with a token that lacks the scope', async () => {
    expect(expectProblem(await post(undefined, buildComplaint('private'))).code).toBe('authentication_required');
    expect(expectProblem(await post(carol, buildComplaint('private'))).code).toBe('insufficient_scope');
  });
});

test('keeps a complaint private: no public answer has its text, reference or author', async () => {
  const secret = 'Xylophone';
  const { reference } = await submit(
    bob,
    buildComplaint('private', { title: `${secret} title`, content: `${secret} `.repeat(9) }),
  );
  for (const path of [`/complaints/${reference}`, '/complaints', `/complaints?broker=private`]) {
    const { code } = expectProblem(await send(`${service.baseUrl}${path}`, { token: bob }));
    expect(code).toBe(path.startsWith('/complaints/') ? 'not_found' : 'method_not_allowed');
  }
  expect(await countOpen('private')).toBeGreaterThan(0);
  for (const path of [
    '/brokers/private',
    '/brokers',
    `/search?q=${secret}`,
    '/search?q=private',
    '/reviews?broker=private',
  ]) {
    const { status, text } = await send(`${service.baseUrl}${path}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(new RegExp(`${secret}|${reference}|bob`));
  }
});

describe('without an idempotency key', () => {
  test('treats an equal complaint of one account as a replay, whatever the order and blanks of its JSON', async () => {
    const body = buildComplaint('replayed', complaintDetails);
    const first = await post(bob, body);
    const { title, ...others } = body;
    const again = await post(bob, JSON.stringify({ ...others, title: ` ${title} ` }, null, 2));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json()).toEqual(first.json());
  });

  test('stores 20 equal complaints sent at once only once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(bob, buildComplaint('replayed', { title: 'Many at once' }))),
    );
    const good = answers.filter(({ status }) => status === 201);
    expect(new Set(good.map((answer) => answer.json()['reference'])).size).toBe(1);
    expect(good.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(expectProblem(answer).code).toBe('idempotency_in_progress');
  });

  test('stores another complaint, one of another account, and one with a key separately', async () => {
    const body = buildComplaint('replayed', { title: 'Not the same' });
    const answers = [
      await post(bob, body),
      await post(bob, { ...body, consentToForward: false }),
      await post(alice, body),
      await send(`${service.baseUrl}/complaints`, { token: bob, body, headers: { 'Idempotency-Key': 'k1' } }),
      await send(`${service.baseUrl}/complaints`, { token: bob, body, headers: { 'Idempotency-Key': 'k2' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.json()['reference'])).size).toBe(5);
  });

  test('stores the same complaint again after 24 hours', async () => {
    const body = buildComplaint('replayed', { title: 'A day later' });
    const first = await post(bob, body);
    await inDatabase(service, (db) =>
      db
        .collection<{ body: { reference?: string }; createdAt: Date }>('idempotentAnswers')
        .updateOne(
          { 'body.reference': String(first.json()['reference']) },
          { $set: { createdAt: new Date(Date.now() - 86_400_000) } },
        ),
    );
    const later = await post(bob, body);
    expect(later.headers).not.toHaveProperty('idempotent-replayed');
    expect(later.json()['reference']).not.toBe(first.json()['reference']);
  });
});
