import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { type Service, startService, until } from '../support/service.ts';
import { outOfOrder, publish } from './publishing.ts';
import { type Receiver, startReceiver } from './receiver.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const SETTINGS = { JOBS: 'on', WEBHOOKS_ALLOW_LOOPBACK: 'true' };

let service: Service;
let receiver: Receiver;
let acme: AsCustomer;
beforeAll(async () => {
  [service, receiver] = await Promise.all([startService(SETTINGS), startReceiver()]);
  acme = await grantCustomer(service, 'acme', 'media');
});
afterAll(async () => {
  await service?.remove();
  await receiver?.close();
});

test('events arrive', async () => {
  const made = await acme('/webhooks', { body: { url: receiver.url() } });
  expect(made.status, made.text).toBe(201);
  const { secret } = made.json<{ secret: string }>();
  const published = await publish(service, ['broker/a', 'broker/b', 'broker/a', 'broker/b', 'broker/c']);
  await until('all arrive', 10_000, async () => receiver.numbers().length >= published.length);
  expect(receiver.numbers().toSorted((a, b) => a - b)).toEqual(published.map(({ number }) => number));
  expect(outOfOrder(receiver.numbers(), published)).toEqual([]);
  for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  console.log(receiver.received[0], (await acme('/webhooks')).text);
});
