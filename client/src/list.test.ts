import { describe, expect, expectTypeOf, test } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';
import { createClient } from './index.ts';

const parseQuery = (url: string): URLSearchParams => new URL(url, 'http://x').searchParams;

/** Serves brokers by offset. `shelf` gives the ids at the time of each request. */
const serveBrokers = (shelf: (request: number) => readonly string[]) => {
  let request = 0;
  return serve((response, { url }) => {
    const query = parseQuery(url);
    const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
    const ids = shelf(request++);
    const data = ids.slice(offset, offset + limit).map((id) => ({ id, slug: id }));
    return sendJson(response, 200, { data, pagination: { limit, offset, total: ids.length } });
  });
};

/** Serves news by cursor, two items a page. */
const serveNews = (ids: readonly string[]) =>
  serve((response, { url }) => {
    const start = Number(parseQuery(url).get('cursor') ?? 0);
    const nextCursor = start + 2 < ids.length ? String(start + 2) : null;
    const data = ids.slice(start, start + 2).map((id) => ({ id }));
    return sendJson(response, 200, { data, pagination: { limit: 2, nextCursor } });
  });

const collect = async <T extends { id: string }>(items: AsyncIterable<T>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
};

describe('a list by offset', () => {
  test('gives one page when awaited', async () => {
    const { baseUrl, requests } = await serveBrokers(() => ['a', 'b', 'c']);
    const page = await createClient({ baseUrl }).brokers.list({ limit: 2 });
    expect(page).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }], pagination: { total: 3 } });
    expect(requests).toHaveLength(1);
  });

  test('gives all items when iterated, with the call’s query and options on every page', async () => {
    const { baseUrl, requests } = await serveBrokers(() => ['a', 'b', 'c', 'd', 'e']);
    const query = { color: 'green', limit: 2, offset: 1 } as const;
    const list = createClient({ baseUrl }).brokers.list(query, { headers: { 'x-b': 'call' } });
    expect(await collect(list)).toEqual(['b', 'c', 'd', 'e']);
    expect(requests.map(({ url }) => parseQuery(url).toString())).toEqual([
      'color=green&limit=2&offset=1',
      'color=green&limit=2&offset=3',
    ]);
    expect(requests.every(({ headers }) => headers['x-b'] === 'call')).toBe(true);
  });

  test('requests its first page once when awaited and then iterated', async () => {
    const { baseUrl, requests } = await serveBrokers(() => ['a', 'b', 'c']);
    const list = createClient({ baseUrl }).brokers.list({ limit: 2 });
    await list;
    expect(await collect(list)).toEqual(['a', 'b', 'c']);
    expect(requests).toHaveLength(2);
  });

  test('gives an item once, even if it moves to the next page', async () => {
    const { baseUrl } = await serveBrokers((request) => (request === 0 ? ['a', 'b', 'c'] : ['new', 'a', 'b', 'c']));
    expect(await collect(createClient({ baseUrl }).brokers.list({ limit: 2 }))).toEqual(['a', 'b', 'c']);
  });

  test('ends where the items end, whatever the total says', async () => {
    const { baseUrl, requests } = await serve((response) =>
      sendJson(response, 200, { data: [], pagination: { limit: 2, offset: 0, total: 9 } }),
    );
    expect(await collect(createClient({ baseUrl }).brokers.list())).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test('requests no further pages when the loop ends early', async () => {
    const { baseUrl, requests } = await serveBrokers(() => ['a', 'b', 'c']);
    for await (const { id } of createClient({ baseUrl }).brokers.list({ limit: 2 })) if (id === 'b') break;
    expect(requests).toHaveLength(1);
  });
});

test('a list by cursor gives all items when iterated', async () => {
  const { baseUrl, requests } = await serveNews(['a', 'b', 'c', 'd', 'e']);
  expect(await collect(createClient({ baseUrl }).news.list())).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/news', '/api/v1/news?cursor=2', '/api/v1/news?cursor=4']);
});

describe('a list of updates', () => {
  /** Serves two changed brokers a page. "a" changes again while the list is read. */
  const updates = (next: (since: number) => number = (since) => since + 2) =>
    serve((response, { url }) => {
      const since = Number(parseQuery(url).get('updatedSince'));
      const data = ['a', 'b', 'c', 'a', 'd'].slice(since, since + 2).map((id) => ({ id }));
      const pagination = { limit: 2, offset: 0, total: data.length };
      return sendJson(response, 200, { data, pagination, updates: { next: next(since), more: since < 4, gone: [] } });
    });

  test('gives a broker again that changes between two pages', async () => {
    const { baseUrl, requests } = await updates();
    const list = createClient({ baseUrl }).brokers.list({ updatedSince: 0, country: 'GB', limit: 2 });
    expect(await collect(list)).toEqual(['a', 'b', 'c', 'a', 'd']);
    expect(requests.map(({ url }) => parseQuery(url).toString())).toEqual([
      'updatedSince=0&country=GB&limit=2',
      'updatedSince=2&country=GB&limit=2',
      'updatedSince=4&country=GB&limit=2',
    ]);
  });

  test('says on its last page where the next call goes on', async () => {
    const { baseUrl } = await updates();
    let next = 0;
    for await (const page of createClient({ baseUrl }).brokers.list({ updatedSince: next }).pages())
      next = page.updates?.next ?? next;
    expect(next).toBe(6);
  });

  test('refuses a page that does not go on', async () => {
    const { baseUrl } = await updates((since) => since);
    await expect(collect(createClient({ baseUrl }).brokers.list({ updatedSince: 2 }))).rejects.toThrow(
      'a cursor that came before',
    );
  });
});

describe('the pages of a list', () => {
  test('pages come as the API sent them, beginning with the requested one', async () => {
    const { baseUrl, requests } = await serveBrokers(() => ['a', 'b', 'c', 'd', 'e']);
    const sizes: string[] = [];
    const list = createClient({ baseUrl }).brokers.list({ limit: 2, offset: 1 });
    for await (const { data, pagination } of list.pages())
      sizes.push(`${data.map(({ id }) => id).join('')} of ${pagination.total}`);
    expect(sizes).toEqual(['bc of 5', 'de of 5']);
    expect(requests).toHaveLength(2);
  });

  test('requests pages only as far as they are read', async () => {
    const { baseUrl, requests } = await serveNews(['a', 'b', 'c', 'd']);
    for await (const { data } of createClient({ baseUrl }).news.list().pages()) if (data[0]?.id === 'a') break;
    expect(requests).toHaveLength(1);
  });
});

describe('a list as an array', () => {
  test.each([
    [undefined, ['a', 'b', 'c', 'd', 'e'], 3],
    [{ limit: 3 }, ['a', 'b', 'c'], 2],
    [{ limit: 2 }, ['a', 'b'], 1],
    [{ limit: 0 }, [], 1],
    [{ limit: 99 }, ['a', 'b', 'c', 'd', 'e'], 3],
  ])('an array with %j has that length, and requests no more pages than needed', async (options, ids, pages) => {
    const { baseUrl, requests } = await serveNews(['a', 'b', 'c', 'd', 'e']);
    const items = await createClient({ baseUrl }).news.list().toArray(options);
    expect(items.map(({ id }) => id)).toEqual(ids);
    expect(requests).toHaveLength(pages);
  });

  test('gives an item once, even if it moves to the next page', async () => {
    const { baseUrl } = await serveBrokers((request) => (request === 0 ? ['a', 'b', 'c'] : ['new', 'a', 'b', 'c']));
    const items = await createClient({ baseUrl }).brokers.list({ limit: 2 }).toArray();
    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test.each([-1, Number.NaN])('an array cannot have %d items', async (limit) => {
    const { baseUrl } = await serveNews(['a']);
    await expect(createClient({ baseUrl }).news.list().toArray({ limit })).rejects.toThrow(RangeError);
  });
});

describe('a list of safe calls', () => {
  /** Serves two good pages of news, then an error. */
  const breaking = () =>
    serve((response, { url }) => {
      const cursor = Number(parseQuery(url).get('cursor') ?? 0);
      if (cursor === 2) return sendJson(response, 400, { code: 'invalid_request' });
      return sendJson(response, 200, {
        data: [{ id: String(cursor) }],
        pagination: { limit: 1, nextCursor: String(cursor + 1) },
      });
    });

  test('gives one page as a result when awaited', async () => {
    const { baseUrl, requests } = await breaking();
    const { data, error, response } = await createClient({ baseUrl }).safe.news.list();
    expect([data?.data.length, error, response?.status]).toEqual([1, undefined, 200]);
    expect(requests).toHaveLength(1);
  });

  test('gives each item as a result, and an error as the last one', async () => {
    const { baseUrl } = await breaking();
    const seen: unknown[] = [];
    for await (const { data, error, response } of createClient({ baseUrl }).safe.news.list()) {
      if (error !== undefined) expectTypeOf(error.code).toExtend<string>();
      else expectTypeOf(data.id).toEqualTypeOf<string>();
      seen.push([data?.id, error?.code, response?.status]);
    }
    expect(seen).toEqual([
      ['0', undefined, 200],
      ['1', undefined, 200],
      [undefined, 'invalid_request', 400],
    ]);
  });

  test('gives pages as results, and collects items', async () => {
    const { baseUrl } = await breaking();
    const { safe } = createClient({ baseUrl });
    const pages: unknown[] = [];
    for await (const { data, error } of safe.news.list().pages()) pages.push(error?.code ?? data?.data.length);
    expect(pages).toEqual([1, 1, 'invalid_request']);
    expect((await safe.news.list().toArray({ limit: 2 })).data?.map(({ id }) => id)).toEqual(['0', '1']);
    expect(await safe.news.list().toArray()).toMatchObject({ data: undefined, error: { code: 'invalid_request' } });
  });

  test('still throws the caller’s own abort and mistakes', async () => {
    const { safe } = createClient({ baseUrl: 'http://127.0.0.1:1/api/v1' });
    const reason = new Error('changed my mind');
    const read = async () => {
      for await (const result of safe.news.list({}, { signal: AbortSignal.abort(reason) }))
        expect.unreachable(String(result));
    };
    await expect(read()).rejects.toBe(reason);
    await expect(safe.news.list({}, { retries: -1 }).toArray()).rejects.toThrow(RangeError);
  });
});

describe('a repeated cursor', () => {
  test.each([
    ['at once', { '': 'a', a: 'a' }, 2],
    ['after some pages', { '': 'a', a: 'b', b: 'c', c: 'a' }, 4],
    ['in a loop without the first page', { '': 'a', a: 'b', b: 'c', c: 'd', d: 'c' }, 5],
  ])('a repeated cursor ends the iteration with an error: %s', async (_, next: Record<string, string>, pages) => {
    const { baseUrl, requests } = await serve((response, { url }) => {
      const cursor = parseQuery(url).get('cursor') ?? '';
      sendJson(response, 200, { data: [{ id: cursor }], pagination: { limit: 1, nextCursor: next[cursor] } });
    });
    const seen: string[] = [];
    const read = async () => {
      for await (const { id } of createClient({ baseUrl }).news.list()) seen.push(id);
    };
    await expect(read()).rejects.toMatchObject({
      name: 'InvalidResponseError',
      status: 200,
      message: expect.stringContaining('a cursor that came before'),
    });
    expect(requests).toHaveLength(pages);
    expect(seen).toHaveLength(pages);
  });

  test('notices a repeated cursor even if it is that of the first page', async () => {
    const { baseUrl, requests } = await serve((response) =>
      sendJson(response, 200, { data: [{ id: '1' }], pagination: { limit: 1, nextCursor: 'a' } }),
    );
    await expect(collect(createClient({ baseUrl }).news.list({ cursor: 'a' }))).rejects.toMatchObject({
      code: 'invalid_response',
      request: { method: 'GET', url: `${baseUrl}/news?cursor=a` },
    });
    expect(requests).toHaveLength(1);
  });
});

test('a list without pages can be iterated too', async () => {
  const { baseUrl, requests } = await serve((response) => sendJson(response, 200, { data: [{ code: 'fca' }] }));
  const codes: string[] = [];
  for await (const { code } of createClient({ baseUrl }).regulators.list()) codes.push(code);
  expect(codes).toEqual(['fca']);
  expect(requests).toHaveLength(1);
});

test('an error on a later page is thrown after the items of the pages before', async () => {
  const { baseUrl } = await serve((response, { url }) =>
    parseQuery(url).has('cursor')
      ? sendJson(response, 400, { code: 'invalid_request' })
      : sendJson(response, 200, { data: [{ id: 'a' }], pagination: { limit: 1, nextCursor: 'x' } }),
  );
  const seen: string[] = [];
  const read = async () => {
    for await (const { id } of createClient({ baseUrl }).news.list()) seen.push(id);
  };
  await expect(read()).rejects.toMatchObject({ code: 'invalid_request' });
  expect(seen).toEqual(['a']);
});
