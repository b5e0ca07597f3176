import { ScreeningAnswer, type ScreeningQuery } from '@broker-transparency/contract/enterprise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { expectProblem } from '../support/problem.ts';
import { readRecord, type StoredEntry } from '../support/record.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const LEI = '529900T8BM49AURSDO55';
const WARNING = {
  source: 'Example Authority',
  url: 'https://authority.example/warnings/1',
  title: 'It has no licence',
  publishedAt: '2026-01-01T00:00:00Z',
  about: 'this_firm',
};

let service: LocalService;
let bank: AsCustomer;
let entries: StoredEntry[];

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [
    brokerRow('quantorio', {
      name: 'Quantorio',
      legalName: 'Quantorio Märkets Limited',
      entities: [{ legalName: 'Quantorio Märkets Limited', country: 'GB', lei: LEI }],
      tradingNames: ['Q-Trade'],
      domains: ['quantorio.example'],
      website: 'https://www.quantorio.example/',
      licenses: [licenseRow('Quantorio Märkets Limited', 'fca', { referenceNumber: 'FRN 123-456' })],
    }),
    brokerRow('quantorio-pro', { name: 'Quantorio Pro', status: 'suspected_clone', domains: ['quantorio.test'] }),
    brokerRow('zyxwell', { name: 'Zyxwell', warnings: [WARNING] }),
    brokerRow('bravura', { name: 'Bravura', warnings: [{ ...WARNING, withdrawnAt: '2026-02-01T00:00:00Z' }] }),
  ]);
  bank = await grantCustomer(service, 'bank', 'institution');
  await service.settle();
  entries = await readRecord(service);
});
afterAll(() => service?.remove());

const screen = async (...queries: ScreeningQuery[]): Promise<ScreeningAnswer> => {
  const answer = await bank('/screen', { body: { queries } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  return ScreeningAnswer.strict().parse(answer.json());
};
const one = async (query: ScreeningQuery) => (await screen(query)).results[0] as ScreeningAnswer['results'][number];
const bySlug = async (query: ScreeningQuery, slug: string) => {
  const found = (await one(query)).candidates.find((candidate) => candidate.slug === slug);
  if (!found) throw new Error(`${slug} is no candidate`);
  return found;
};

test('each field finds the broker by a fact, with the entry and the source that say so', async () => {
  for (const [query, fact, match, kind] of [
    [{ lei: LEI }, 'entities/0/lei', 'exact', 'broker'],
    [{ name: 'QUANTORIO MARKETS LIMITED' }, 'legalName', 'exact', 'broker'],
    [{ name: 'Quantorio Markets plc' }, 'legalName', 'likely', 'broker'],
    [{ name: 'q trade' }, 'tradingNames/0', 'exact', 'broker'],
    [{ name: 'Quantorioo Markets' }, 'legalName', 'possible', 'broker'],
    [{ domain: 'https://www.quantorio.example/login' }, 'domains/0', 'exact', 'broker'],
    [{ domain: 'trade.quantorio.example' }, 'domains/0', 'likely', 'broker'],
    [{ domain: 'quantorio.shop' }, 'domains/0', 'possible', 'broker'],
    [{ licenseNumber: 'frn123456', regulator: 'fca' }, 'number', 'exact', 'license'],
    [{ licenseNumber: 'FRN-123 456' }, 'number', 'likely', 'license'],
  ] as const) {
    const { match: graded, evidence, unmatched } = await bySlug(query, 'quantorio');
    expect([query, graded, unmatched]).toEqual([query, match, []]);
    const best = evidence.find((one) => one.fact === fact);
    expect([query, best?.match]).toEqual([query, match]);
    expect(entries[best?.number ?? -1]).toMatchObject({ key: best?.key, kind, subject: 'broker/quantorio' });
    expect(JSON.stringify(entries[best?.number ?? -1]?.value)).toContain(JSON.stringify(best?.value));
  }
  const { evidence } = await bySlug({ licenseNumber: 'FRN 123-456' }, 'quantorio');
  expect(evidence[0]?.source).toBe('https://register.example/entry');
});

test('warnings and clones come first, also before better matches', async () => {
  const { candidates } = await one({ name: 'Quantorio' });
  expect(candidates.map(({ slug, match }) => [slug, match])).toEqual([
    ['quantorio-pro', 'possible'],
    ['quantorio', 'exact'],
  ]);
  expect(candidates[0]?.alerts).toMatchObject([{ kind: 'suspected_clone' }]);
  const warned = await bySlug({ name: 'Zyxwell' }, 'zyxwell');
  expect(warned.alerts).toMatchObject([{ kind: 'warning', title: WARNING.title, url: WARNING.url, withdrawnAt: null }]);
  expect(entries[warned.alerts[0]?.number ?? -1]).toMatchObject({ kind: 'warning', subject: 'broker/zyxwell' });
  const { alerts } = await bySlug({ name: 'Bravura' }, 'bravura');
  expect(alerts[0]?.withdrawnAt).not.toBeNull();
});

test('a known name with a foreign domain is reported as exactly that', async () => {
  const { match, unmatched } = await bySlug({ name: 'Quantorio', domain: 'cheap-trades.example' }, 'quantorio');
  expect([match, unmatched]).toEqual(['likely', ['domain']]);
});

test.each([
  'quantorio.evil.test',
  'login.quantorio.example.evil.test',
  'https://secure-quantorio.evil.test/login',
  'verify-quantorio-online.test',
])('the domain %s finds the brand that it has in a label', async (domain) => {
  const { match, evidence } = await bySlug({ domain }, 'quantorio');
  expect([match, evidence[0]?.field]).toEqual(['possible', 'domain']);
});

test('a query that nobody can look for fails alone, and names each fault', async () => {
  const { results } = await screen(
    { name: 'Quantorio' },
    { lei: 'x', name: ' ' },
    { regulator: 'fca' },
    { lei: ` ${LEI.toLowerCase()} `, domain: null },
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['candidates', 'invalid', 'invalid', 'candidates']);
  expect(results[1]).toMatchObject({
    faults: [{ field: 'lei', message: 'must be a 20-character LEI' }],
    candidates: [],
  });
  expect(results[2]?.faults).toMatchObject([{ field: 'query' }]);
});

test('an answer names the scripts that were not compared with names in Latin letters', async () => {
  for (const [name, scripts] of [
    ['アルファ', ['Katakana']],
    ['阿尔法市场', ['Han']],
    ['ألفا Quantorio', ['Arabic']],
  ] as const) {
    const { scriptsNotCompared, meaning } = await one({ name });
    expect(scriptsNotCompared).toEqual(scripts);
    expect(meaning).toContain(`Letters of ${scripts[0]} were compared with the same letters only`);
  }
  expect((await one({ name: 'Куанторио' })).scriptsNotCompared).toBeUndefined();
});

test('no candidate never reads as safe', async () => {
  const answer = await screen({ name: 'Nobody At All' }, { domain: 'localhost' }, { name: 'Markets' });
  expect(answer.notice).toContain('no sign of safety');
  expect(answer.results.map(({ outcome, candidates }) => [outcome, candidates])).toEqual(
    [0, 1, 2].map(() => ['no_candidate', []]),
  );
  for (const { meaning } of answer.results) expect(meaning).toContain('does not mean that it is safe');
});

test('an answer has everything that the record had when it was asked', async () => {
  for (let at = 0; at < 5; at++) {
    await importRows(service, 'brokers', [brokerRow(`velantis-${at}`, { name: `Velantis${'x'.repeat(2 * at)}` })]);
    await service.settle();
    const { length } = await readRecord(service);
    const answer = await screen({ name: `Velantis${'x'.repeat(2 * at)}` });
    expect(answer.knownAt).toBe(length - 1);
    expect(answer.results[0]?.candidates[0]).toMatchObject({ slug: `velantis-${at}`, match: 'exact' });
  }
  succeeded(await service.cli('broker', 'rename', 'velantis-0', 'velantis-new'));
  await service.settle();
  expect((await one({ name: 'Velantis' })).candidates[0]?.slug).toBe('velantis-new');
  succeeded(await service.cli('broker', 'merge', 'velantis-1', '--into', 'bravura'));
  await service.settle();
  expect((await one({ name: 'Velantisxx' })).candidates[0]?.slug).toBe('bravura');
});

test('a screening query is stored and logged nowhere', async () => {
  const secret = 'Wolframite Nightingale';
  await screen({ name: secret, domain: 'wolframite-nightingale.example' });
  await bank('/screen', { body: { queries: [{ name: secret, color: 'red' }] } });
  await until('the access is noted', 10_000, () =>
    inDatabase(
      service,
      async (db) => (await db.collection('enterpriseAccesses').findOne({ route: '/screen' })) !== null,
    ),
  );
  const everything = await inDatabase(service, async (db) => {
    const names = (await db.listCollections().toArray()).map(({ name }) => name);
    return JSON.stringify(await Promise.all(names.map((name) => db.collection(name).find().toArray())));
  });
  expect(everything).toContain('"/screen"');
  expect(everything + service.output()).not.toMatch(/wolframite|nightingale/i);
});

test('a request is for institutions and regulators, and has 1 to 100 queries of the fields that there are', async () => {
  const media = await grantCustomer(service, 'press', 'media');
  const query = { name: 'Quantorio' };
  expect(expectProblem(await media('/screen', { body: { queries: [query] } })).code).toBe('insufficient_scope');
  expect((await screen(...Array.from({ length: 100 }, () => query))).results).toHaveLength(100);
  for (const queries of [[], Array.from({ length: 101 }, () => query), ['Quantorio'], [{ name: 1 }], [{ nom: 'x' }]])
    expect(expectProblem(await bank('/screen', { body: { queries } })).code).toBe('invalid_request');
});
