import { BrokerSummary } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const licensed = (slug: string, codes: string[]) => codes.map((code) => licenseRow(`${slug} Ltd`, code));

const rows = [
  brokerRow('pepperstone', {
    name: 'Pepperstone',
    legalName: 'Quillwort Holdings plc',
    tradingNames: ['Saltcellar'],
    domains: ['condiment-trade.example'],
    entities: [{ legalName: 'Brackenfold (Cyprus) Limited', country: 'CY' }],
    licenses: [licenseRow('Brackenfold (Cyprus) Limited', 'cysec', { referenceNumber: '388/20' })],
  }),
  brokerRow('zurich-handel', { name: 'Zürich Händel', tradingNames: ['Łódź Øst Straße'] }),
  // Equal matches that differ only in score, and two that differ only in slug.
  brokerRow('tie-low', { name: 'Vexillum', licenses: [] }),
  brokerRow('tie-best', { name: 'Vexillum', licenses: licensed('tie-best', ['fca', 'asic']) }),
  brokerRow('tie-b', { name: 'Vexillum' }),
  brokerRow('tie-a', { name: 'Vexillum' }),
  brokerRow('tie-gray', { name: 'Vexillum', licensesCheckedAt: null }),
  ...Array.from({ length: 30 }, (_, n) => brokerRow(`crowd-${n}`, { name: `Crowdfx ${n}` })),
  brokerRow('north-star', { name: 'North Star' }),
  brokerRow('north-wind', { name: 'North Wind' }),
  brokerRow('ic-markets', { name: 'IC Markets', licenses: licensed('ic-markets', ['fca', 'asic']) }),
  brokerRow('ic-mare', { name: 'IC Mare', licenses: [] }),
];

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', rows);
  await service.settle();
});
afterAll(() => service?.remove());

const search = async (q: string) => (await service.client().search({ q })).data;
const slugs = async (q: string) => (await search(q)).map(({ slug }) => slug);

describe('finds a broker', () => {
  test.each([
    ['its name', 'Pepperstone'],
    ['its name in another case', 'PEPPERSTONE'],
    ['the beginning of its name', 'pepp'],
    ['its name with a letter missing', 'pepperstne'],
    ['its name with two letters exchanged', 'peppersotne'],
    ['its slug', 'pepperstone'],
    ['its trading name', 'saltcellar'],
    ['its legal name', 'quillwort holdings'],
    ['the name of an entity', 'brackenfold cyprus'],
    ['its domain', 'condiment-trade.example'],
    ['its licence number', '388/20'],
    ['words in another order', 'cyprus pepperstone'],
    ['words in decomposed Unicode', 'Pe\u0301pperstone'],
  ])('finds a broker by %s', async (_, q) => {
    expect((await slugs(q))[0]).toBe('pepperstone');
  });

  test.each(['Zürich', 'zurich', 'Zu\u0308rich', 'ZÜRICH HANDEL', 'lodz', 'ost strasse'])(
    'finds a broker with or without accents: %s',
    async (q) => {
      expect((await slugs(q))[0]).toBe('zurich-handel');
    },
  );

  test('finds a broker in the same summary form as the list', async () => {
    const [found] = await search('pepperstone');
    expect(BrokerSummary.strict().parse(found)).toEqual(found);
    const { data } = await service.client().brokers.list({ limit: 100 });
    expect(data).toContainEqual(found);
  });
});

describe('returns', () => {
  test('returns 20 brokers if more match', async () => {
    expect(await search('crowdfx')).toHaveLength(20);
    expect(new Set(await slugs('crowdfx')).size).toBe(20);
  });

  test('returns no brokers if none match', async () => {
    for (const q of ['xyzzyplugh', '!!!', '***', '.*']) expect(await slugs(q)).toEqual([]);
  });

  test('returns equal matches by score, then slug; brokers without a score come last', async () => {
    expect(await slugs('vexillum')).toEqual(['tie-best', 'tie-a', 'tie-b', 'tie-low', 'tie-gray']);
  });

  test('returns the better rated broker first if both names begin alike', async () => {
    expect((await slugs('ic ma')).slice(0, 2)).toEqual(['ic-markets', 'ic-mare']);
  });

  test('returns brokers that match all words, or any word if none matches all', async () => {
    expect(await slugs('north wind')).toEqual(['north-wind']);
    expect((await slugs('north pepperstone')).sort()).toEqual(['north-star', 'north-wind', 'pepperstone']);
  });

  test('returns matches of the first six words only', async () => {
    expect(await slugs('a1x a2x a3x a4x a5x a6x pepperstone')).not.toContain('pepperstone');
    expect(await slugs('a1x a2x a3x a4x a5x pepperstone')).toContain('pepperstone');
  });
});

describe('shows an import', () => {
  test('shows an imported broker, its new name instead of the old one, and its score', async () => {
    await importRows(service, 'brokers', [brokerRow('newcomer', { name: 'Marjoram', licensesCheckedAt: null })]);
    await service.settle();
    expect((await slugs('marjoram'))[0]).toBe('newcomer');
    await importRows(service, 'brokers', [brokerRow('newcomer', { name: 'Tarragon' })]);
    await service.settle();
    expect((await slugs('tarragon'))[0]).toBe('newcomer');
    expect(await slugs('marjoram')).not.toContain('newcomer');
    expect((await search('tarragon'))[0]?.score.value).not.toBeNull();
  });
});

describe('refuses', () => {
  test.each([
    ['', 'q', 'required'],
    ['q=', 'q', 'too_small'],
    ['q=%20%20', 'q', 'too_small'],
    [`q=${'x'.repeat(101)}`, 'q', 'too_big'],
    ['q=a%00b', 'q', 'not_well_formed'],
    ['q=a&q=b', 'q', 'repeated'],
    ['q[$gt]=', 'q[$gt]', 'unknown'],
    ['q=%ff', 'q', 'invalid_encoding'],
    ['q=a&limit=5', 'limit', 'unknown'],
  ])('refuses the search ?%s: %s %s', async (query, parameter, code) => {
    const problem = expectProblem(await send(`${service.baseUrl}/search?${query}`));
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors).toContainEqual(expect.objectContaining({ parameter, code }));
  });

  test('refuses a text longer than 100 characters, counted in code points', async () => {
    expect((await send(`${service.baseUrl}/search?q=${encodeURIComponent('🦊'.repeat(100))}`)).status).toBe(200);
    expect((await send(`${service.baseUrl}/search?q=${encodeURIComponent('🦊'.repeat(101))}`)).status).toBe(400);
  });
});
