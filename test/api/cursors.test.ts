import { ACCOUNT_BASE_PATH } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { ROUTES } from '@broker-transparency/contract/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantCustomerKey } from '../support/enterprise.ts';
import { createToken, type FilledService, importRows, post, startFilledService } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { complaintBody, newsRow, reviewBody } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';

interface ListQuery {
  readonly shape: Readonly<Record<string, { safeParse: (value: unknown) => { success: boolean } }>>;
}

/** Every list that has cursors, with its address. */
const lists = ROUTES.flatMap(({ basePath, path, query }) => {
  const { shape } = (query ?? { shape: {} }) as unknown as ListQuery;
  return 'cursor' in (shape ?? {}) ? [{ base: basePath, name: `${basePath}${path}`, shape }] : [];
});

let service: FilledService;
/** The token that a list needs, by the address of its interface. */
let tokens: Record<string, string>;

beforeAll(async () => {
  service = await startFilledService();
  const { verified } = service;
  tokens = {
    [ACCOUNT_BASE_PATH]: verified,
    [ENTERPRISE_BASE_PATH]: await grantCustomerKey(service, 'acme', 'institution'),
  };
  const others = await Promise.all(['carol', 'dora'].map((name) => createToken(service, name)));
  await publishReviews(service, 'alpha-markets', others);
  await importRows(service, 'news', [newsRow(7)]);
  await post(service, '/reviews', verified, reviewBody('beta-trade'));
  for (const broker of ['alpha-markets', 'beta-trade'])
    await post(service, '/complaints', verified, complaintBody(broker));
  await service.settle();
  const { data } = (await send(`${service.baseUrl}/reviews?broker=alpha-markets`)).json<{ data: { id: string }[] }>();
  for (const { id } of data)
    await send(`${service.origin}${ACCOUNT_BASE_PATH}/reports`, {
      token: verified,
      body: { reviewId: id, reason: 'off_topic', text: 'It is about another broker than this one.' },
    });
});
afterAll(() => service?.remove());

test('the lists with cursors are the seven that this test knows', () => {
  expect(lists.map(({ name }) => name).sort()).toEqual([
    '/account/v1/complaints',
    '/account/v1/reports',
    '/account/v1/reviews',
    '/api/v1/news',
    '/api/v1/reviews',
    '/enterprise/v1/brokers',
    '/enterprise/v1/regulators/:code',
  ]);
});

test.each(lists)(
  '$name has a next page, whose cursor its own schema takes and its Link header names',
  async ({ base, shape, name }) => {
    const path = name.replace(':code', 'fca');
    const first = `${service.origin}${path}?limit=1${'broker' in shape ? '&broker=alpha-markets' : ''}`;
    const token = tokens[base];
    const read = async (url: string) => {
      const answer = await send(url, { token });
      expect(answer.status, answer.text).toBe(200);
      const page = answer.json<{ data?: unknown[]; brokers?: unknown[]; pagination: { nextCursor: string | null } }>();
      return { ...page, link: /^<([^>]+)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1] };
    };
    const page = await read(first);
    const { nextCursor } = page.pagination;
    expect(shape['cursor']?.safeParse(nextCursor).success, String(nextCursor)).toBe(true);
    const next = await read(`${first}&cursor=${nextCursor}`);
    const [before, after] = [page, next].map(({ data, brokers }) => data ?? brokers);
    expect([before?.length, after?.length]).toEqual([1, 1]);
    expect(after).not.toEqual(before);
    const linked = await read(new URL(String(page.link), service.origin).href);
    expect(linked.data ?? linked.brokers).toEqual(after);
    for (let link = next.link; link !== undefined; ) {
      const last = await read(new URL(link, service.origin).href);
      expect(last.link === undefined).toBe(last.pagination.nextCursor === null);
      link = last.link;
    }
  },
);
