import { complaintBody, reviewBody } from '../../support/records.ts';
import { webhookHeaders, webhookSecret } from '../../support/webhook.ts';
import { tokenLine } from '../cast.ts';
import type { Ask, CorpusRequest } from '../wire.ts';

const TEXT = 'The text speaks of another company than the one it is about.';
const TYPE = 'Content-Type: application/json';
/** The secret that signs messages of the verification provider. */
export const WEBHOOK_SECRET = webhookSecret(1);

/** A JSON POST by a person. */
const post = (name: string, target: string, body?: object, ...headers: string[]): CorpusRequest => ({
  method: 'POST',
  target,
  headers: [tokenLine(name), ...(body ? [TYPE] : []), ...headers],
  ...(body ? { body: JSON.stringify(body) } : {}),
});

/** Submits a review, and repeats its idempotency keys. */
const submitReviews = async (ask: Ask): Promise<void> => {
  const [first, second] = [reviewBody('alpha-markets'), reviewBody('alpha-markets', { rating: 1 })];
  const submit = (body: object, ...headers: string[]) =>
    ask('writes', post('bert', '/api/v1/reviews', body, ...headers));
  await submit(first, 'Idempotency-Key: one');
  await submit(first, 'Idempotency-Key: "one"');
  await submit(second, 'Idempotency-Key: one');
  await submit(first);
};

/** Sends more complaints than a day allows, and one of them twice. */
const fileComplaints = async (ask: Ask): Promise<void> => {
  for (const number of [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    await ask(
      'writes',
      post('cora', '/api/v1/complaints', complaintBody('alpha-markets', { title: `Number ${number}` })),
    );
};

/** Ids of a person's own reviews or reports. */
const readIds = async (ask: Ask, name: string, list: 'reviews' | 'reports'): Promise<string[]> => {
  const { body } = await ask('account', { target: `/account/v1/${list}?limit=100`, headers: [tokenLine(name)] });
  return JSON.parse(body).data.map(({ id }: { id: string }) => id);
};

/** Reports a review twice. */
const reportReview = async (ask: Ask, reviewId: string): Promise<void> => {
  for (const _ of [1, 2])
    await ask('writes', post('gina', '/account/v1/reports', { reviewId, reason: 'off_topic', text: TEXT }));
};

/** Appeals against a decision, whatever it was: as somebody else, as the entitled person, and again. */
const appealDecision = async (ask: Ask, name: string, path: string): Promise<void> => {
  const appeal = (by: string) => ask('writes', post(by, `/account/v1/${path}/appeal`, { text: TEXT }));
  await appeal('dora');
  if ((await appeal(name)).status === 201) await appeal(name);
};

/** Withdraws a review as somebody else and as its author, and again with the same and another key. */
const withdrawReview = async (ask: Ask, id: string): Promise<void> => {
  const withdraw = (by: string, key: string) =>
    ask('writes', post(by, `/account/v1/reviews/${id}/withdrawal`, undefined, `Idempotency-Key: ${key}`));
  await withdraw('hugo', 'one');
  if ((await withdraw('ana', 'one')).status !== 201) return;
  for (const key of ['one', 'two']) await withdraw('ana', key);
};

/** Delivers messages of the verification provider with good and bad signatures. */
const sendVerifications = async (ask: Ask, now: Date): Promise<void> => {
  const soon = new Date(now.getTime() + 150_000); // a message is valid for five minutes around its time
  const event = (status: string, over: object = {}) =>
    JSON.stringify({
      type: 'kyc.updated',
      data: { subject: 'nora', status, provider: 'acme', occurredAt: now.toISOString(), ...over },
    });
  const deliver = (id: string, body: string, at = soon, secret = WEBHOOK_SECRET) => {
    const signed = Object.entries(webhookHeaders(secret, id, at, body)).map(([name, value]) => `${name}: ${value}`);
    return ask('webhook', { method: 'POST', target: '/webhooks/kyc', headers: [TYPE, ...signed], body });
  };
  for (const id of ['msg_1', 'msg_1']) await deliver(id, event('verified'));
  await deliver('msg_2', event('rejected', { occurredAt: '2020-01-01T00:00:00Z' }));
  await deliver('msg_3', event('verified', { occurredAt: '2100-01-01T00:00:00Z' }));
  for (const body of [event('unknown'), '{}', '{', '', event('verified', { extra: 1 })]) await deliver('msg_4', body);
  await deliver('msg_5', event('verified'), new Date(now.getTime() - 3_600_000));
  await deliver('msg_6', event('verified'), soon, webhookSecret(9));
  await ask('webhook', { method: 'POST', target: '/webhooks/kyc', headers: [TYPE], body: event('verified') });
  await ask('webhook', { method: 'POST', target: '/webhooks/kyc', body: event('verified') });
};

/** Sends all writes. They come last, because they change what is read. */
export const sendWrites = async (ask: Ask, now: Date): Promise<void> => {
  const [reviews, reports] = [await readIds(ask, 'ana', 'reviews'), await readIds(ask, 'rita', 'reports')];
  await submitReviews(ask);
  await fileComplaints(ask);
  for (const id of reviews) {
    await reportReview(ask, id);
    await appealDecision(ask, 'ana', `reviews/${id}`);
    await withdrawReview(ask, id);
  }
  for (const id of reports) await appealDecision(ask, 'rita', `reports/${id}`);
  await sendVerifications(ask, now);
};
