import type { BrokerDetail, BrokersListQuery, Client } from '@broker-transparency/client';
import {
  BROKER_STATUSES,
  COLORS,
  decideVerdict,
  LICENSE_FILTERS,
  WARNING_FILTERS,
} from '@broker-transparency/contract';
import { isWarned } from '@broker-transparency/contract/score';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, licenseRow, regulatorRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const COUNTRIES = ['GB', 'CY', 'AU', 'VU'];
const REGULATORS = ['fca', 'cysec', 'asic', 'none-here'];
const RESIDENCES = ['GB', 'CY', 'DE', 'VU'];
const LICENSING = { negativeBalance: true, segregation: null, compensationLimit: null, retailLeverageCap: 30 };
const NOW = new Date().toISOString();
const LONG_AGO = '2024-01-05T00:00:00Z';
const ENDED = { status: 'revoked', statusEffectiveAt: '2025-01-01T00:00:00Z' };

const WARNING = {
  source: 'Authority',
  url: 'https://authority.example/1',
  title: 'A warning',
  about: 'this_firm',
  publishedAt: '2026-01-05T00:00:00Z',
};

/** Brokers that differ in country, licences, state and color. */
const rows = Array.from({ length: 48 }, (_, n) => {
  const slug = `broker-${String(n).padStart(2, '0')}`;
  const held = REGULATORS.slice(0, 3).filter((_code, at) => (n >> at) % 2 === 1);
  const licenses = held.map((code, at) =>
    licenseRow(`${slug} Ltd`, code, {
      lastVerifiedAt: (n + at) % 4 === 2 ? LONG_AGO : NOW,
      ...(at === 2 ? ENDED : {}),
    }),
  );
  const serves = { countries: RESIDENCES.slice(0, n % 4), sourceUrl: `https://${slug}.example/legal`, asOf: NOW };
  return brokerRow(slug, {
    country: COUNTRIES[n % 3],
    status: n % 7 === 0 ? 'suspected_clone' : n % 11 === 0 ? 'ceased' : 'operating',
    licensesCheckedAt: n % 5 === 0 ? null : '2026-01-05T00:00:00Z',
    entities: [{ legalName: `${slug} Ltd`, country: 'GB', ...(n % 4 === 0 ? {} : { serves }) }],
    licenses,
    warnings: n % 6 === 1 ? [WARNING] : [],
  });
});

let service: LocalService;
let client: Client;
/** All brokers with their licences, in the order of the list. */
let all: BrokerDetail[];

const readAll = async (): Promise<BrokerDetail[]> => {
  const { data } = await client.brokers.list({ limit: 100 });
  return Promise.all(data.map(({ slug }) => client.brokers.get(slug)));
};

beforeAll(async () => {
  service = await startService();
  client = service.client();
  await importRows(
    service,
    'regulators',
    REGULATORS.map((code, at) =>
      regulatorRow(code, {
        tier: at + 1,
        country: COUNTRIES[at],
        protections: { ...LICENSING, retailLeveragedFx: 'licensed' },
      }),
    ),
  );
  await importRows(service, 'brokers', rows);
  await service.settle();
  all = await readAll();
});
afterAll(() => service?.remove());

const ENDED_STATUSES = ['withdrawn', 'revoked', 'expired'];

/** Returns the choices by licence that have a broker: those of its confirmed licences that were checked in time. */
const listLicenseFilters = ({ status, licenseCounts, bestTier, licenses }: BrokerDetail): string[] => {
  if (status === 'suspected_clone') return [];
  if (licenseCounts.confirmed === 0) return ['none'];
  const inTime = licenses.filter((one) => one.status === 'active' && one.stale === false);
  return [
    ...(inTime.length > 0 ? ['confirmed'] : []),
    ...(inTime.some(({ tier }) => tier === bestTier) ? [String(bestTier)] : []),
  ];
};

const isPermitted = (broker: BrokerDetail, residence: string): boolean =>
  decideVerdict(broker, residence.toUpperCase(), new Date()).permission?.state === 'permitted';

const passes = (
  broker: BrokerDetail,
  { color, country, regulator, status, residence, license, warnings, slugs }: BrokersListQuery,
): boolean =>
  (residence === undefined || isPermitted(broker, residence)) &&
  (license === undefined || listLicenseFilters(broker).includes(license)) &&
  (warnings === undefined || isWarned(broker.warnings) === (warnings === 'standing')) &&
  (color === undefined || broker.color === color) &&
  (country === undefined || broker.country === country.toUpperCase()) &&
  (regulator === undefined ||
    broker.licenses.some((one) => one.regulatorCode === regulator && !ENDED_STATUSES.includes(one.status))) &&
  (status === undefined || broker.status === status) &&
  (slugs === undefined || slugs.includes(broker.slug));

const listSlugs = (brokers: readonly { readonly slug: string }[]) => brokers.map(({ slug }) => slug);

/** Any combination of filters. */
const query: fc.Arbitrary<BrokersListQuery> = fc.record(
  {
    color: fc.constantFrom(...COLORS),
    country: fc.constantFrom(...COUNTRIES, 'gb', 'cY'),
    regulator: fc.constantFrom(...REGULATORS),
    status: fc.constantFrom(...BROKER_STATUSES),
    residence: fc.constantFrom(...RESIDENCES, 'gb'),
    license: fc.constantFrom(...LICENSE_FILTERS),
    warnings: fc.constantFrom(...WARNING_FILTERS),
    slugs: fc.uniqueArray(fc.constantFrom(...rows.map((row) => String(row['slug'])), 'nobody'), { minLength: 1 }),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.integer({ min: 0, max: 40 }),
  },
  { requiredKeys: [] },
);

test('any filters together list exactly the brokers that pass all of them, best score first', async () => {
  expect(new Set(all.map(({ color }) => color)).size).toBeGreaterThan(1);
  expect(new Set(all.map(({ status }) => status)).size).toBe(3);
  for (const residence of ['GB', 'CY'])
    expect(all.filter((one) => isPermitted(one, residence)).length).toBeGreaterThan(4);
  expect(all.filter(({ warnings }) => isWarned(warnings)).length).toBeGreaterThan(4);
  const unknown = all.filter((one) => one.licenseCounts.confirmed > 0 && listLicenseFilters(one).length === 0);
  expect(unknown.filter(({ status }) => status === 'operating').length).toBeGreaterThan(0);
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const { data, pagination } = await client.brokers.list(asked);
      const expected = listSlugs(all.filter((broker) => passes(broker, asked)));
      const { limit = 20, offset = 0 } = asked;
      expect(listSlugs(data)).toEqual(expected.slice(offset, offset + limit));
      expect(pagination).toEqual({ limit, offset, total: expected.length });
    }),
    { seed: 20_261_128, numRuns: 200 },
  );
});

test('a filtered list is read to its end by its Link headers', async () => {
  const found: string[] = [];
  let path: string | undefined = '/api/v1/brokers?country=cy&status=operating&limit=2';
  while (path !== undefined) {
    const answer = await send(new URL(path, service.origin).href);
    found.push(...listSlugs(answer.json<{ data: { slug: string }[] }>().data));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
  }
  expect(found.length).toBeGreaterThan(4);
  expect(found).toEqual(listSlugs(all.filter((broker) => passes(broker, { country: 'CY', status: 'operating' }))));
});

test.each([
  ['country=gb', 'country=GB'],
  ['slugs=broker-09,broker-01,broker-09', 'slugs=broker-01,broker-09'],
  ['residence=cy&license=confirmed', 'license=confirmed&residence=CY'],
  ['slugs=broker-01&country=gb&offset=0', 'country=GB&slugs=broker-01'],
])('%s is answered like %s, from one stored answer', async (one, other) => {
  const [first, second] = [
    await send(`${service.baseUrl}/brokers?${one}`),
    await send(`${service.baseUrl}/brokers?${other}`),
  ];
  expect(second.text).toBe(first.text);
  expect(second.headers['etag']).toBe(first.headers['etag']);
});

test.each<[query: string, parameter: string, code: string, detail: RegExp]>([
  ['country=UK', 'country', 'not_one_of', /did you mean "GB"\?$/],
  ['residence=UK', 'residence', 'not_one_of', /did you mean "GB"\?$/],
  ['license=yes', 'license', 'not_one_of', /confirmed/],
  ['warnings=none', 'warnings', 'not_one_of', /standing/],
  ['country=GBR', 'country', 'invalid_format', /such as GB/],
  ['regulator=fcaa', 'regulator', 'not_one_of', /the code of no regulator; did you mean "fca"\?$/],
  ['regulator=something-else', 'regulator', 'not_one_of', /the code of no regulator. \/regulators lists all codes.$/],
  ['regulator=FCA', 'regulator', 'invalid_format', /lower-case/],
  ['status=operatng', 'status', 'not_one_of', /did you mean "operating"\?$/],
  ['color=GREEN', 'color', 'not_one_of', /did you mean "green"\?$/],
  ['slugs=', 'slugs', 'invalid_format', /joined by commas/],
  ['slugs=Broker+One', 'slugs', 'invalid_format', /did you mean "broker-one"\?$/],
  [`slugs=${Array.from({ length: 51 }, (_, n) => `a-${n}`)}`, 'slugs', 'too_big', /at most 50 slugs, not 51/],
  ['regulators=fca', 'regulators', 'unknown', /did you mean "regulator"\?$/],
  ['slug=alpha', 'slug', 'unknown', /did you mean "slugs"\?$/],
])('refuses ?%s, and names the parameter and the cure', async (asked, parameter, code, detail) => {
  const { errors } = expectProblem(await send(`${service.baseUrl}/brokers?${asked}`));
  expect(errors).toEqual([{ parameter, code, detail: expect.stringMatching(detail) }]);
  expect(errors?.[0]?.detail).toContain(`"${parameter}"`);
});

describe('slugs', () => {
  test('a list by slugs names those of no broker', async () => {
    const { data, moved, unknown } = await client.brokers.list({ slugs: ['nobody', 'broker-02', 'someone'] });
    expect(listSlugs(data)).toEqual(['broker-02']);
    expect({ moved, unknown }).toEqual({ moved: [], unknown: ['nobody', 'someone'] });
  });

  test('a list by slugs has the broker of a former slug, and names both slugs', async () => {
    const slugs = ['broker-03', 'broker-04', 'nobody'];
    const before = await client.brokers.list({ slugs });
    expect(listSlugs(before.data).sort()).toEqual(['broker-03', 'broker-04']);
    succeeded(await service.cli('broker', 'rename', 'broker-03', 'renamed-three'));
    await service.settle();
    const { data, moved, unknown, pagination } = await client.brokers.list({ slugs });
    expect(listSlugs(data).sort()).toEqual(['broker-04', 'renamed-three']);
    expect(pagination.total).toBe(2);
    expect(moved).toEqual([{ asked: 'broker-03', slug: 'renamed-three' }]);
    expect(unknown).toEqual(['nobody']);
    all = await readAll();
  });

  test('a list without slugs does not speak of them', async () => {
    const page = await client.brokers.list();
    expect(Object.keys(page)).toEqual(['data', 'pagination']);
  });
});

test('a filtered list shows a change of the broker that enters or leaves it', async () => {
  const read = async (country: string) => listSlugs((await client.brokers.list({ country, limit: 100 })).data);
  expect(await read('VU')).toEqual([]);
  const [row] = rows.filter(({ slug }) => slug === 'broker-07');
  await importRows(service, 'brokers', [{ ...row, country: 'VU' }]);
  await service.settle();
  expect(await read('VU')).toEqual(['broker-07']);
  expect(await read(String(row?.['country']))).not.toContain('broker-07');
});

test('a list by residence follows a regulator that stops to license such business', async () => {
  const read = async () => listSlugs((await client.brokers.list({ residence: 'CY', limit: 100 })).data);
  expect((await read()).length).toBeGreaterThan(4);
  const protections = { ...LICENSING, retailLeveragedFx: 'prohibited' };
  await importRows(service, 'regulators', [regulatorRow('cysec', { tier: 2, country: 'CY', protections })]);
  await service.settle();
  expect(await read()).toEqual([]);
});
