import { expect, expectTypeOf, test, vi } from 'vitest';
import { type ApiCall, type BrokerDetail, type BrokerList, type Client, createClient, type ListCall } from './index.ts';

/* How applications can test their own code without a server. */

const broker = { slug: 'alpha-markets', name: 'Alpha Markets' } as BrokerDetail;
const client = (): Client => createClient({ baseUrl: 'https://brokers.example/api/v1' });

/** A hand-made call: a promise with a method. */
const createCall = <T>(data: T): ApiCall<T> =>
  Object.assign(Promise.resolve(data), {
    withResponse: async () => ({
      data,
      response: new Response(),
      request: { method: 'GET', url: 'https://brokers.example/', idempotencyKey: undefined },
    }),
  });

test('an object of the same shape can replace a call', async () => {
  const stubbed = client();
  vi.spyOn(stubbed.brokers, 'get').mockReturnValue(createCall(broker));
  expect((await stubbed.brokers.get('anything')).name).toBe('Alpha Markets');
  expect((await stubbed.brokers.get('anything').withResponse()).response.ok).toBe(true);
});

test('an object of the same shape can replace a whole client', async () => {
  const get = (): ApiCall<BrokerDetail> => createCall(broker);
  const stubbed: Pick<Client, 'brokers'> = { brokers: { ...client().brokers, get } };
  expect(await stubbed.brokers.get('anything')).toBe(broker);
});

test('calls and lists of the client have that shape', () => {
  expectTypeOf<ReturnType<Client['brokers']['get']>>().toEqualTypeOf<ApiCall<BrokerDetail>>();
  expectTypeOf<ReturnType<Client['brokers']['list']>>().toEqualTypeOf<
    ListCall<BrokerList, BrokerList['data'][number]>
  >();
});
