import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, succeeded } from '../support/filled-service.ts';
import type { CliResult } from '../support/process.ts';
import { brokerRow, licenseRow, newsRow, regulatorRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { readAudit } from '../support/trail.ts';
import { until } from '../support/until.ts';

/** Each test starts many processes, and the machine may be slow. */
let service: LocalService;
let scratch: Scratch;

beforeAll(async () => {
  [service, scratch] = await Promise.all([startService({ LOG_LEVEL: 'error' }), createScratch()]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const importFile = (kind: string, file: string, ...options: string[]): Promise<CliResult> =>
  service.cli('import', kind, file, ...options);

/** Expects exit code 1, nothing on stdout, and these lines on stderr. */
const expectRefused = ({ code, stdout, stderr }: CliResult, ...lines: (string | RegExp)[]): void => {
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
  for (const line of lines) expect(stderr).toMatch(line);
  expect(stderr).not.toMatch(/\n\s+at |\[object|undefined/);
};

const found = async (path: string): Promise<boolean> => (await fetch(`${service.baseUrl}${path}`)).ok;
const broker = (slug: string) => getJson(service, `/brokers/${slug}`);

const imported = (what: string, counts = '\\d+ new, \\d+ changed, \\d+ unchanged') =>
  expect.stringMatching(new RegExp(`^${what} imported: ${counts}\\. To take it back: import undo [0-9a-f]{12}\\n$`));

const csv = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('NDJSON', () => {
  test('brings brokers with licences, which the API shows a second later', async () => {
    const file = await scratch.ndjson('brokers.ndjson', [
      brokerRow('nd-one'),
      brokerRow('nd-two', { licenses: [licenseRow('nd-two Ltd', 'asic'), licenseRow('nd-two Ltd', 'cysec')] }),
    ]);
    const { code, stdout, stderr } = await importFile('brokers', file);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: imported('2 brokers'), stderr: '' });
    expect(await broker('nd-two')).toMatchObject({ licenseCount: 2, name: 'nd two' });
    const { data } = (await getJson(service, '/search?q=nd-one')) as { data: { slug: string }[] };
    expect(data[0]?.slug).toBe('nd-one');
  });

  test('finds a broker again by its slug, keeps its id, and replaces its licences only if they are given', async () => {
    succeeded(
      await importFile(
        'brokers',
        await scratch.ndjson('first.ndjson', [brokerRow('nd-again', { lei: '529900T8BM49AURSDO55' })]),
      ),
    );
    const before = await broker('nd-again');
    const { licenses: _, ...facts } = brokerRow('nd-again', { name: 'Renamed' });
    succeeded(await importFile('brokers', await scratch.ndjson('second.ndjson', [facts])));
    const after = await broker('nd-again');
    expect(after).toMatchObject({ id: before['id'], name: 'Renamed', licenses: before['licenses'] });
    expect(after).toHaveProperty('lei', '529900T8BM49AURSDO55');
    succeeded(await importFile('brokers', await scratch.ndjson('fourth.ndjson', [{ ...facts, lei: null }])));
    expect(await broker('nd-again')).not.toHaveProperty('lei');
    succeeded(await importFile('brokers', await scratch.ndjson('third.ndjson', [{ ...facts, licenses: [] }])));
    expect(await broker('nd-again')).toMatchObject({ licenses: [], licenseCount: 0 });
  });

  test('brings regulators, whose tier changes the scores of their brokers', async () => {
    succeeded(await importFile('regulators', await scratch.ndjson('r1.ndjson', [regulatorRow('xx-one', { tier: 1 })])));
    const row = brokerRow('nd-tier', { licenses: [licenseRow('nd-tier Ltd', 'xx-one')] });
    succeeded(await importFile('brokers', await scratch.ndjson('b1.ndjson', [row])));
    const before = (await broker('nd-tier')) as { score: { value: number }; bestTier: number };
    succeeded(await importFile('regulators', await scratch.ndjson('r2.ndjson', [regulatorRow('xx-one', { tier: 4 })])));
    const after = (await broker('nd-tier')) as typeof before;
    expect([before.bestTier, after.bestTier]).toEqual([1, 4]);
    expect(after.score.value).toBeLessThan(before.score.value);
    expect(await getJson(service, '/regulators/xx-one')).toMatchObject({ tier: 4, brokerCount: 1 });
  });

  test('brings news, and finds it again by its address', async () => {
    const rows = [newsRow(1, { regulatorCodes: ['fca'] }), newsRow(2)];
    succeeded(await importFile('news', await scratch.ndjson('news.ndjson', rows)));
    succeeded(
      await importFile('news', await scratch.ndjson('news2.ndjson', [newsRow(1, { title: 'Corrected title' })])),
    );
    const { data } = (await getJson(service, '/news')) as { data: { title: string; url: string }[] };
    const titles = data.filter(({ url }) => /\/[12]$/.test(url)).map(({ title }) => title);
    expect(titles).toEqual(['Item number 2', 'Corrected title']);
  });

  test('an NDJSON file may have a byte order mark, CRLF, blank lines and no final line feed', async () => {
    const rows = ['bom-one', 'bom-two'].map((slug) => JSON.stringify(brokerRow(slug)));
    const file = await scratch.write('windows.jsonl', `\ufeff${rows[0]}\r\n\r\n   \r\n${rows[1]}`);
    expect(succeeded(await importFile('brokers', file))).toEqual(imported('2 brokers'));
    expect(await found('/brokers/bom-two')).toBe(true);
  });
});

describe('CSV', () => {
  const HEADER =
    'slug,name,legalName,website,country,domains,licensesCheckedAt,entities.0.legalName,entities.0.country';
  const LICENSE =
    'licenses.0.entity.legalName,licenses.0.regulatorCode,licenses.0.referenceNumber,licenses.0.type,licenses.0.status,licenses.0.activeSince,licenses.0.sourceUrl,licenses.0.permissions,entities.0.retailClients,foundedYear';
  const cells = (slug: string): string =>
    `${slug},"Name, of ${slug}",${slug} ` +
    `Ltd,https://${slug}.example/,GB,${slug}.example|www.${slug}.example,2026-01-05T00:00:00Z,${slug} Ltd,GB`;

  test('a CSV file has columns by path, lists separated by |, numbers, booleans and empty cells', async () => {
    const license =
      'csv-one Ltd,fca,123456,authorisation,active,2012-03-01,https://register.example/1,Dealing | Arranging';
    const file = await scratch.write(
      'one.csv',
      csv(`${HEADER},${LICENSE}`, `${cells('csv-one')},${license},false,1999`, `${cells('csv-two')}${','.repeat(10)}`),
    );
    // The second row has no licence: its cells are empty, and so is the first list entry.
    expect(succeeded(await importFile('brokers', file))).toEqual(imported('2 brokers'));
    expect(await broker('csv-one')).toMatchObject({
      name: 'Name, of csv-one',
      domains: ['csv-one.example', 'www.csv-one.example'],
      foundedYear: 1999,
      entities: [{ legalName: 'csv-one Ltd', retailClients: false }],
      licenses: [{ regulatorCode: 'fca', referenceNumber: '123456', permissions: ['Dealing', 'Arranging'] }],
    });
    expect(await broker('csv-two')).toMatchObject({ foundedYear: null, licenses: [] });
  });

  test('a CSV file may have a byte order mark, CRLF, line feeds inside quotes and blank lines', async () => {
    const text = `\ufeff${HEADER},description\r\n${cells('csv-win')},"two\r\nlines"\r\n\r\n${cells('csv-win2')},\r\n`;
    expect(succeeded(await importFile('brokers', await scratch.write('win.csv', text)))).toEqual(imported('2 brokers'));
    expect((await broker('csv-win'))['description']).toMatch(/^two\r?\nlines$/);
  });

  test('brings regulators and news', async () => {
    const regulators = csv(
      'code,name,country,tier,tierReason,website,registerUrl,complaintsUrl,protections.compensationLimit.amount,protections.compensationLimit.currency,protections.negativeBalance,sources.0.fact,sources.0.url',
      'xx-csv,CSV Authority,MT,2,"A made-up authority, for this test ' +
        'only.",https://a.example/,https://a.example/r,https://a.example/c,1000.00,EUR,true,register,https://a.example/r',
    );
    const news = csv(
      'title,summary,url,source,category,language,publishedAt,regulatorCodes,severity',
      'A title,A summary,https://news.example/csv,Gazette,warning,en,2026-02-01T00:00:00Z,fca|asic,serious',
    );
    const regulatorFile = await scratch.write('regulators.csv', regulators);
    const result = await importFile('regulators', regulatorFile);
    // An empty cell is not null, so a required field that may be null is reported.
    expectRefused(result, 'line 2, column protections.segregation', 'line 2, column protections.retailLeverageCap');
    expect(succeeded(await importFile('news', await scratch.write('news.csv', news)))).toEqual(imported('1 news'));
    const { data } = (await getJson(service, '/news')) as { data: { url: string; regulatorCodes: string[] }[] };
    expect(data.find(({ url }) => url.endsWith('/csv'))?.regulatorCodes).toEqual(['fca', 'asic']);
  });

  test('a file that cannot be read as rows is refused by its line', async () => {
    const files: readonly [title: string, content: string | Buffer, ...lines: (string | RegExp)[]][] = [
      [
        'an unknown column',
        csv('slug,webiste', 'a,b'),
        /column 2: "webiste" is not a known column; did you mean "website"\?/,
      ],
      [
        'an unknown column below one',
        csv('slug,licenses.0.colour', 'a,b'),
        /column 2: "licenses\.0\.colour" is not a known column\./,
      ],
      [
        'a column that holds a whole object',
        csv('slug,entities.0', 'a,b'),
        'column 2: "entities.0" has parts, which no single cell holds: write them as "entities.0.legalName" and so on',
      ],
      ['the same column twice', csv('slug,name,slug', 'a,b,c'), 'line 1, column 3: "slug" is there twice'],
      ['a column without name', csv('slug,,name', 'a,b,c'), 'line 1, column 2: "" is not a known column'],
      ['a prototype for a column', csv('slug,__proto__.x', 'a,b'), 'line 1, column 2'],
      ['a row that is too short', csv('slug,name', 'a'), /line [12]/],
      ['a row that is too long', csv('slug,name', 'a,b,c'), /line [12]/],
      ['a quote without end', csv('slug,name', '"a,b'), /line \d/],
      ['a quote in the middle', csv('slug,name', 'a"b,c'), /line [12]/],
      [
        'bytes that are not UTF-8',
        Buffer.from('slug,name\nm\x81ller,x\n', 'latin1'),
        'is neither UTF-8 nor Windows-1252',
        'save it as "CSV UTF-8"',
      ],
      ['semicolons between commas', 'slug;name,\na;b,\n', 'line 1, column 1: "slug;name" is not a known column'],
    ];
    for (const [title, content, ...lines] of files) {
      const file = await scratch.write(`${title.replaceAll(' ', '-')}.csv`, content);
      expectRefused(await importFile('brokers', file), 'othing was imported', ...lines);
    }
  });

  test('spreadsheets as offices save them are read once the form of their days is stated', async () => {
    const header = [
      ...['slug', 'name', 'legalName', 'website', 'country', 'entities.0.legalName', 'entities.0.country'],
      ...['entities.0.retailClients', 'licenses.0.entity.legalName', 'licenses.0.regulatorCode'],
      ...['licenses.0.referenceNumber', 'licenses.0.type', 'licenses.0.status', 'licenses.0.activeSince'],
      ...['licenses.0.sourceUrl', 'licenses.0.lastVerifiedAt'],
    ];
    const row = [
      ...['office-fx', 'Büro FX', 'Büro FX Ltd', 'https://office.example/', 'GB', 'Büro FX Ltd', 'GB', 'WAHR'],
      ...['Büro FX Ltd', 'fca', '000123', 'authorisation', 'active', '01.03.2014', 'https://register.example/1'],
      '02.11.2026 9:30',
    ];
    const empty = header.map(() => '').join(';');
    const content = Buffer.from(['sep=;', header.join(';'), row.join(';'), empty, ''].join('\r\n'), 'latin1');
    const file = await scratch.write('office.csv', content);
    expectRefused(
      await importFile('brokers', file),
      'office.csv: The file is not UTF-8. It was read as windows-1252, in which it has "Büro". If that is wrong, state its --encoding.',
      'line 3, column licenses.0.activeSince: "licenses.0.activeSince" must be a day as YYYY-MM-DD, not "01.03.2014": ' +
        'state the order of its parts, --dates dmy, mdy or ymd.',
    );
    expectRefused(await importFile('brokers', file, '--dates', 'dmy', '--encoding', 'utf-8'), 'state its --encoding');
    const result = await importFile('brokers', file, '--dates', 'dmy');
    expect(succeeded(result)).toEqual(imported('1 brokers', '1 new, 0 changed, 0 unchanged'));
    const { entities, licenses, name } = (await broker('office-fx')) as Record<string, Record<string, unknown>[]>;
    expect(name).toBe('Büro FX');
    expect(entities?.[0]).toMatchObject({ retailClients: true });
    const license = {
      referenceNumber: '000123',
      activeSince: '2014-03-01',
      lastVerifiedAt: '2026-11-02T09:30:00.000Z',
    };
    expect(licenses?.[0]).toMatchObject(license);
  });

  test('cells that do not fit their column are named by line and column', async () => {
    const file = await scratch.write(
      'cells.csv',
      csv(
        `${HEADER},${LICENSE}`,
        `${cells('csv-bad')},csv-bad Ltd,fca,1,authorisation,alive,yesterday,ftp://x,,yes,MCM`,
      ),
    );
    expectRefused(
      await importFile('brokers', file),
      'line 2, column foundedYear: "foundedYear" must be',
      'line 2, column licenses.0.status: "licenses.0.status" must be one of',
      'line 2, column licenses.0.activeSince',
      'line 2, column licenses.0.sourceUrl',
      'line 2, column entities.0.retailClients',
      '5 faults in 1 rows: nothing was imported.',
    );
    expect(await found('/brokers/csv-bad')).toBe(false);
  });
});

describe('a file with faults', () => {
  test('times at which something happened must not lie ahead: row and field are named, and ends may', async () => {
    const licensed = (slug: string, ofLicense: object) =>
      brokerRow(slug, { licenses: [licenseRow(`${slug} Ltd`, 'fca', { ...ofLicense })] });
    const rows = [
      brokerRow('ahead-checked', { licensesCheckedAt: '2090-11-02T09:30:00Z', foundedYear: 2099 }),
      licensed('ahead-licensed', { issuedAt: '2090-03-01T00:00:00Z' }),
    ];
    expectRefused(
      await importFile('brokers', await scratch.ndjson('ahead.ndjson', rows)),
      'line 1, column licensesCheckedAt: "licensesCheckedAt" must not be in the future, not "2090-11-02T09:30:00Z".',
      'line 1, column foundedYear: "foundedYear" must not be in the future, not "2099".',
      'line 2, column licenses.0.issuedAt: "licenses.0.issuedAt" must not be in the future',
      '3 faults in 2 rows: nothing was imported.',
    );
    const later = await scratch.ndjson('later.ndjson', [licensed('ends-later', { expiresAt: '2090-01-31T00:00:00Z' })]);
    expect(await importFile('brokers', later)).toMatchObject({ code: 0 });
  });

  test('a file with faults is refused with every fault named, and not even its good rows are written', async () => {
    const good = JSON.stringify(brokerRow('bad-good'));
    const lines = [
      good,
      JSON.stringify(brokerRow('bad-extra', { colour: 'green' })),
      '{"slug":',
      'null',
      '[]',
      '"text"',
      JSON.stringify({ ...brokerRow('bad-missing'), name: undefined }),
      JSON.stringify(brokerRow('Bad Slug')),
      JSON.stringify(brokerRow('bad-type', { name: 5, country: 'Britain', foundedYear: '1999' })),
      JSON.stringify(brokerRow('bad-text', { name: 'a\0b', legalName: '\ud800' })),
      JSON.stringify(
        brokerRow('bad-license', { licenses: [licenseRow('bad-license Ltd', 'fca', { status: 'alive' })] }),
      ),
      JSON.stringify(
        brokerRow('bad-dangling', {
          licenses: [licenseRow('bad-dangling Ltd', 'fca'), licenseRow('bad-dangling Ltd', 'no-such')],
        }),
      ),
      JSON.stringify(
        brokerRow('bad-twice', { licenses: [licenseRow('bad-twice Ltd', 'fca'), licenseRow('bad-twice Ltd', 'fca')] }),
      ),
      JSON.stringify(brokerRow('bad-url', { website: 'javascript:alert(1)' })),
      good,
    ];
    const file = await scratch.write('faults.ndjson', `${lines.join('\n')}\n`);
    const result = await importFile('brokers', file);
    expectRefused(
      result,
      'line 2, column colour: "colour" is not known here',
      'line 3: The line is not JSON',
      'line 4: The body must be a',
      'line 5: The body must be a',
      'line 6: The body must be a',
      'line 7, column name: "name" is required',
      'line 8, column slug: ',
      'line 9, column name: ',
      'line 9, column country: ',
      'line 9, column foundedYear: ',
      'line 10, column name: ',
      'line 10, column legalName: ',
      'line 11, column licenses.0.status: ',
      'line 12, column licenses.1.regulatorCode: There is no regulator "no-such".',
      'line 13, column licenses.1: ',
      'line 14, column website: ',
      'line 15: "bad-good" is on line 1 already.',
      'faults in 15 rows: nothing was imported.',
    );
    expect(result.stderr).toContain(`${file}: line 2`);
    expect(await found('/brokers/bad-good')).toBe(false);
    expect(await found('/brokers/bad-license')).toBe(false);
  });

  test('a file of news is refused for unknown brokers and regulators', async () => {
    const row = newsRow(7, { brokerSlugs: ['no-such'], regulatorCodes: ['fca', 'nobody'] });
    expectRefused(
      await importFile('news', await scratch.ndjson('dangling.ndjson', [row])),
      'line 1, column brokerSlugs.0: There is no broker "no-such".',
      'line 1, column regulatorCodes.1: There is no regulator "nobody".',
      '2 faults in 1 rows',
    );
  });

  test('a file with many faults is refused with their number and the first hundred of them', async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => (index % 2 ? newsRow(1000 + index) : { nothing: index }));
    const { code, stderr, stdout } = await importFile('news', await scratch.ndjson('many.ndjson', rows), '--json');
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report.faults).toHaveLength(100);
    expect(report).toMatchObject({ rows: 1200, written: 0 });
    expect(report.faultCount).toBeGreaterThan(600);
    expect(stderr).toMatch(new RegExp(`^${report.faultCount} faults in 1200 rows: nothing was imported\\.$`, 'm'));
    const { data } = (await getJson(service, '/news?limit=100')) as { data: { url: string }[] };
    expect(data.filter(({ url }) => /\/1\d{3}$/.test(url))).toEqual([]);
  });
});

describe('something that is no file of rows', () => {
  test('an input that is not a file of rows is refused in one line', async () => {
    const file = await scratch.ndjson('brokers.txt', [brokerRow('x')]);
    const long = await scratch.write('long.ndjson', `[${'{},'.repeat(500_000)}{}]`);
    const refusals: readonly [path: string, message: RegExp][] = [
      [`${scratch.path}/none.ndjson`, /^There is no file ".*none\.ndjson"\.\n$/],
      [scratch.path, /^".*" is not a file\.\n$/],
      [long, /line 1 is longer/],
    ];
    for (const [path, message] of refusals) {
      const result = await importFile('brokers', path);
      expectRefused(result, message);
      expect(result.stderr).toMatch(/^[^\n]+\n$/);
    }
    expect(succeeded(await importFile('brokers', file, '--format', 'ndjson', '--dry-run'))).toContain(
      '1 brokers: 1 new, 0 changed, 0 unchanged. Nothing was written.\n',
    );
  });

  test('a file without rows is refused, since that is hardly intended', async () => {
    const files = [
      await scratch.write('empty.ndjson', ''),
      await scratch.write('empty.csv', ''),
      await scratch.write('header.csv', 'slug,name\n'),
    ];
    for (const file of files) expectRefused(await importFile('brokers', file), 'The file has no rows.');
  });
});

test('a dry run checks everything and writes nothing', async () => {
  const file = await scratch.ndjson('dry.ndjson', [brokerRow('dry-run')]);
  expect(succeeded(await importFile('brokers', file, '--dry-run'))).toContain(
    '1 brokers: 1 new, 0 changed, 0 unchanged. Nothing was written.\n',
  );
  expect(await found('/brokers/dry-run')).toBe(false);
  const bad = await scratch.ndjson('dry-bad.ndjson', [brokerRow('dry-run', { name: '' })]);
  expectRefused(await importFile('brokers', bad, '--dry-run'), 'line 1, column name');
});

test('the report is available as JSON', async () => {
  const file = await scratch.ndjson('report.ndjson', [brokerRow('report-one')]);
  const good = await importFile('brokers', file, '--json');
  expect([good.code, JSON.parse(good.stdout)]).toEqual([
    0,
    {
      rows: 1,
      faults: [],
      faultCount: 0,
      written: 1,
      new: 1,
      changed: 0,
      unchanged: 0,
      overruled: 0,
      bad: 0,
      run: expect.stringMatching(/^[0-9a-f]{12}$/),
    },
  ]);
});

test('the audit trail records who imported, and every field that changed', async () => {
  const bring = async (row: object, ...options: string[]) =>
    succeeded(await importFile('brokers', await scratch.ndjson('audit.ndjson', [row]), ...options));
  const row = brokerRow('audit-one');
  await bring(row, '--actor', 'carol');
  const licenses = [licenseRow('audit-one Ltd', 'fca', { status: 'suspended' })];
  await bring({ slug: 'audit-one', name: 'Another name', licenses }, '--actor', 'dan');
  const [first, second, ...more] = await readAudit(service, 'audit-one');
  expect(first).toMatchObject({
    action: 'broker.imported',
    actor: { type: 'operator', name: 'carol' },
    before: null,
    after: { name: 'audit one', 'licenses.fca REF-fca audit-one Ltd.status': 'active' },
  });
  expect(first?.['at']).toBeInstanceOf(Date);
  expect(second).toMatchObject({ action: 'broker.imported', actor: { type: 'operator', name: 'dan' } });
  expect(second?.['before']).toEqual({
    name: 'audit one',
    'licenses.fca REF-fca audit-one Ltd.status': 'active',
    'licenses.fca REF-fca audit-one Ltd.lastVerifiedAt': row['licensesCheckedAt'],
  });
  expect(second?.['after']).toEqual({
    name: 'Another name',
    'licenses.fca REF-fca audit-one Ltd.status': 'suspended',
    'licenses.fca REF-fca audit-one Ltd.lastVerifiedAt': null,
  });
  expect(more).toEqual([]);
});

describe('a file that says little', () => {
  const warning = {
    source: 'An authority',
    url: 'https://authority.example/warning',
    title: 'Not authorised',
    publishedAt: '2026-02-01T00:00:00Z',
    about: 'this_firm',
  };
  const item = { key: 'fees', met: true, sourceUrl: null, checkedAt: null };

  test('a sheet leaves everything that it does not say: columns that are not there, and empty cells', async () => {
    const full = brokerRow('five-columns', { warnings: [warning], description: 'What it does.', foundedYear: 1999 });
    succeeded(await importFile('brokers', await scratch.ndjson('full.ndjson', [full])));
    const before = await broker('five-columns');
    const sheet = await scratch.write(
      'five.csv',
      csv('slug,name,country,foundedYear,description', 'five-columns,Five Columns,IE,,'),
    );
    expect(succeeded(await importFile('brokers', sheet))).toEqual(
      imported('1 brokers', '0 new, 1 changed, 0 unchanged'),
    );
    const computed = { score: expect.anything(), updatedAt: expect.anything(), color: expect.anything() };
    await until('it shows', 5000, async () => (await broker('five-columns'))['country'] === 'IE');
    expect(await broker('five-columns')).toEqual({ ...before, ...computed, name: 'Five Columns', country: 'IE' });
    expect((await broker('five-columns'))['warnings']).toEqual([warning]);
  });

  test('a sheet takes a field back only by a cell that says null', async () => {
    const full = brokerRow('taken-back', { foundedYear: 1999, description: 'Text.', lei: '529900T8BM49AURSDO55' });
    succeeded(await importFile('brokers', await scratch.ndjson('full.ndjson', [full])));
    const sheet = await scratch.write('back.csv', csv('slug,lei,description,foundedYear', 'taken-back,null,null,null'));
    succeeded(await importFile('brokers', sheet));
    await until('it shows', 5000, async () => (await broker('taken-back'))['description'] === '');
    expect(await broker('taken-back')).toMatchObject({ foundedYear: null, name: 'taken back' });
    expect(await broker('taken-back')).not.toHaveProperty('lei');
    const lists = await scratch.ndjson('lists.ndjson', [{ slug: 'taken-back', licenses: null, domains: null }]);
    succeeded(await importFile('brokers', lists));
    await until('it shows', 5000, async () => (await broker('taken-back'))['licenseCount'] === 0);
    expect(await broker('taken-back')).toMatchObject({ licenses: [], domains: [] });
    const needed = await scratch.write('needed.csv', csv('slug,name', 'taken-back,null'));
    expectRefused(await importFile('brokers', needed), 'line 2, column name: "name" cannot be taken back');
  });

  test('a sheet is refused if a stored licence would lose its holder', async () => {
    succeeded(await importFile('brokers', await scratch.ndjson('full.ndjson', [brokerRow('orphan')])));
    const sheet = await scratch.write(
      'entities.csv',
      csv('slug,entities.0.legalName,entities.0.country', 'orphan,Another Ltd,GB'),
    );
    expectRefused(await importFile('brokers', sheet), 'must be the legal name of one of entities');
  });

  test('a sheet changes the order in which a list is published', async () => {
    const entities = ['b', 'a'].map((name) => ({ legalName: `order ${name}`, country: 'GB' }));
    const row = brokerRow('order', { entities, licenses: [] });
    succeeded(await importFile('brokers', await scratch.ndjson('order.ndjson', [row])));
    const turned = await scratch.ndjson('turned.ndjson', [{ slug: 'order', entities: entities.toReversed() }]);
    succeeded(await importFile('brokers', turned));
    await until('it shows', 5000, async () => {
      const [first] = (await broker('order'))['entities'] as { legalName: string }[];
      return first?.legalName === 'order a';
    });
  });

  test('a sheet finds a record by its key, whatever blanks surround it', async () => {
    const row = newsRow(4714);
    succeeded(await importFile('news', await scratch.ndjson('url.ndjson', [row])));
    const file = await scratch.ndjson('blank.ndjson', [{ url: ` ${row['url']} `, title: 'Another title' }]);
    const result = JSON.parse(succeeded(await importFile('news', file, '--json')));
    expect(result).toMatchObject({ new: 0, changed: 1 });
    succeeded(await service.cli('import', 'undo', result.run, '--yes', result.run));
    const titles = async () =>
      ((await getJson(service, '/news?limit=100')) as { data: { title: string; url: string }[] }).data
        .filter(({ url }) => url === row['url'])
        .map(({ title }) => title);
    await until('it is back', 5000, async () => (await titles())[0] === row['title']);
  });

  test('a sheet that adds a record is refused by the fields it lacks', async () => {
    const sheet = await scratch.write('new.csv', csv('slug,name', 'not-there,Not There'));
    expectRefused(await importFile('brokers', sheet), 'line 2, column legalName: "legalName" is required');
  });

  test('a sheet does not credit its source for what others said', async () => {
    const source = { fact: 'website', sourceUrl: 'https://other.example/' };
    const full = brokerRow('credited', { provenance: [source] });
    succeeded(await importFile('brokers', await scratch.ndjson('full.ndjson', [full])));
    const sheet = await scratch.write('credit.csv', csv('slug,name', 'credited,Credited'));
    const terms = ['--attribution', 'Example Registry', '--source', 'https://data.example/'];
    succeeded(await importFile('brokers', sheet, ...terms));
    await until('it shows', 5000, async () => (await broker('credited'))['name'] === 'Credited');
    expect((await broker('credited'))['provenance']).toEqual([
      { ...source, lastVerifiedAt: null },
      { fact: 'profile', sourceUrl: 'https://data.example/', lastVerifiedAt: null, attribution: 'Example Registry' },
    ]);
    succeeded(await importFile('brokers', sheet, ...terms));
    expect((await broker('credited'))['provenance']).toHaveLength(2);
  });

  test.each([
    ['brokers', brokerRow('same-again', { warnings: [warning], checklist: [item] }), 'broker', 'same-again'],
    ['regulators', regulatorRow('zz-same'), 'regulator', 'zz-same'],
    ['news', newsRow(4711), 'news', undefined],
  ])('a sheet that says what is there already writes nothing: %s', async (kind, row, subject, id) => {
    const file = await scratch.ndjson('same.ndjson', [row]);
    succeeded(await importFile(kind, file));
    const entries = () =>
      inDatabase(service, (db) =>
        db.collection('audit').countDocuments({ 'subject.kind': subject, ...(id ? { 'subject.id': id } : {}) }),
      );
    const before = await entries();
    expect(succeeded(await importFile(kind, file))).toEqual(imported(`0 ${kind}`, '0 new, 0 changed, 1 unchanged'));
    expect(await entries()).toBe(before);
  });
});

describe('a dry run', () => {
  test('shows each field that would change, and the score, before and after', async () => {
    const licenses = [licenseRow('dry-change Ltd', 'fca')];
    succeeded(await importFile('brokers', await scratch.ndjson('dry.ndjson', [brokerRow('dry-change', { licenses })])));
    await until('it shows', 5000, () => found('/brokers/dry-change'));
    const before = (await broker('dry-change')) as { score: { value: number } };
    const rows = [
      { slug: 'dry-change', country: 'IE', licenses: [{ ...licenses[0], status: 'revoked' }] },
      brokerRow('dry-new'),
      brokerRow('dry-change-not'),
    ];
    succeeded(await importFile('brokers', await scratch.ndjson('not.ndjson', [rows[2]])));
    const file = await scratch.ndjson('dry.ndjson', rows);
    const text = succeeded(await importFile('brokers', file, '--dry-run'));
    expect(text).toMatch(/^1 +dry-change +score +[\d.]+ +[\d.]+$/m);
    expect(text).toMatch(/^1 +dry-change +country +GB +IE$/m);
    expect(text).toMatch(/^1 +dry-change +licenses\.fca REF-fca dry-change Ltd\.status +active +revoked$/m);
    expect(text).toMatch(/^2 +dry-new +\(new\) +– +[\d.]+$/m);
    expect(text).toContain('3 brokers: 1 new, 1 changed, 1 unchanged. Nothing was written.\n');
    const { changes, ...report } = JSON.parse(succeeded(await importFile('brokers', file, '--dry-run', '--json')));
    expect(report).toEqual({
      rows: 3,
      faults: [],
      faultCount: 0,
      written: 0,
      new: 1,
      changed: 1,
      unchanged: 1,
      overruled: 0,
      bad: 0,
    });
    expect(changes).toMatchObject([
      { line: 1, key: 'dry-change' },
      { line: 2, key: 'dry-new', change: 'new' },
    ]);
    expect(changes[0].fields).toEqual([
      { field: 'country', before: 'GB', after: 'IE' },
      { field: 'licenses.fca REF-fca dry-change Ltd.status', before: 'active', after: 'revoked' },
      { field: 'licenses.fca REF-fca dry-change Ltd.lastVerifiedAt', before: expect.any(String), after: null },
    ]);
    expect(changes[0].score.before).toBeCloseTo(before.score.value, 0);
    succeeded(await importFile('brokers', file));
    await until('it shows', 5000, async () => (await broker('dry-change'))['country'] === 'IE');
    const after = (await broker('dry-change')) as { score: { value: number } };
    expect(after.score.value).toBeLessThan(before.score.value);
    expect(changes[0].score.after).toBeCloseTo(after.score.value, 0);
    const fresh = (await broker('dry-new')) as { score: { value: number } };
    expect(changes[1].score).toEqual({ before: null, after: fresh.score.value });
  });
});

describe('--bad-rows', () => {
  test('imports the good rows, and writes the others with reasons into a file that can be imported', async () => {
    const path = scratch.file('bad.csv');
    const sheet = await scratch.write(
      'mixed.csv',
      csv(
        'slug,name,legalName,website,country,description',
        'mixed-good,Mixed Good,Mixed Good Ltd,https://mixed.example/,GB,',
        'mixed-bad,Mixed Bad,Mixed Bad Ltd,https://mixed.example/,Britain,"a, ""quoted"" text"',
        'mixed-good,Again,Mixed Good Ltd,https://mixed.example/,GB,',
      ),
    );
    const result = await importFile('brokers', sheet, '--bad-rows', path);
    expect(succeeded(result)).toContain(`The rows with faults are in ${path}.\n1 brokers imported: 1 new,`);
    expect(result.stderr).toMatch(/line 3, column country: .*\n.*line 4: "mixed-good" is on line 2 already\./);
    await until('it shows', 5000, () => found('/brokers/mixed-good'));
    expect(await found('/brokers/mixed-bad')).toBe(false);
    const bad = await scratch.read('bad.csv');
    expect(bad).toMatch(/^#line,#reasons,slug,name,legalName,website,country,description\n3,"?country: /);
    expect(bad.trimEnd().split('\n')).toHaveLength(3);
    const again = await importFile('brokers', sheet, '--bad-rows', path);
    expectRefused(again, `There is a file "${path}" already`);
    const mended = bad.replaceAll('Britain', 'GB').split('\n').slice(0, 2).join('\n');
    succeeded(await importFile('brokers', await scratch.write('mended.csv', mended)));
    await until('it shows', 5000, () => found('/brokers/mixed-bad'));
    expect(await broker('mixed-bad')).toMatchObject({ description: 'a, "quoted" text' });
  });

  test('keeps what is no JSON, and writes no file if every row is good', async () => {
    const file = await scratch.write('mixed.ndjson', `{oops\n${JSON.stringify(newsRow(4712))}\n`);
    const path = scratch.file('bad.ndjson');
    expect(succeeded(await importFile('news', file, '--bad-rows', path))).toContain('1 news imported');
    const reasons = 'The line is not JSON from column 2 on.';
    expect(JSON.parse(await scratch.read('bad.ndjson'))).toEqual({ '#line': 1, '#reasons': reasons, '#text': '{oops' });
    const good = await scratch.ndjson('good.ndjson', [newsRow(4713)]);
    succeeded(await importFile('news', good, '--bad-rows', scratch.file('none.ndjson')));
    await expect(scratch.read('none.ndjson')).rejects.toThrow('ENOENT');
  });

  test('writes no file in a dry run, or for a file that cannot be read to its end', async () => {
    const path = scratch.file('unwritten.csv');
    const header = 'slug,name,legalName,website,country';
    const bad = await scratch.write('bad-only.csv', csv(header, 'x y,X,X Ltd,https://x.example/,GB'));
    succeeded(await importFile('brokers', bad, '--bad-rows', path, '--dry-run'));
    const ragged = await scratch.write('ragged.csv', csv(header, 'x y,X,X Ltd,https://x.example/,GB', 'too,few'));
    expectRefused(await importFile('brokers', ragged, '--bad-rows', path), 'ragged.csv: after line 2');
    await expect(scratch.read('unwritten.csv')).rejects.toThrow('ENOENT');
    const empty = await scratch.write('empty.csv', csv(header));
    expectRefused(await importFile('brokers', empty, '--bad-rows', path), 'The file has no rows.');
  });

  test('imports nothing if no row is good', async () => {
    const file = await scratch.ndjson('none-good.ndjson', [{ slug: 'none-good' }]);
    const result = await importFile('brokers', file, '--bad-rows', scratch.file('all-bad.ndjson'));
    expect(succeeded(result)).toContain('Nothing was imported.\n');
  });
});

test('imports a thousand brokers in several transactions', async () => {
  const rows = Array.from({ length: 1001 }, (_, index) => brokerRow(`bulk-${index}`));
  expect(succeeded(await importFile('brokers', await scratch.ndjson('bulk.ndjson', rows)))).toEqual(
    imported('1001 brokers'),
  );
  await until('the last shows', 5000, () => found('/brokers/bulk-1000'));
});
