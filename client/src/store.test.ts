import { describe, expect, onTestFinished, test } from 'vitest';
import { quietConsole } from '../scripts/quiet-console.ts';
import { sendJson, serve } from '../scripts/test-server.ts';
import { type AnswerStore, createClient, type KeptAnswer, memoryStore } from './index.ts';

/** Serves an answer with version "1", and 304 to a caller who has that version. */
const versioned = () =>
  serve((response, { headers }) =>
    headers['if-none-match'] === '"1"'
      ? response.writeHead(304, { etag: '"1"' }).end()
      : sendJson(response, 200, { data: [{ code: 'fca' }] }, { etag: '"1"' }),
  );

describe('an unchanged answer', () => {
  test('comes from memory, with its data', async () => {
    const { baseUrl, requests } = await versioned();
    const client = createClient({ baseUrl });
    const first = await client.regulators.list();
    first.data.length = 0; // a caller's change of an answer does not affect the stored one
    const { data, response } = await client.regulators.list().withResponse();
    expect(data).toEqual({ data: [{ code: 'fca' }] });
    expect(response.status).toBe(304);
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"']);
  });

  test('an unchanged answer is sent again if there is no store', async () => {
    const { baseUrl, requests } = await versioned();
    const client = createClient({ baseUrl, store: false });
    await client.regulators.list();
    await client.regulators.list();
    expect(requests[1]?.headers['if-none-match']).toBeUndefined();
  });

  test('an unchanged answer is left to the browser’s cache in a browser', async () => {
    Object.defineProperty(globalThis, 'XMLHttpRequest', { value: class {}, configurable: true });
    onTestFinished(() => {
      Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
    });
    const { baseUrl, requests } = await versioned();
    const client = createClient({ baseUrl });
    await client.regulators.list();
    await client.regulators.list();
    expect(requests[1]?.headers['if-none-match']).toBeUndefined();
  });

  test('an answer can be stored elsewhere, by its address', async () => {
    const { baseUrl } = await versioned();
    const kept = new Map<string, KeptAnswer>();
    const store: AnswerStore = {
      get: async (url) => kept.get(url),
      set: async (url, answer) => kept.set(url, answer),
    };
    await createClient({ baseUrl, store }).regulators.list();
    expect([...kept]).toEqual([[`${baseUrl}/regulators`, { etag: '"1"', body: '{"data":[{"code":"fca"}]}' }]]);
    expect(await createClient({ baseUrl, store }).regulators.list()).toEqual({ data: [{ code: 'fca' }] });
  });

  test('a 304 is an error if the caller sends If-None-Match', async () => {
    const { baseUrl } = await versioned();
    const client = createClient({ baseUrl });
    await client.regulators.list();
    const call = client.regulators.list({ headers: { 'If-None-Match': '"1"' } });
    await expect(call).rejects.toMatchObject({ code: 'invalid_response', status: 304 });
  });
});

test.each<[string, Parameters<typeof serve>[0]]>([
  ['an error', (response) => sendJson(response, 404, { code: 'not_found' }, { etag: '"1"' })],
  ['broken JSON', (response) => response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' }).end('{')],
  ['an answer without a version', (response) => sendJson(response, 200, {})],
])('%s is not stored', async (_, answer) => {
  const { baseUrl } = await serve(answer);
  const kept: string[] = [];
  const store = { get: () => undefined, set: (url: string) => kept.push(url) };
  await createClient({ baseUrl, store }).safe.regulators.list();
  expect(kept).toEqual([]);
});

describe('a broken store', () => {
  const answer = { data: [{ code: 'fca' }] };

  test.each<[string, unknown]>([
    ['a truncated body', { etag: '"1"', body: '{"data":' }],
    ['a body that is not an object', { etag: '"1"', body: 'null' }],
    ['no body', { etag: '"1"' }],
    ['a body that is not text', { etag: '"1"', body: answer }],
    ['no version', { body: '{"data":[]}' }],
    ['a version that is not an entity tag', { etag: '"1"\r\nx: y', body: '{"data":[]}' }],
    ['null', null],
    ['text', 'nothing'],
  ])('ignores a broken entry of the store: %s', async (_, entry) => {
    const { baseUrl, requests } = await versioned();
    const kept: string[] = [];
    const store = { get: () => entry as KeptAnswer, set: (url: string) => kept.push(url) };
    expect(await createClient({ baseUrl, store }).regulators.list()).toEqual(answer);
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined]);
    expect(kept).toEqual([`${baseUrl}/regulators`]);
  });

  test.each<[string, AnswerStore]>([
    [
      'throws',
      {
        get: () => {
          throw new Error('away');
        },
        set: () => {
          throw new Error('away');
        },
      },
    ],
    ['rejects', { get: () => Promise.reject(new Error('away')), set: () => Promise.reject(new Error('away')) }],
  ])('a store that %s does not affect the call', async (_, store) => {
    const complaints = quietConsole();
    const { baseUrl } = await versioned();
    expect(await createClient({ baseUrl, store }).regulators.list()).toEqual(answer);
    expect(complaints()).toEqual([
      ['broker-transparency: the answer store failed', new Error('away')],
      ['broker-transparency: the answer store failed', new Error('away')],
    ]);
  });
});

describe('memory', () => {
  /** An answer that has this length together with an address of one letter. */
  const kept = (length: number): KeptAnswer => ({ etag: '"1"', body: 'x'.repeat(length - 4) });

  test('the memory has a limit, and drops what was used longest ago', async () => {
    const store = memoryStore(100);
    for (const url of ['a', 'b', 'c']) store.set(url, kept(33));
    expect(store.get('a')).toBeDefined();
    store.set('d', kept(33));
    expect(['a', 'b', 'c', 'd'].map((url) => store.get(url) !== undefined)).toEqual([true, false, true, true]);
  });

  test('counts addresses and versions too', () => {
    const store = memoryStore(1_000);
    const urls = Array.from({ length: 100 }, (_, number) => `https://brokers.example/${'x'.repeat(70)}${number}`);
    for (const url of urls) store.set(url, { etag: '"1"', body: '{}' });
    expect(urls.filter((url) => store.get(url)).length).toBeLessThanOrEqual(10);
    store.set('x'.repeat(2_000), { etag: '"1"', body: '{}' });
    expect(store.get('x'.repeat(2_000))).toBeUndefined();
  });

  test('counts an answer once, and stores none that is too large', () => {
    const store = memoryStore(100);
    for (let time = 0; time < 9; time += 1) store.set('a', kept(60));
    store.set('b', kept(40));
    expect(store.get('a')).toBeDefined();
    store.set('c', kept(101));
    expect(store.get('c')).toBeUndefined();
  });
});
