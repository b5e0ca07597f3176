import { describe, expect, test } from 'vitest';
import { serve } from '../scripts/test-server.ts';
import { type CallOptions, type ClientOptions, createClient } from './index.ts';

const baseUrl = 'https://brokers.example';

describe('unknown options', () => {
  test.each([
    [{ timeout: 5 }, 'there is no option "timeout": did you mean "timeoutMs"?'],
    [{ baseURL: baseUrl }, 'there is no option "baseURL": did you mean "baseUrl"?'],
    [{ maxRetries: 3 }, 'there is no option "maxRetries": did you mean "retries"?'],
    [{ accessToken: 't' }, 'there is no option "accessToken": did you mean "token"?'],
    [{ paced: true }, 'there is no option "paced": did you mean "pace"?'],
    [{ apiKey: 'k' }, /^there is no option "apiKey"; there are baseUrl, token, .*, pace, fetch, store, hooks/],
    [{ signal: undefined }, /^there is no option "signal"; there are /],
    [{ ['x'.repeat(5000)]: 1 }, /^.{0,400}$/],
  ])('createClient refuses %j', (options, message) => {
    expect(() => createClient({ baseUrl, ...options } as ClientOptions)).toThrow(TypeError);
    expect(() => createClient({ baseUrl, ...options } as ClientOptions)).toThrow(message);
  });

  test.each([
    [{ retry: 1 }, 'there is no option "retry": did you mean "retries"?'],
    [{ idempotencyKey: 'a' }, 'there is no option "idempotencyKey"; there are '],
    [{ pace: true }, 'there is no option "pace"; there are '],
    ['fast', 'the options must be an object'],
  ])('a call refuses %j', async (options, message) => {
    const client = createClient({ baseUrl });
    await expect(client.brokers.get('a', options as CallOptions)).rejects.toThrow(message);
  });
});

test.each(['green', 7, ['green'], true])('a query that is %j is refused', async (query) => {
  const list = createClient({ baseUrl }).brokers.list(query as object);
  await expect(list).rejects.toThrow(new TypeError('the query must be an object'));
});

describe('maxBytes', () => {
  /** Serves JSON without end, and tells when the connection is closed. */
  const serveEndless = async () => {
    let close: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const { baseUrl: endless } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.on('close', () => close());
      const write = () => {
        while (response.write(' '.repeat(65_536)));
        response.once('drain', write);
      };
      write();
    });
    return { endless, closed };
  };

  test('ends an answer that is longer, with an error that names the option', async () => {
    const { endless, closed } = await serveEndless();
    const { error } = await createClient({ baseUrl: endless, maxBytes: 1_000_000 }).safe.news.list();
    expect(error).toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining('more bytes than maxBytes'),
    });
    await closed;
  });

  test('allows 64 million bytes by default, and another number for a call', async () => {
    const body = JSON.stringify({ data: [{ title: 'Überweisung €' }] });
    const { baseUrl: exact } = await serve((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    const maxBytes = Buffer.byteLength(body);
    const client = createClient({ baseUrl: exact, store: false });
    expect(await client.news.list({}, { maxBytes })).toEqual(JSON.parse(body));
    await expect(client.news.list({}, { maxBytes: maxBytes - 1 })).rejects.toThrow(/maxBytes/);
    const { endless } = await serveEndless();
    await expect(createClient({ baseUrl: endless }).news.list()).rejects.toThrow(/maxBytes/);
  });
});

test.each([[[]], [{}], [[{ data: [] }]]])('a 200 with %j is not an answer of this API', async (body) => {
  const { baseUrl: odd } = await serve((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );
  const { error } = await createClient({ baseUrl: odd }).safe.regulators.list();
  expect(error?.message).toMatch(/was answered 200 with JSON that is cut, malformed or no object of this API$/);
});

test.each([
  [429, 'rate_limited'],
  [503, 'unavailable'],
] as const)('a %d of a proxy says to a person who answered', async (status, code) => {
  const { baseUrl: proxied } = await serve((response) => response.writeHead(status).end());
  const { error } = await createClient({ baseUrl: proxied, retries: 0 }).safe.regulators.list();
  expect(error?.message).toBe(`${status} ${code}: a server before the API answered, with no media type`);
});
