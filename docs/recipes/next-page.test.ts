import { createTestServer } from '@broker-transparency/client/testing';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import BrokerPage, { generateMetadata } from './next-page.tsx';

const api = createTestServer({ origin: 'https://brokers.example' });
const broker = api.brokers.find(({ slug }) => slug === 'alpha-markets');
const props = (slug: string) => ({ params: Promise.resolve({ slug }) });

beforeEach(() => void vi.stubGlobal('fetch', vi.fn(api.fetch)));
afterEach(() => void vi.unstubAllGlobals());

test('the page shows the score and its parts', async () => {
  const html = renderToStaticMarkup(await BrokerPage(props('alpha-markets')));
  expect(html).toContain('<h1>Alpha Markets</h1>');
  expect(html).toContain(`${broker?.color}, ${broker?.score.value}`);
  expect(html.match(/<li>/g)).toHaveLength(5);
  expect(await generateMetadata(props('alpha-markets'))).toEqual({ title: 'Alpha Markets' });
});

test('fetch learns how long Next.js may keep the answer, and under which tag', async () => {
  await BrokerPage(props('alpha-markets'));
  await BrokerPage(props('alpha-markets'));
  const options = { next: { revalidate: 60, tags: ['broker:alpha-markets'] } };
  expect(vi.mocked(fetch).mock.calls.map(([, init]) => init)).toEqual([
    expect.objectContaining(options),
    expect.objectContaining(options),
  ]);
  // Next.js would store a 304 in place of a good answer.
  for (const [, init] of vi.mocked(fetch).mock.calls) expect(init?.headers).not.toHaveProperty('if-none-match');
});

test('the page tells an unknown broker from a service that is away', async () => {
  expect(renderToStaticMarkup(await BrokerPage(props('nobody')))).toBe('<p>There is no such broker.</p>');
  api.fail('unavailable', { times: 3, retryAfter: 0 });
  await expect(BrokerPage(props('alpha-markets'))).rejects.toMatchObject({ code: 'unavailable' });
});
