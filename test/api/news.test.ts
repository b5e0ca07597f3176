import { NewsItem } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, newsRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** The items that no test changes. Items 10 to 14 have the same time. */
const SAME = '2026-01-01T00:10:00.000Z';
const rows = Array.from({ length: 30 }, (_, n) =>
  newsRow(n, n >= 10 && n < 15 ? { publishedAt: SAME, brokerSlugs: ['alpha-markets'], regulatorCodes: ['fca'] } : {}),
);
const mine = (url: string) => url.startsWith('https://news.example/');

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('alpha-markets')]);
  await importRows(service, 'news', rows);
});
afterAll(() => service?.remove());

const list = (query: { limit?: number; cursor?: string } = {}) => service.client().news.list(query);

/** All items, page by page. Calls `between` after each page. */
const walk = async (limit: number, between: () => Promise<void> = async () => {}): Promise<NewsItem[]> => {
  const items: NewsItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, pagination } = await list({ limit, ...(cursor === undefined ? {} : { cursor }) });
    expect(pagination.limit).toBe(limit);
    items.push(...(data as NewsItem[]));
    expect(items.length).toBeLessThan(500); // otherwise the cursor loops
    if (pagination.nextCursor === null) return items;
    expect(data).toHaveLength(limit);
    cursor = pagination.nextCursor;
    await between();
  }
};

test('returns the newest 20 by default, each as the contract says', async () => {
  const { data, pagination } = await list();
  expect(data).toHaveLength(20);
  expect(pagination).toEqual({ limit: 20, nextCursor: expect.stringMatching(/^\d+\.[\w-]+$/) });
  for (const item of data) expect(NewsItem.strict().parse(item)).toEqual(item);
  const times = data.map(({ publishedAt }) => publishedAt);
  expect(times).toEqual([...times].sort().reverse());
});

test.each([1, 4, 7, 30, 100])('returns every item once in pages of %i, newest first', async (limit) => {
  const items = (await walk(limit)).filter(({ url }) => mine(url));
  expect(new Set(items.map(({ url }) => url))).toEqual(new Set(rows.map((row) => row['url'])));
  expect(items).toHaveLength(rows.length);
  const times = items.map(({ publishedAt }) => publishedAt);
  expect(times).toEqual([...times].sort().reverse());
});

test('neither skips nor repeats an item between pages while newer ones arrive', async () => {
  let added = 0;
  const items = await walk(9, async () => {
    added++;
    const later = new Date(Date.UTC(2026, 5, 1, 0, added)).toISOString();
    await importRows(service, 'news', [newsRow(0, { url: `https://later.example/${added}`, publishedAt: later })]);
  });
  expect(added).toBeGreaterThan(2);
  const urls = items.map(({ url }) => url).filter(mine);
  expect(urls).toHaveLength(rows.length);
  expect(new Set(urls).size).toBe(rows.length);
});

test('shows an imported item, updates it on another import, and drops it on removal', async () => {
  const url = 'https://changing.example/1';
  const find = async () => (await walk(100)).filter((item) => item.url === url);
  const importAs = (title: string) =>
    importRows(service, 'news', [newsRow(0, { url, title, severity: 'critical', category: 'warning' })]);
  await importAs('The first title');
  await service.settle();
  const [first] = await find();
  expect(first).toMatchObject({ title: 'The first title', severity: 'critical', category: 'warning' });
  await importAs('The second title');
  await service.settle();
  expect(await find()).toMatchObject([{ title: 'The second title', id: first?.id }]);
  succeeded(await service.cli('news', 'remove', String(first?.id), '--reason', 'incorrect'));
  await service.settle();
  expect(await find()).toEqual([]);
});

describe('refuses', () => {
  test.each([
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_big'],
    ['limit=1e1', 'limit', 'invalid_format'],
    ['cursor=', 'cursor', 'invalid_format'],
    ['cursor=abc', 'cursor', 'invalid_format'],
    ['cursor=a%20b', 'cursor', 'invalid_format'],
    [`cursor=1.${'a'.repeat(181)}`, 'cursor', 'invalid_format'],
    ['offset=20', 'offset', 'unknown'],
    ['curser=abc', 'curser', 'unknown'],
  ])('refuses the news ?%s: %s %s', async (query, parameter, code) => {
    const problem = expectProblem(await send(`${service.baseUrl}/news?${query}`));
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ parameter, code }] });
  });
});
