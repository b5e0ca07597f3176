import { LICENSE_STATUSES, Regulator, RegulatorDetail } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, licenseRow, regulatorRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** A broker with a licence of each of these regulators. */
const createLicensed = (slug: string, licenses: Record<string, string>) =>
  brokerRow(slug, {
    licenses: Object.entries(licenses).map(([code, status]) => licenseRow(`${slug} Ltd`, code, { status })),
  });

/** `zz-many` regulates more brokers than any page holds. */
const MANY = 120;
const many = Array.from({ length: MANY }, (_, n) => createLicensed(`many-${n}`, { 'zz-many': 'active' }));
const everyStatus = LICENSE_STATUSES.map((status) => createLicensed(`is-${status}`, { 'zz-status': status }));
const HELD = ['active', 'restricted', 'suspended', 'pending', 'unverified'];

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  const codes = ['zz-none', 'zz-many', 'zz-status', 'zz-two', 'zz-moving', 'zz-other', 'zz-order'];
  await importRows(
    service,
    'regulators',
    codes.map((code) => regulatorRow(code, { tier: code === 'zz-moving' ? 1 : 3 })),
  );
  const firms = ['North Ltd', 'South Ltd', 'East Ltd'];
  const licenses = firms.map((legalName) =>
    licenseRow(legalName, 'zz-two', {
      referenceNumber: legalName.toUpperCase(),
      status: legalName === 'East Ltd' ? 'revoked' : 'active',
    }),
  );
  await importRows(service, 'brokers', [
    ...many,
    ...everyStatus,
    brokerRow('two-entities', { entities: firms.map((legalName) => ({ legalName, country: 'GB' })), licenses }),
    createLicensed('mover', { 'zz-moving': 'active', 'zz-other': 'active' }),
    createLicensed('stayer', { 'zz-moving': 'active' }),
    createLicensed('order-b', { 'zz-order': 'active' }),
    createLicensed('order-a', { 'zz-order': 'active' }),
    createLicensed('order-best', { 'zz-order': 'active', fca: 'active' }),
    brokerRow('order-gray', { status: 'ceased', licenses: [licenseRow('order-gray Ltd', 'zz-order')] }),
  ]);
});
afterAll(() => service?.remove());

const get = (code: string) => service.client().regulators.get(code);
const listSlugs = async (code: string) => (await get(code)).brokers.map(({ slug }) => slug);

describe('the list', () => {
  test('the list has all regulators by code, each as the contract says', async () => {
    const { data, ...rest } = await service.client().regulators.list();
    expect(rest).toEqual({});
    const codes = data.map(({ code }) => code);
    expect(codes).toEqual([...codes].sort());
    expect(codes).toEqual(expect.arrayContaining(['asic', 'cysec', 'fca', 'zz-many', 'zz-none']));
    for (const regulator of data) expect(Regulator.strict().parse(regulator)).toEqual(regulator);
  });

  test('counts the brokers that each detail lists', async () => {
    const { data } = await service.client().regulators.list();
    for (const { code, brokerCount } of data.filter(({ code }) => code.startsWith('zz-') || code === 'fca')) {
      if (code === 'zz-moving' || code === 'zz-other') continue; // another test moves a broker between these
      expect([code, brokerCount]).toEqual([code, (await get(code)).brokers.length]);
    }
  });

  test.each(['limit=10', 'offset=0', 'tier=1'])('refuses ?%s', async (query) => {
    const problem = expectProblem(await send(`${service.baseUrl}/regulators?${query}`));
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ code: 'unknown' }] });
  });
});

describe('a look at a register', () => {
  const DAY_MS = 86_400_000;
  const formatDaysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  /** Days after which a look counts no more: of a regulator whose file is read, and of any other. */
  const [FILE, BY_HAND] = [35, 180];

  test.each<[string, string, string | null, string, boolean | undefined]>([
    ['is old where it never was', 'asic', null, 'active', true],
    ['counts for 35 days where a file is read', 'asic', formatDaysAgo(FILE - 1), 'active', false],
    ['is old after that', 'asic', formatDaysAgo(FILE + 1), 'active', true],
    ['counts for longer where people look', 'fsc-vg', formatDaysAgo(FILE + 1), 'suspended', false],
    ['is old there after half a year', 'fsc-vg', formatDaysAgo(BY_HAND + 1), 'active', true],
    ['does not matter for a licence that has ended', 'asic', null, 'revoked', undefined],
  ])('a look at a register %s', async (what, code, lastVerifiedAt, status, stale) => {
    const slug = `looked-${what.length}`;
    const licenses = [licenseRow(`${slug} Ltd`, code, { status, lastVerifiedAt })];
    await importRows(service, 'brokers', [brokerRow(slug, { licenses })]);
    expect((await service.client().brokers.get(slug)).licenses[0]?.stale).toBe(stale);
  });

  test('a recent look at its register makes a regulator fresh, and an old one stale', async () => {
    const stated = (lastVerifiedAt: string) => [regulatorRow('zz-looked', { lastVerifiedAt })];
    expect((await get('zz-none')).stale).toBe(true);
    await importRows(service, 'regulators', stated(formatDaysAgo(BY_HAND + 9)));
    await service.settle();
    expect((await get('zz-looked')).stale).toBe(true);
    await importRows(service, 'regulators', stated(formatDaysAgo(1)));
    await service.settle();
    expect((await get('zz-looked')).stale).toBe(false);
  });
});

describe('the detail', () => {
  test('the detail has all brokers of the regulator in one answer', async () => {
    const detail = await get('zz-many');
    expect(RegulatorDetail.strict().parse(detail)).toEqual(detail);
    expect(detail.brokerCount).toBe(MANY);
    expect(new Set(detail.brokers.map(({ slug }) => slug))).toEqual(new Set(many.map((row) => row['slug'])));
    expect(detail.brokers).toHaveLength(MANY);
  });

  test('agrees with the list', async () => {
    const { brokers, ...regulator } = await get('zz-status');
    const { data } = await service.client().regulators.list();
    expect(data).toContainEqual(regulator);
    expect(brokers.length).toBe(regulator.brokerCount);
  });

  test('the detail of a regulator without brokers lists none', async () => {
    expect(await get('zz-none')).toMatchObject({ brokerCount: 0, brokers: [] });
  });

  test.each(LICENSE_STATUSES)('lists a broker whose licence is %s only if the licence is held', async (status) => {
    const row = (await get('zz-status')).brokers.find(({ slug }) => slug === `is-${status}`);
    if (!HELD.includes(status)) expect(row).toBeUndefined();
    else expect(row?.licenses).toEqual([{ entity: `is-${status} Ltd`, referenceNumber: 'REF-zz-status', status }]);
  });

  test('lists a broker with licences of two entities once', async () => {
    const { brokers, brokerCount } = await get('zz-two');
    expect(brokerCount).toBe(1);
    expect(brokers).toEqual([
      {
        slug: 'two-entities',
        name: 'two entities',
        status: 'operating',
        color: expect.any(String),
        score: expect.any(Number),
        licenses: [
          { entity: 'North Ltd', referenceNumber: 'NORTH LTD', status: 'active' },
          { entity: 'South Ltd', referenceNumber: 'SOUTH LTD', status: 'active' },
        ],
      },
    ]);
  });

  test('the detail orders brokers by score, then slug; brokers without a score come last', async () => {
    expect(await listSlugs('zz-order')).toEqual(['order-best', 'order-a', 'order-b', 'order-gray']);
  });

  test("agrees with each broker's own detail", async () => {
    for (const { slug, name, color, score } of (await get('zz-order')).brokers)
      expect(await service.client().brokers.get(slug)).toMatchObject({ name, color, score: { value: score } });
  });

  test('follows when a licence ends, and when it comes back', async () => {
    const shows = async (code: string, slugs: string[]): Promise<void> => {
      await service.settle();
      const { brokers, brokerCount } = await get(code);
      expect([brokerCount, brokers.map(({ slug }) => slug).sort()]).toEqual([slugs.length, slugs]);
    };
    await shows('zz-moving', ['mover', 'stayer']);
    await importRows(service, 'brokers', [createLicensed('mover', { 'zz-moving': 'revoked', 'zz-other': 'active' })]);
    await shows('zz-moving', ['stayer']);
    await shows('zz-other', ['mover']);
    await importRows(service, 'brokers', [createLicensed('mover', { 'zz-moving': 'active' })]);
    await shows('zz-moving', ['mover', 'stayer']);
    await shows('zz-other', []);
  });

  test.each(['nobody', 'fc'])('answers 404 for the unknown code %s', async (code) => {
    await expect(get(code)).rejects.toMatchObject({ code: 'regulator_not_found', status: 404 });
  });

  test.each(['FCA', 'fsc_mu', 'x'.repeat(41)])('refuses %s, which is not a code', async (code) => {
    const problem = expectProblem(await send(`${service.baseUrl}/regulators/${code}`));
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ parameter: 'code' }] });
  });
});
