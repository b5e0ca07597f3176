import type { BrokerSummary, Client } from '@broker-transparency/client';
import {
  BrokerDetail,
  BrokerSummary as BrokerSummarySchema,
  CHECKLIST_KEYS,
  COLORS,
  METHODOLOGY_VERSION,
  recomputeScore,
  toScoreColor,
} from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, licenseRow, regulatorRow } from '../support/records.ts';
import { publishReviews, verifiedPeople } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';

const SOURCE = 'https://alpha-green.example/terms';
const checklist = CHECKLIST_KEYS.map((key) => ({
  key,
  met: true,
  sourceUrl: SOURCE,
  checkedAt: '2026-01-05T00:00:00Z',
}));
const since = { activeSince: '1999-01-01' };
const twoLicenses = (slug: string) => ['tier-one', 'tier-two'].map((code) => licenseRow(`${slug} Ltd`, code, since));
const warning = {
  source: 'A regulator',
  url: 'https://regulator.example/warning',
  title: 'Not authorised',
  publishedAt: '2025-06-01T00:00:00Z',
};

/** Brokers of every color, some with equal scores, and enough for three pages of 20. */
const rows = [
  brokerRow('alpha-green', {
    licenses: twoLicenses('alpha-green'),
    checklist,
    warnings: [{ ...warning, about: 'clone_of_it' }],
  }),
  ...['yellow-b', 'yellow-a', 'yellow-c'].map((slug) => brokerRow(slug, { licenses: twoLicenses(slug), checklist })),
  brokerRow('yellow-low', { licenses: [licenseRow('yellow-low Ltd', 'tier-two')] }),
  brokerRow('red-warned', {
    licenses: twoLicenses('red-warned'),
    checklist,
    warnings: [{ ...warning, about: 'this_firm' }],
  }),
  ...Array.from({ length: 45 }, (_, n) => brokerRow(`red-${String(n).padStart(2, '0')}`, { licenses: [] })),
  brokerRow('gray-unchecked', { licensesCheckedAt: null }),
  brokerRow('gray-ceased', { status: 'ceased' }),
  brokerRow('gray-merged', { status: 'merged', entities: [], licenses: [] }),
];
const TOTAL = rows.length;

let service: LocalService;
let client: Client;

beforeAll(async () => {
  service = await startService();
  client = service.client();
  await importRows(service, 'regulators', [
    regulatorRow('tier-one', { tier: 1 }),
    regulatorRow('tier-two', { tier: 2 }),
  ]);
  await importRows(service, 'brokers', rows);
  await publishReviews(service, 'alpha-green', await verifiedPeople(service, 11), { rating: 5 });
  await service.settle();
  expect((await client.brokers.get('alpha-green')).color).toBe('green');
});
afterAll(() => service?.remove());

const all = async (): Promise<BrokerSummary[]> => (await client.brokers.list({ limit: 100 })).data;

describe('the list', () => {
  test('returns the first 20 brokers by default', async () => {
    const { data, pagination } = await client.brokers.list();
    expect(pagination).toEqual({ limit: 20, offset: 0, total: TOTAL });
    expect(data).toEqual((await all()).slice(0, 20));
  });

  test('the list is ordered by score, best first, then slug; brokers without a score come last', async () => {
    const key = ({ score, slug }: BrokerSummary) => [-(score.value ?? -1), slug] as const;
    const found = await all();
    const sorted = [...found].sort((a, b) => key(a)[0] - key(b)[0] || (key(a)[1] < key(b)[1] ? -1 : 1));
    expect(found.map(({ slug }) => slug)).toEqual(sorted.map(({ slug }) => slug));
    expect(found.slice(0, 4).map(({ slug }) => slug)).toEqual(['alpha-green', 'yellow-a', 'yellow-b', 'yellow-c']);
    expect(found.slice(-3).map(({ slug }) => slug)).toEqual(['gray-ceased', 'gray-merged', 'gray-unchecked']);
  });

  test('the list has every broker once, in the summary form', async () => {
    const found = await all();
    expect(new Set(found.map(({ slug }) => slug))).toEqual(new Set(rows.map((row) => row['slug'])));
    for (const broker of found) expect(BrokerSummarySchema.strict().parse(broker)).toEqual(broker);
  });

  test.each(COLORS)('filters the list by color: %s', async (color) => {
    const { data, pagination } = await client.brokers.list({ color, limit: 100 });
    const expected = rows.map((row) => String(row['slug'])).filter((slug) => slug.includes(color));
    expect(data.map(({ slug }) => slug).sort()).toEqual(expected.sort());
    expect(pagination).toEqual({ limit: 100, offset: 0, total: expected.length });
    for (const broker of data) {
      expect(broker).toMatchObject({ color, score: { color } });
      expect(toScoreColor(broker.score.value)).toBe(color);
    }
  });

  test.each(['', 'color=red&', 'limit=7&', 'color=red&limit=7&'])(
    'the list ?%s can be walked by Link headers, forward and back',
    async (query) => {
      const findLink = (link: string | undefined, rel: string) =>
        new RegExp(`<([^>]+)>; rel="${rel}"`).exec(link ?? '')?.[1];
      const walk = async (start: string, rel: string): Promise<string[]> => {
        const pages: string[] = [];
        for (let path: string | undefined = start; path !== undefined; ) {
          const answer = await send(new URL(path, service.baseUrl).href);
          pages.push(JSON.stringify(answer.json<{ data: BrokerSummary[] }>().data.map(({ slug }) => slug)));
          path = findLink(answer.headers['link'], rel);
        }
        return pages;
      };
      const forth = await walk(`/api/v1/brokers?${query}offset=0`, 'next');
      const { data } = await client.brokers.list({ limit: 100, ...(query.includes('color') ? { color: 'red' } : {}) });
      expect(forth.flatMap((page) => JSON.parse(page))).toEqual(data.map(({ slug }) => slug));
      const size = query.includes('limit') ? 7 : 20;
      const back = await walk(`/api/v1/brokers?${query}offset=${(forth.length - 1) * size}`, 'prev');
      expect(back.reverse()).toEqual(forth);
    },
  );

  test('a page that starts in the middle of the first one links to a full first page', async () => {
    const { headers } = await send(`${service.baseUrl}/brokers?limit=10&offset=5`);
    expect(headers['link']).toBe(
      '</api/v1/brokers?limit=10&offset=15>; rel="next", </api/v1/brokers?limit=10&offset=0>; rel="prev"',
    );
  });

  test('a page beyond the end of the list is empty, and has no next page', async () => {
    for (const offset of [TOTAL, 100_000]) {
      const answer = await send(`${service.baseUrl}/brokers?offset=${offset}`);
      expect(answer.json()).toEqual({ data: [], pagination: { limit: 20, offset, total: TOTAL } });
      expect(answer.headers['link']).not.toContain('next');
    }
    const whole = await send(`${service.baseUrl}/brokers?limit=100`);
    expect(whole.headers).not.toHaveProperty('link');
  });

  test.each<[query: string, parameter: string, code: string]>([
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_big'],
    ['offset=100001', 'offset', 'too_big'],
    ...['', '-1', '+1', '1.5', '1e1', '0x10', '01', '%201', 'ten', '9007199254740993'].flatMap((text) =>
      ['limit', 'offset'].map((name) => [`${name}=${text}`, name, 'invalid_format'] as [string, string, string]),
    ),
    ['color=blue', 'color', 'not_one_of'],
    ['color=GREEN', 'color', 'not_one_of'],
    ['color=', 'color', 'not_one_of'],
    ['limit=1&limit=2', 'limit', 'repeated'],
    ['limit[]=1', 'limit[]', 'unknown'],
    ['color[$ne]=red', 'color[$ne]', 'unknown'],
    ['colour=red', 'colour', 'unknown'],
    ['limit=%zz', 'limit', 'invalid_encoding'],
  ])('refuses the list ?%s: %s %s', async (query, parameter, code) => {
    const problem = expectProblem(await send(`${service.baseUrl}/brokers?${query}`));
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ parameter, code }] });
    expect(problem.errors?.[0]?.detail).toContain(parameter);
  });

  test('suggests the likely name of a misspelt parameter', async () => {
    const { errors } = expectProblem(await send(`${service.baseUrl}/brokers?colour=red&ofset=3`));
    expect(errors?.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('did you mean "color"?'),
      expect.stringContaining('did you mean "offset"?'),
    ]);
  });
});

describe('the detail', () => {
  test.each(['alpha-green', 'yellow-a', 'yellow-low', 'red-00', 'red-warned', 'gray-unchecked', 'gray-merged'])(
    'the detail of %s fits the contract, agrees with the list, and is enough to recompute the score',
    async (slug) => {
      const detail = await client.brokers.get(slug);
      expect(BrokerDetail.strict().parse(detail)).toEqual(detail);
      expect(recomputeScore(BrokerDetail.parse(detail))).toEqual(detail.score);
      expect(detail).toMatchObject((await all()).find((broker) => broker.slug === slug) as BrokerSummary);
    },
  );

  test('breaks the score down', async () => {
    const { score, ratingSummary, recentReviews, licenses } = await client.brokers.get('alpha-green');
    expect(score).toMatchObject({ caps: [], methodologyVersion: METHODOLOGY_VERSION });
    expect(score.value).toBe(Math.round(score.rawValue * 10) / 10);
    const points = Object.fromEntries(score.components.map((part) => [part.key, part.score]));
    expect(points).toMatchObject({ regulation: 87.5, complaints: 100, transparency: 100, longevity: 100 });
    expect(score.components.reduce((sum, part) => sum + part.contribution, 0)).toBeCloseTo(score.rawValue, 9);
    expect(ratingSummary).toMatchObject({ count: 11, average: 5, distribution: { 5: 11 } });
    expect(recentReviews).toHaveLength(5);
    expect(licenses.map(({ tier }) => tier)).toEqual([1, 2]);
  });

  test('caps the score for a warning about the firm, but not for one about its clone', async () => {
    const { score } = await client.brokers.get('red-warned');
    expect(score).toMatchObject({ value: 19, color: 'red' });
    expect(score.caps.map(({ code }) => code)).toContain('officialWarning');
  });

  test.each(['nobody', 'alpha', 'alpha-green-2'])('answers 404 for the unknown slug %s', async (slug) => {
    await expect(client.brokers.get(slug)).rejects.toMatchObject({ code: 'broker_not_found', status: 404 });
  });

  test.each(['Alpha-Green', 'alpha--green', '-alpha', 'a_b', '%24ne', 'a%00b', 'x'.repeat(81)])(
    'refuses %s, which is not a slug',
    async (slug) => {
      const problem = expectProblem(await send(`${service.baseUrl}/brokers/${slug}`));
      expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ parameter: 'slug' }] });
    },
  );
});
