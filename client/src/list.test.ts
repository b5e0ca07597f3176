import { describe, expect, test } from 'vitest';
import { json, serve } from '../scripts/test-server.ts';
import { createClient } from './index.ts';

const queryOf = (url: string): URLSearchParams => new URL(url, 'http://x').searchParams;

/** Brokers by offset; `shelf` gives the ids as they stand at each request. */
const brokersOf = (shelf: (request: number) => readonly string[]) => {
  let request = 0;
  return serve((response, { url }) => {
    const query = queryOf(url);
    const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
    const ids = shelf(request++);
    const data = ids.slice(offset, offset + limit).map((id) => ({ id, slug: id }));
    return json(response, 200, { data, pagination: { limit, offset, total: ids.length } });
  });
};

/** News by cursor, two to a page. */
const newsOf = (ids: readonly string[]) =>
  serve((response, { url }) => {
    const start = Number(queryOf(url).get('cursor') ?? 0);
    const nextCursor = start + 2 < ids.length ? String(start + 2) : null;
    const data = ids.slice(start, start + 2).map((id) => ({ id }));
    return json(response, 200, { data, pagination: { limit: 2, nextCursor } });
  });

const collect = async <T extends { id: string }>(items: AsyncIterable<T>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
};

describe('a list by offset', () => {
  test('awaited is one page', async () => {
    const { baseUrl, requests } = await brokersOf(() => ['a', 'b', 'c']);
    const page = await createClient({ baseUrl }).brokers.list({ limit: 2 });
    expect(page).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }], pagination: { total: 3 } });
    expect(requests).toHaveLength(1);
  });

  test('iterated is all items, with the query and options of the call on every page', async () => {
    const { baseUrl, requests } = await brokersOf(() => ['a', 'b', 'c', 'd', 'e']);
    const query = { color: 'green', limit: 2, offset: 1 } as const;
    const list = createClient({ baseUrl }).brokers.list(query, { headers: { 'x-b': 'call' } });
    expect(await collect(list)).toEqual(['b', 'c', 'd', 'e']);
    expect(requests.map(({ url }) => queryOf(url).toString())).toEqual([
      'color=green&limit=2&offset=1',
      'color=green&limit=2&offset=3',
    ]);
    expect(requests.every(({ headers }) => headers['x-b'] === 'call')).toBe(true);
  });

  test('awaited and then iterated asks for its first page once', async () => {
    const { baseUrl, requests } = await brokersOf(() => ['a', 'b', 'c']);
    const list = createClient({ baseUrl }).brokers.list({ limit: 2 });
    await list;
    expect(await collect(list)).toEqual(['a', 'b', 'c']);
    expect(requests).toHaveLength(2);
  });

  test('does not give twice what moves to the next page', async () => {
    const { baseUrl } = await brokersOf((request) => (request === 0 ? ['a', 'b', 'c'] : ['new', 'a', 'b', 'c']));
    expect(await collect(createClient({ baseUrl }).brokers.list({ limit: 2 }))).toEqual(['a', 'b', 'c']);
  });

  test('ends where the items do, whatever total says', async () => {
    const { baseUrl, requests } = await serve((response) =>
      json(response, 200, { data: [], pagination: { limit: 2, offset: 0, total: 9 } }),
    );
    expect(await collect(createClient({ baseUrl }).brokers.list())).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test('left early asks for no more', async () => {
    const { baseUrl, requests } = await brokersOf(() => ['a', 'b', 'c']);
    for await (const { id } of createClient({ baseUrl }).brokers.list({ limit: 2 })) if (id === 'b') break;
    expect(requests).toHaveLength(1);
  });
});

test('a list by cursor is iterated to its end', async () => {
  const { baseUrl, requests } = await newsOf(['a', 'b', 'c', 'd', 'e']);
  expect(await collect(createClient({ baseUrl }).news.list())).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/news', '/api/v1/news?cursor=2', '/api/v1/news?cursor=4']);
});

describe('a cursor that comes again', () => {
  test.each([
    ['at once', { '': 'a', a: 'a' }, 2],
    ['after some pages', { '': 'a', a: 'b', b: 'c', c: 'a' }, 4],
    ['in a loop that the first page is no part of', { '': 'a', a: 'b', b: 'c', c: 'd', d: 'c' }, 5],
  ])('ends the iteration with an error: %s', async (_, next: Record<string, string>, pages) => {
    const { baseUrl, requests } = await serve((response, { url }) => {
      const cursor = queryOf(url).get('cursor') ?? '';
      json(response, 200, { data: [{ id: cursor }], pagination: { limit: 1, nextCursor: next[cursor] } });
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

  test('is noticed where it is the one that was begun with', async () => {
    const { baseUrl, requests } = await serve((response) =>
      json(response, 200, { data: [{ id: '1' }], pagination: { limit: 1, nextCursor: 'a' } }),
    );
    await expect(collect(createClient({ baseUrl }).news.list({ cursor: 'a' }))).rejects.toMatchObject({
      code: 'invalid_response',
      request: { method: 'GET', url: `${baseUrl}/news?cursor=a` },
    });
    expect(requests).toHaveLength(1);
  });
});

test('a list without pages is iterated too', async () => {
  const { baseUrl, requests } = await serve((response) => json(response, 200, { data: [{ code: 'fca' }] }));
  const codes: string[] = [];
  for await (const { code } of createClient({ baseUrl }).regulators.list()) codes.push(code);
  expect(codes).toEqual(['fca']);
  expect(requests).toHaveLength(1);
});

test('an error on a later page is thrown where it is met', async () => {
  const { baseUrl } = await serve((response, { url }) =>
    queryOf(url).has('cursor')
      ? json(response, 400, { code: 'invalid_request' })
      : json(response, 200, { data: [{ id: 'a' }], pagination: { limit: 1, nextCursor: 'x' } }),
  );
  const seen: string[] = [];
  const read = async () => {
    for await (const { id } of createClient({ baseUrl }).news.list()) seen.push(id);
  };
  await expect(read()).rejects.toMatchObject({ code: 'invalid_request' });
  expect(seen).toEqual(['a']);
});
