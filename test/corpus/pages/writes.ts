import { complaintBody, reviewBody } from '../../support/records.ts';
import { webhookHeaders, webhookSecret } from '../../support/webhook.ts';
import { tokenLine } from '../cast.ts';
import type { Ask, Request } from '../wire.ts';

const TEXT = 'The text speaks of another company than the one it is about.';
const TYPE = 'Content-Type: application/json';
/** Signs what the provider of verifications sends. */
export const WEBHOOK_SECRET = webhookSecret(1);

/** A POST of somebody, as JSON. */
const post = (name: string, target: string, body?: object, ...headers: string[]): Request => ({
  method: 'POST',
  target,
  headers: [tokenLine(name), ...(body ? [TYPE] : []), ...headers],
  ...(body ? { body: JSON.stringify(body) } : {}),
});

/** A review that is submitted, and keys that are used again. */
const submitting = async (ask: Ask): Promise<void> => {
  const [first, second] = [reviewBody('alpha-markets'), reviewBody('alpha-markets', { rating: 1 })];
  const submit = (body: object, ...headers: string[]) =>
    ask('writes', post('bert', '/api/v1/reviews', body, ...headers));
  await submit(first, 'Idempotency-Key: one');
  await submit(first, 'Idempotency-Key: "one"');
  await submit(second, 'Idempotency-Key: one');
  await submit(first);
};

/** More complaints than a day allows, and one twice. */
const complaining = async (ask: Ask): Promise<void> => {
  for (const number of [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    await ask(
      'writes',
      post('cora', '/api/v1/complaints', complaintBody('alpha-markets', { title: `Number ${number}` })),
    );
};

/** Ids of somebody's own reviews or reports. */
const idsOf = async (ask: Ask, name: string, list: 'reviews' | 'reports'): Promise<string[]> => {
  const { body } = await ask('account', { target: `/account/v1/${list}?limit=100`, headers: [tokenLine(name)] });
  return JSON.parse(body).data.map(({ id }: { id: string }) => id);
};

/** A report of a review, twice. */
const reporting = async (ask: Ask, reviewId: string): Promise<void> => {
  for (const _ of [1, 2])
    await ask('writes', post('gina', '/account/v1/reports', { reviewId, reason: 'off_topic', text: TEXT }));
};

/** Appeals against what was decided, whatever that was: by somebody else, by the one who may, and once more. */
const appealing = async (ask: Ask, name: string, path: string): Promise<void> => {
  const appeal = (by: string) => ask('writes', post(by, `/account/v1/${path}/appeal`, { text: TEXT }));
  await appeal('dora');
  if ((await appeal(name)).status === 201) await appeal(name);
};

/** The withdrawal of a review, by somebody else and by its author; a second time with its key and with another one. */
const withdrawing = async (ask: Ask, id: string): Promise<void> => {
  const withdraw = (by: string, key: string) =>
    ask('writes', post(by, `/account/v1/reviews/${id}/withdrawal`, undefined, `Idempotency-Key: ${key}`));
  await withdraw('hugo', 'one');
  if ((await withdraw('ana', 'one')).status !== 201) return;
  for (const key of ['one', 'two']) await withdraw('ana', key);
};

/** Messages of the provider of verifications, signed well and badly. */
const verifying = async (ask: Ask, now: Date): Promise<void> => {
  const soon = new Date(now.getTime() + 150_000); // a message is good for five minutes before and after it is signed
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

/** What is written: last, since it changes what is read. */
export const writes = async (ask: Ask, now: Date): Promise<void> => {
  const [reviews, reports] = [await idsOf(ask, 'ana', 'reviews'), await idsOf(ask, 'rita', 'reports')];
  await submitting(ask);
  await complaining(ask);
  for (const id of reviews) {
    await reporting(ask, id);
    await appealing(ask, 'ana', `reviews/${id}`);
    await withdrawing(ask, id);
  }
  for (const id of reports) await appealing(ask, 'rita', `reports/${id}`);
  await verifying(ask, now);
};
