import { describe, expect, expectTypeOf, test } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';
import { ApiError, BrokerNotFoundError, ConnectionError, createClient } from './index.ts';

const notFound: Parameters<typeof serve>[0] = (response) =>
  sendJson(response, 404, { code: 'broker_not_found' }, { 'x-request-id': 'r-1' });

describe('a safe call', () => {
  test('gives data and the response', async () => {
    const { baseUrl } = await serve((response) =>
      sendJson(response, 200, { slug: 'alpha' }, { 'x-request-id': 'r-1' }),
    );
    const { data, error, response } = await createClient({ baseUrl }).safe.brokers.get('alpha');
    if (error !== undefined) return expect.unreachable();
    expect(data.slug).toBe('alpha');
    expect(response.headers.get('x-request-id')).toBe('r-1');
  });

  test('gives an error with the codes of its endpoint', async () => {
    const { baseUrl } = await serve(notFound);
    const { data, error, response } = await createClient({ baseUrl }).safe.brokers.get('alpha');
    expect(error).toBeInstanceOf(BrokerNotFoundError);
    expect(data).toBeUndefined();
    expect(response?.status).toBe(404);
    if (error === undefined) return expect.unreachable();
    switch (error.code) {
      case 'broker_not_found':
        expectTypeOf(error).toEqualTypeOf<BrokerNotFoundError>();
        return;
      case 'connection_failed':
        expectTypeOf(error).toEqualTypeOf<ConnectionError>();
        return expect.unreachable();
      // @ts-expect-error: this endpoint cannot answer it
      case 'review_exists':
        return expect.unreachable();
      default:
        return expect.unreachable();
    }
  });

  test('gives an error without a response if none came', async () => {
    const { baseUrl } = await serve((response) => response.destroy());
    const result = await createClient({ baseUrl, retries: 0 }).safe.search({ q: 'a' });
    expect(result).toEqual({ data: undefined, error: expect.any(ConnectionError), response: undefined });
  });

  test('throws the caller’s mistakes and abort reason', async () => {
    const { safe } = createClient({ baseUrl: 'http://127.0.0.1:1/api/v1' });
    await expect(safe.brokers.get('')).rejects.toThrow(TypeError);
    const reason = new Error('changed my mind');
    await expect(safe.news.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('a call', () => {
  test('gives its response too', async () => {
    const { baseUrl, requests } = await serve((response) => sendJson(response, 200, { data: [] }, { etag: '"1"' }));
    const { data, response } = await createClient({ baseUrl }).regulators.list().withResponse();
    expect(data).toEqual({ data: [] });
    expect(response.headers.get('etag')).toBe('"1"');
    expect(requests).toHaveLength(1);
  });

  test('the error of a call has the response', async () => {
    const { baseUrl } = await serve(notFound);
    const error = await createClient({ baseUrl })
      .brokers.get('alpha')
      .withResponse()
      .catch((thrown) => thrown);
    if (!(error instanceof ApiError)) return expect.unreachable();
    expect(error.response.headers.get('x-request-id')).toBe('r-1');
    expect(error.response).toBeInstanceOf(Response);
  });

  test('a call is a promise', async () => {
    const { baseUrl } = await serve();
    const call = createClient({ baseUrl }).regulators.list();
    const ended: string[] = [];
    expect(call).toBeInstanceOf(Promise);
    await call.finally(() => ended.push('finally'));
    expect(ended).toEqual(['finally']);
    expect(await Promise.all([call, call.then(({ data }) => data)])).toEqual([{ data: [] }, []]);
  });
});
