import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { webhookHeaders, webhookSecret } from '../support/webhook.ts';

const [OLD, NEW, STRANGE] = [webhookSecret(1), webhookSecret(2), webhookSecret(3)] as const;
let service: LocalService;

beforeAll(async () => {
  service = await startService({ KYC_WEBHOOK_SECRETS: `${OLD},${NEW}` });
  await importRows(service, 'brokers', [brokerRow('alpha-markets'), brokerRow('beta-trade'), brokerRow('gamma-fx')]);
});
afterAll(() => service?.remove());

interface Sending {
  readonly id?: string;
  readonly secret?: string;
  readonly secondsAgo?: number;
  readonly headers?: Record<string, string>;
  readonly from?: string;
}
let messages = 0;

/** Sends a message signed by the provider's library. */
const deliver = (
  event: unknown,
  { id, secret = NEW, secondsAgo = 0, headers = {}, from }: Sending = {},
): Promise<HttpResponse> => {
  messages += 1;
  const name = id ?? `msg_${messages}`;
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const at = new Date(Date.now() - secondsAgo * 1000);
  return send(`${service.origin}/webhooks/kyc`, {
    body,
    ...(from ? { from } : {}),
    headers: { ...webhookHeaders(secret, name, at, body), ...headers },
  });
};

/** A past time of the story, counted in minutes. */
const minute = (number: number): string => new Date(Date.now() - 3_600_000 + number * 60_000).toISOString();
const event = (subject: string, status: string, over: object = {}) => ({
  type: 'kyc.updated',
  data: { subject, status, provider: 'acme', occurredAt: minute(10), ...over },
});

const findAccount = (subject: string) => inDatabase(service, (db) => db.collection('accounts').findOne({ subject }));
const findStatus = async (subject: string): Promise<string | undefined> => (await findAccount(subject))?.['kyc'].status;
const listActions = async (subject: string): Promise<string[]> => {
  const account = await findAccount(subject);
  return inDatabase(service, async (db) =>
    (
      await db
        .collection('audit')
        .find({ 'subject.id': String(account?._id) })
        .sort({ at: 1, _id: 1 })
        .toArray()
    ).map((entry) => `${entry['action']} ${entry['after']?.status ?? ''}`),
  );
};
const readOutcome = (answer: HttpResponse): unknown => {
  expect(answer.status, answer.text).toBe(200);
  return answer.json()['outcome'];
};
const review = (token: string, broker: string): Promise<HttpResponse> =>
  send(`${service.baseUrl}/reviews`, { token, body: reviewBody(broker) });

describe('a genuine message', () => {
  test('verifies a person, whose token works from then on', async () => {
    const token = await createToken(service, 'alice', { kyc: 'none' });
    await inDatabase(service, (db) =>
      db.collection('accounts').updateOne({ subject: 'alice' }, { $set: { 'kyc.changedAt': new Date(minute(0)) } }),
    );
    expect(expectProblem(await review(token, 'alpha-markets')).code).toBe('kyc_required');
    const answer = await deliver(
      event('alice', 'verified', {
        personReference: 'p-8831',
        verifiedAt: minute(9),
        expiresAt: '2999-01-01T00:00:00Z',
      }),
    );
    expect(answer.json()).toEqual({ outcome: 'applied' });
    expect((await review(token, 'alpha-markets')).status).toBe(201);
    const account = await findAccount('alice');
    expect(account?.['kyc']).toMatchObject({ provider: 'acme', personHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(account)).not.toContain('8831');
  });

  test('creates the account of an unknown person', async () => {
    expect(readOutcome(await deliver(event('newcomer', 'verified')))).toBe('applied');
    expect(await listActions('newcomer')).toEqual(['account.created ', 'account.kyc verified']);
    const token = await createToken(service, 'newcomer', { kyc: 'verified' });
    expect((await review(token, 'alpha-markets')).status).toBe(201);
  });

  test.each([OLD, NEW])('a message may be signed with any of the secrets', async (secret) => {
    expect(readOutcome(await deliver(event('two-secrets', 'pending'), { secret }))).toBe('applied');
  });

  test('counts once, however often and simultaneously it arrives', async () => {
    const verified = event('replayed', 'verified');
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(verified, { id: 'msg_replayed' })));
    for (const answer of answers) expect(readOutcome(answer)).toBe('applied');
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(7);
    succeeded(await service.cli('account', 'kyc', 'replayed', 'rejected'));
    expect(readOutcome(await deliver(verified, { id: 'msg_replayed' }))).toBe('applied');
    expect(await findStatus('replayed')).toBe('rejected');
    expect(await listActions('replayed')).toEqual(['account.created ', 'account.kyc verified', 'account.kyc rejected']);
  });

  test('a message is recorded but changes nothing if a later one arrived first', async () => {
    expect(readOutcome(await deliver(event('overtaken', 'verified', { occurredAt: minute(5) })))).toBe('applied');
    expect(readOutcome(await deliver(event('overtaken', 'pending', { occurredAt: minute(4) }), { id: 'late' }))).toBe(
      'ignored',
    );
    const again = await deliver(event('overtaken', 'pending', { occurredAt: minute(4) }), { id: 'late' });
    expect(readOutcome(again)).toBe('ignored');
    expect(await findStatus('overtaken')).toBe('verified');
    expect(readOutcome(await deliver(event('overtaken', 'rejected', { occurredAt: minute(6) })))).toBe('applied');
    expect(await findStatus('overtaken')).toBe('rejected');
    expect(await listActions('overtaken')).toEqual([
      'account.created ',
      'account.kyc verified',
      'account.kyc_ignored verified',
      'account.kyc rejected',
    ]);
  });

  test('a message does not undo a later decision of an operator', async () => {
    succeeded(await service.cli('account', 'kyc', 'by-hand', 'rejected'));
    expect(readOutcome(await deliver(event('by-hand', 'verified')))).toBe('ignored');
    expect(await findStatus('by-hand')).toBe('rejected');
  });
});

describe('a message is refused', () => {
  const refused = async (answer: HttpResponse): Promise<string[]> => {
    const { code, errors = [] } = expectProblem(answer);
    expect(code).toBe('invalid_request');
    return errors.map((item) => `${item.parameter ?? item.pointer} ${item.code}`);
  };

  test.each<[string, Sending, string]>([
    ['with another secret', { secret: STRANGE }, 'webhook-signature invalid_signature'],
    ['with a changed id', { headers: { 'webhook-id': 'other' } }, 'webhook-signature invalid_signature'],
    ['six minutes old', { secondsAgo: 360 }, 'webhook-timestamp too_small'],
    ['six minutes ahead', { secondsAgo: -360 }, 'webhook-timestamp too_big'],
  ])('a message %s is refused', async (_, sending, error) => {
    expect(await refused(await deliver(event('mallory', 'verified'), sending))).toEqual([error]);
    expect(await findAccount('mallory')).toBeNull();
  });

  test('a message without its headers is refused', async () => {
    const answer = await send(`${service.origin}/webhooks/kyc`, { body: event('mallory', 'verified') });
    expect(await refused(answer)).toEqual([
      'webhook-id required',
      'webhook-timestamp required',
      'webhook-signature required',
    ]);
  });

  test.each<[unknown, string[]]>([
    [event('mallory', 'approved'), ['#/data/status not_one_of']],
    [event('mallory', 'verified', { passport: 'X1' }), ['#/data/passport unknown']],
    [event('mallory', 'verified', { occurredAt: '2999-01-01T00:00:00Z' }), ['#/data/occurredAt too_big']],
    [event('mallory', 'verified', { expiresAt: minute(10) }), ['#/data/expiresAt too_small']],
    [{ ...event('mallory', 'verified'), type: 'kyc.deleted' }, ['#/type not_one_of']],
    [{ type: 'kyc.updated' }, ['#/data required']],
    [[], ['# invalid_type']],
  ])('a message whose content is %j is refused', async (content, errors) => {
    expect(await refused(await deliver(content))).toEqual(errors);
    expect(await findAccount('mallory')).toBeNull();
  });

  test.each<[string, string, Sending]>([
    ['malformed_json', '{"type":', {}],
    ['unsupported_media_type', '{}', { headers: { 'Content-Type': 'text/plain' } }],
    ['unsupported_media_type', '{}', { headers: { 'Content-Encoding': 'gzip' } }],
    ['content_too_large', `"${'x'.repeat(65_536)}"`, {}],
  ])('a message is refused as %s', async (code, text, sending) => {
    expect(expectProblem(await deliver(text, sending)).code).toBe(code);
  });

  test.each(['GET', 'PUT', 'DELETE'])('a message by %s is refused', async (method) => {
    const answer = await send(`${service.origin}/webhooks/kyc`, { method });
    expect(expectProblem(answer).code).toBe('method_not_allowed');
    expect(answer.headers['allow']).toBe('POST, OPTIONS');
  });

  test('messages beyond 600 a minute are refused, without affecting other callers or the API', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 620; n += 20)
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, async () => (await deliver({}, { secret: STRANGE, from: '127.0.7.1' })).status),
        )),
      );
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
    expect(statuses.slice(0, 600)).not.toContain(429);
    const answer = await deliver({}, { from: '127.0.7.1' });
    expect(expectProblem(answer).code).toBe('rate_limited');
    expect(answer.headers['ratelimit-policy']).toBe('"kyc";q=600;w=60');
    expect((await deliver({}, { from: '127.0.7.2' })).status).toBe(400);
    expect((await send(`${service.baseUrl}/news`, { from: '127.0.7.1' })).status).toBe(200);
  });
});

test('a verification that lapses counts at once, is marked once, and a new one restores it', async () => {
  const token = await createToken(service, 'lapsing');
  expect((await review(token, 'alpha-markets')).status).toBe(201);
  await inDatabase(service, (db) =>
    db
      .collection('accounts')
      .updateOne({ subject: 'lapsing' }, { $set: { 'kyc.expiresAt': new Date(Date.now() - 1) } }),
  );
  expect(expectProblem(await review(token, 'gamma-fx')).code).toBe('kyc_required');
  expect(await findStatus('lapsing')).toBe('verified');
  expect(succeeded(await service.cli('admin', 'account', 'expire'))).toContain('expired: 1\n');
  expect(succeeded(await service.cli('admin', 'account', 'expire'))).toContain('expired: 0\n');
  expect(await findStatus('lapsing')).toBe('expired');
  expect(await listActions('lapsing')).toEqual(['account.created ', 'account.kyc verified', 'account.kyc expired']);
  const written = await inDatabase(service, async (db) =>
    db.collection('reviews').findOne({ accountId: String((await findAccount('lapsing'))?._id) }),
  );
  expect(written).toMatchObject({ identityVerified: true, live: true });
  const anew = { occurredAt: new Date().toISOString(), expiresAt: '2999-01-01T00:00:00Z' };
  expect(readOutcome(await deliver(event('lapsing', 'verified', anew)))).toBe('applied');
  expect((await review(token, 'gamma-fx')).status).toBe(201);
});

describe('one person with two accounts', () => {
  test('a person with two accounts who is recognised late keeps both reviews, and a moderator sees that', async () => {
    const tokens = [await createToken(service, 'twin-1'), await createToken(service, 'twin-2')] as const;
    for (const token of tokens) expect((await review(token, 'beta-trade')).status).toBe(201);
    expect((await review(tokens[0], 'gamma-fx')).status).toBe(201);
    const list = async (): Promise<{ broker: string }[]> =>
      JSON.parse(succeeded(await service.cli('review', 'duplicates', '--json')));
    expect(await list()).toEqual([]);
    for (const subject of ['twin-1', 'twin-2']) {
      const later = { personReference: 'p-twin', occurredAt: new Date().toISOString() };
      expect(readOutcome(await deliver(event(subject, 'verified', later)))).toBe('applied');
    }
    const rows = await list();
    expect(rows.map(({ broker }) => broker)).toEqual(['beta-trade', 'beta-trade']);
    expect(succeeded(await service.cli('review', 'duplicates'))).toContain('beta-trade');
    for (const token of tokens)
      for (const broker of ['beta-trade', 'gamma-fx']) {
        const { code } = expectProblem(await review(token, broker));
        expect(code).toBe('review_exists');
      }
  });
});

test('the webhook does not exist without a secret', async () => {
  const closed = await startService();
  try {
    const answer = await send(`${closed.origin}/webhooks/kyc`, { body: event('alice', 'verified') });
    expect(expectProblem(answer).code).toBe('not_found');
  } finally {
    await closed.remove();
  }
});
