import { decideVerdict } from '@broker-transparency/contract';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createScratch } from '../support/files.ts';
import { importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const checkedAt = new Date(Date.now() - DAY_MS).toISOString();
const serves = { countries: ['CY', 'DE'], sourceUrl: 'https://alpha.example/legal', asOf: checkedAt };
const warning = {
  source: 'Authority',
  url: 'https://authority.example/1',
  title: 'A warning',
  publishedAt: checkedAt,
  about: 'this_firm',
};
const fresh = { lastVerifiedAt: checkedAt };

let service: LocalService;
beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [
    brokerRow('alpha', {
      licensesCheckedAt: checkedAt,
      entities: [{ legalName: 'alpha Ltd', country: 'CY', serves }],
      licenses: [
        licenseRow('alpha Ltd', 'cysec', fresh),
        licenseRow('alpha Ltd', 'cysec', {
          ...fresh,
          type: 'passport',
          referenceNumber: 'p1',
          notifiedCountries: ['DE'],
        }),
      ],
    }),
    brokerRow('warned', {
      licensesCheckedAt: checkedAt,
      entities: [{ legalName: 'warned Ltd', country: 'CY', serves }],
      licenses: [licenseRow('warned Ltd', 'cysec', fresh)],
      warnings: [warning],
    }),
    brokerRow('pair', {
      licensesCheckedAt: checkedAt,
      entities: ['pair Ltd', 'pair Global Ltd'].map((legalName) => ({ legalName, country: 'CY', serves })),
      licenses: [licenseRow('pair Ltd', 'cysec', fresh)],
      warnings: [{ ...warning, withdrawnAt: checkedAt }],
    }),
    brokerRow('clone', { status: 'suspected_clone', entities: [{ legalName: 'clone Ltd', country: 'CY', serves }] }),
  ]);
  await service.settle();
});
afterAll(() => service?.remove());

const read = async (path: string): Promise<string> => {
  const { status, text } = await send(`${service.origin}${path}`, { headers: { Accept: 'text/html' } });
  expect(status).toBe(200);
  const section = /<section class="verdict".*?(?=<form)/s.exec(text)?.[0] ?? '';
  return section
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\s+/g, ' ');
};

test.each([
  ['/brokers/alpha?residence=DE', /If you live in Germany Clients in Germany sign with alpha Ltd\..*alpha\.example/],
  ['/brokers/alpha?residence=DE', /supervised by Cyprus Securities and Exchange Commission\..*register entry/],
  ['/brokers/alpha?residence=DE', /If the firm fails, a fund pays up to EUR 20,000\. .*No warning is known\./],
  ['/brokers/alpha?residence=FR', /No source says with which company.*in a register that names France\./],
  ['/brokers/alpha?residence=FR', /Cyprus Securities and Exchange Commission, alpha Ltd: not confirmed for France/],
  [
    '/brokers/warned?residence=CY',
    /The alarm above applies wherever you live\. Do not pay\..*may take clients in Cyprus\./,
  ],
  ['/brokers/pair?residence=CY', /It is not confirmed that pair Global Ltd may take clients in Cyprus\./],
  ['/brokers/pair?residence=CY', /No warning about this firm that we know of is in force\./],
  ['/brokers/alpha?residence=GB', /We cannot say.*Financial Conduct Authority was never read.*found the firm there/],
  ['/brokers/alpha?residence=VN', /We know no register of Vietnam.*found the firm in a register of Vietnam\./],
  ['/brokers/clone?residence=DE', /The alarm above applies wherever you live\. Do not pay\. $/],
  ['/brokers/alpha?residence=US', /If you live in the United States .*a licence for the United States\./],
  ['/de/brokers/alpha?residence=DE', /Wohnsitz in Deutschland.*Wer in Deutschland wohnt, schließt mit alpha Ltd ab/],
  ['/de/brokers/alpha?residence=CH', /Wohnsitz in der Schweiz .*Lizenz für die Schweiz/],
  ['/de/brokers/alpha?residence=US', /Wohnsitz in den Vereinigten Staaten .*Lizenz für die Vereinigten Staaten/],
])('the page %s says the verdict %#', async (path, expected) => {
  expect(await read(path)).toMatch(expected);
});

test('the page of a warned firm calls no protection unknown', async () => {
  expect(await read('/brokers/warned?residence=CY')).not.toContain('a fund pays');
});

test('the page asks for the country without script, and its canonical address has none', async () => {
  const { text } = await send(`${service.origin}/brokers/alpha?residence=DE`, { headers: { Accept: 'text/html' } });
  expect(text).toContain('<form class="verdict-form" action="/brokers/alpha" method="get">');
  expect(text).toContain('<option value="DE" selected>Germany</option>');
  expect(text).toMatch(/<link rel="canonical" href="[^"?]*\/brokers\/alpha">/);
});

/** Lists the countries that the form on a page offers. */
const listOffered = async (path: string): Promise<readonly string[]> => {
  const { text } = await send(`${service.origin}${path}`, { headers: { Accept: 'text/html' } });
  return [...text.matchAll(/<option value="(\w*)"/g)].map(([, value]) => value as string);
};

test('the page offers the countries of known regulators, the chosen one, and a way to all others', async () => {
  const known = await listOffered('/brokers/alpha');
  expect(known).toEqual(expect.arrayContaining(['DE', 'FR', 'GB', 'US']));
  expect([known[0], known.at(-1), known.includes('VN')]).toEqual(['', 'ALL', false]);
  expect(known.length).toBeLessThan(80);
  expect(await listOffered('/brokers/alpha?residence=VN')).toContain('VN');
  const all = await listOffered('/brokers/alpha?residence=all');
  expect(all).toEqual(expect.arrayContaining([...known.slice(0, -1), 'VN', 'NG']));
  expect([all.length > 240, all.includes('ALL')]).toEqual([true, false]);
});

/** Pages that keep the chosen country. */
const KEEPING = /^(?:\/de)?\/(?:brokers(?:\/[^/]+(?:\/(?:proof|history|reviews))?)?|search|compare|check)$/;

/** Returns the addresses of a page that links and forms without other fields lead to, as they are in its HTML. */
const listTargets = (text: string): readonly string[] => {
  const links = [...text.matchAll(/<a\b[^>]* href="(\/[^"#]*)/g)].map((match) => match[1] as string);
  const forms = [...text.matchAll(/<form\b[^>]* action="(\/[^"#]*)".*?<\/form>/gs)].map(([form, action]) => {
    const chosen = /name="residence" value="(\w+)"|name="residence".*?value="(\w+)" selected/s.exec(form);
    return chosen ? `${action}?residence=${chosen[1] ?? chosen[2]}` : (action as string);
  });
  return [...links, ...forms].map((address) => address.replaceAll('&amp;', '&'));
};

test.each([
  ['/brokers/alpha', 12],
  ['/de/brokers/alpha', 12],
  ['/search?q=alpha', 12],
  ['/search?q=nothing-like-it', 12],
])(
  'every link from %s to a page of firms keeps the chosen country, and so do all pages behind it',
  async (start, fewest) => {
    const waiting = [`${start}${start.includes('?') ? '&' : '?'}residence=DE`];
    const known = new Set(waiting);
    for (const address of waiting) {
      const { status, text } = await send(`${service.origin}${address}`, { headers: { Accept: 'text/html' } });
      expect([address, status]).toEqual([address, 200]);
      const targets = listTargets(text).filter((target) => KEEPING.test(target.split('?', 1)[0] as string));
      expect(targets.length).toBeGreaterThan(4);
      // the list alone links to itself without any filter
      const isCleared = (target: string): boolean => /^(?:\/de)?\/brokers$/.test(target) && /\/brokers\?/.test(address);
      const kept = targets.filter((target) => !isCleared(target));
      expect([address, kept.filter((target) => !target.includes('residence=DE'))]).toEqual([address, []]);
      for (const target of kept) {
        if (known.has(target)) continue;
        known.add(target);
        waiting.push(target);
      }
    }
    expect(known.size).toBeGreaterThan(fewest);
  },
);

test('a move of the history to the nearest day keeps the chosen country', async () => {
  const { status, headers } = await send(`${service.origin}/brokers/alpha/history?on=2001-01-01&residence=DE`, {
    headers: { Accept: 'text/html' },
  });
  expect(status).toBe(308);
  expect(headers['location']).toMatch(/^\/brokers\/alpha\/history\?on=\d{4}-\d\d-\d\d&residence=DE$/);
});

test('no page with a verdict calls a firm safe', async () => {
  for (const residence of ['DE', 'FR', 'GB', 'CY', 'VN'])
    expect(await read(`/brokers/alpha?residence=${residence}`)).not.toMatch(/\bsafe/i);
});

test('a data set cannot state into which countries a register lists a passport', async () => {
  const scratch = await createScratch();
  onTestFinished(() => scratch.remove());
  const licenses = [licenseRow('listed Ltd', 'cysec', { type: 'passport', notifiedCountries: ['DE'] })];
  const file = await scratch.ndjson('listed.ndjson', [
    brokerRow('listed', { entities: [{ legalName: 'listed Ltd', country: 'CY' }], licenses }),
  ]);
  const stating = (source: string) =>
    service.cli('import', 'brokers', file, '--stated-by', source, '--source', 'https://list.example/', '--dry-run');
  const refused = await stating('dataset:list');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(
    'column licenses.0.notifiedCountries: "licenses.0.notifiedCountries" must be absent',
  );
  expect(await stating('authority:cysec')).toMatchObject({ code: 0 });
});

test('a program gets the verdict of the page from the one answer', async () => {
  const broker = await service.client().brokers.get('alpha');
  const { permission, entities } = decideVerdict(broker, 'DE', new Date());
  expect(permission?.state).toBe('permitted');
  expect(entities[0]?.protections.map(({ kind }) => kind)).toEqual(['compensation', 'negativeBalance', 'leverage']);
  expect(broker.registers.length).toBeGreaterThan(60);
  expect(broker.registers.filter(({ rules }) => rules).map(({ code }) => code)).toEqual(['cysec']);
});

const post = async (path: string, fields: Readonly<Record<string, string>>): Promise<string> => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
  const body = new URLSearchParams(fields).toString();
  const { status, text } = await send(`${service.origin}${path}`, { method: 'POST', headers, body });
  expect(status).toBe(200);
  return text.replace(/[\u2068\u2069]/g, '');
};

test.each([
  ['alpha', 'DE', 'If you live in Germany: Clients in Germany sign with alpha Ltd, and a register confirms that'],
  ['alpha', 'fr', 'If you live in France: It is not confirmed that a company of this broker may take'],
  ['alpha', 'VN', 'If you live in Vietnam: We cannot say whether it has a licence for Vietnam. Do not pay before'],
  ['warned', 'CY', 'If you live in Cyprus: An authority warns of this firm. Do not pay.'],
  ['clone', 'DE', 'If you live in Germany: This is probably an imitation of another firm. Do not pay.'],
  [
    'alpha login-alpha.example',
    'DE',
    'If you live in Germany: Registers confirm this broker. They cannot say who wrote to you.',
  ],
])('the check of %s for %s says the verdict in one statement', async (text, residence, said) => {
  const page = await post('/check', { text, residence });
  expect(page).toContain(said);
  expect(page).toContain(`?residence=${residence.toUpperCase()}">`);
});

test('the check gives no verdict without a country, or for a text that is not a country', async () => {
  for (const residence of ['', 'nowhere'])
    expect(await post('/check', { text: 'alpha', residence })).not.toMatch(/If you live in|\?residence/);
});

test('the list by residence has the brokers that are confirmed for it, with the count in its choice', async () => {
  const headers = { Accept: 'text/html' };
  for (const [residence, count] of [
    ['DE', 1],
    ['CY', 3],
  ] as const) {
    const { text } = await send(`${service.origin}/brokers?residence=${residence}`, { headers });
    const { data } = await service.client().brokers.list({ residence });
    expect(data).toHaveLength(count);
    for (const { slug } of data) expect(text).toContain(`<a href="/brokers/${slug}?residence=${residence}">`);
    expect(text).toMatch(new RegExp(`<option value="${residence}" selected>[^<]*\\(${count}\\)</option>`));
  }
});

test('links between list, broker, comparison and check keep the chosen country, and canonical addresses do not', async () => {
  const headers = { Accept: 'text/html' };
  for (const [path, links] of [
    ['/brokers?residence=DE', ['/brokers/alpha?residence=DE', '/compare?residence=DE', '/check?residence=DE']],
    [
      '/brokers/alpha?residence=DE',
      ['/compare?a=alpha&amp;residence=DE', '/check?residence=DE', '/brokers?residence=DE'],
    ],
    ['/check?residence=DE', ['/brokers?residence=DE']],
    [
      '/compare?a=alpha&b=warned&residence=DE',
      ['/brokers/alpha?residence=DE', '/brokers/warned?residence=DE', '/compare?a=warned&amp;b=alpha&amp;residence=DE'],
    ],
  ] as const) {
    const { text } = await send(`${service.origin}${path}`, { headers });
    for (const link of links) expect(text, path).toContain(`href="${link}"`);
    expect(/<link rel="canonical" href="([^"]*)"/.exec(text)?.[1] ?? '').not.toContain('residence');
  }
});
