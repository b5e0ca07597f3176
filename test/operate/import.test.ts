import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, succeeded } from '../support/filled-service.ts';
import { brokerRow, licenseRow, newsRow, regulatorRow } from '../support/records.ts';
import { type CliResult, type Service, startService, until } from '../support/service.ts';

/** Each test starts many processes, and the machine may be slow. */
vi.setConfig({ testTimeout: 180_000 });

let service: Service;
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

const imported = (what: string) =>
  expect.stringMatching(new RegExp(`^${what} imported\\. To take it back: import undo [0-9a-f]{12}\\n$`));

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
    expect(after).not.toHaveProperty('lei');
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

  test('may have a byte order mark, CRLF, blank lines and no final line feed', async () => {
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

  test('has columns by path, lists separated by |, numbers, booleans and empty cells', async () => {
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

  test('may have a byte order mark, CRLF, line feeds inside quotes and blank lines', async () => {
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
    // A cell cannot hold null, so a required field that may be null is reported.
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
        /column 2: "licenses\.0\.colour" is not a known column/,
      ],
      [
        'a column that holds a whole object',
        csv('slug,entities.0', 'a,b'),
        'column 2: "entities.0" is not a known column',
      ],
      ['the same column twice', csv('slug,name,slug', 'a,b,c'), 'line 1, column 3: "slug" is there twice'],
      ['a column without name', csv('slug,,name', 'a,b,c'), 'line 1, column 2: "" is not a known column'],
      ['a prototype for a column', csv('slug,__proto__.x', 'a,b'), 'line 1, column 2'],
      ['a row that is too short', csv('slug,name', 'a'), /line [12]/],
      ['a row that is too long', csv('slug,name', 'a,b,c'), /line [12]/],
      ['a quote without end', csv('slug,name', '"a,b'), /line \d/],
      ['a quote in the middle', csv('slug,name', 'a"b,c'), /line [12]/],
      ['bytes that are not UTF-8', Buffer.from('slug,name\nm\xfcller,x\n', 'latin1'), 'line 2', 'UTF-8'],
      ['semicolons', 'slug;name\na;b\n', 'line 1, column 1: "slug;name" is not a known column'],
    ];
    for (const [title, content, ...lines] of files) {
      const file = await scratch.write(`${title.replaceAll(' ', '-')}.csv`, content);
      expectRefused(await importFile('brokers', file), 'othing was imported', ...lines);
    }
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
  test('is refused with every fault named, and no row is written, not even the good ones', async () => {
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

  test('is refused for unknown brokers and regulators in news', async () => {
    const row = newsRow(7, { brokerSlugs: ['no-such'], regulatorCodes: ['fca', 'nobody'] });
    expectRefused(
      await importFile('news', await scratch.ndjson('dangling.ndjson', [row])),
      'line 1, column brokerSlugs.0: There is no broker "no-such".',
      'line 1, column regulatorCodes.1: There is no regulator "nobody".',
      '2 faults in 1 rows',
    );
  });

  test('is refused with the number of faults and the first hundred of them', async () => {
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
  test('is refused in one line', async () => {
    const file = await scratch.ndjson('brokers.txt', [brokerRow('x')]);
    const long = await scratch.write('long.ndjson', `[${'{},'.repeat(500_000)}{}]`);
    const refusals: readonly [path: string, message: RegExp][] = [
      [`${scratch.path}/none.ndjson`, /^There is no file ".*none\.ndjson"\.\n$/],
      [scratch.path, /^".*" is not a file\.\n$/],
      [file, /--format ndjson/],
      [long, /line 1 is longer/],
    ];
    for (const [path, message] of refusals) {
      const result = await importFile('brokers', path);
      expectRefused(result, message);
      expect(result.stderr).toMatch(/^[^\n]+\n$/);
    }
    expect(succeeded(await importFile('brokers', file, '--format', 'ndjson', '--dry-run'))).toBe(
      '1 brokers are fit to be imported.\n',
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
  expect(succeeded(await importFile('brokers', file, '--dry-run'))).toBe('1 brokers are fit to be imported.\n');
  expect(await found('/brokers/dry-run')).toBe(false);
  const bad = await scratch.ndjson('dry-bad.ndjson', [brokerRow('dry-run', { name: '' })]);
  expectRefused(await importFile('brokers', bad, '--dry-run'), 'line 1, column name');
});

test('the report is available as JSON', async () => {
  const file = await scratch.ndjson('report.ndjson', [brokerRow('report-one')]);
  const good = await importFile('brokers', file, '--json');
  expect([good.code, JSON.parse(good.stdout)]).toEqual([
    0,
    { rows: 1, faults: [], faultCount: 0, written: 1, run: expect.stringMatching(/^[0-9a-f]{12}$/) },
  ]);
});

test('the audit trail records who imported', async () => {
  const file = await scratch.ndjson('audit.ndjson', [brokerRow('audit-one')]);
  succeeded(await importFile('brokers', file, '--actor', 'carol'));
  succeeded(await importFile('brokers', file));
  const entries = await inDatabase(service, (db) =>
    db.collection('audit').find({ 'subject.kind': 'broker', 'subject.id': 'audit-one' }).sort({ at: 1 }).toArray(),
  );
  expect(entries).toMatchObject([
    { action: 'broker.imported', actor: { type: 'operator', name: 'carol' }, after: { licenses: 1 } },
    { action: 'broker.imported', actor: { type: 'operator', name: 'system' } },
  ]);
  expect(entries[0]?.['at']).toBeInstanceOf(Date);
});

test('imports a thousand brokers in several transactions', async () => {
  const rows = Array.from({ length: 1001 }, (_, index) => brokerRow(`bulk-${index}`));
  expect(succeeded(await importFile('brokers', await scratch.ndjson('bulk.ndjson', rows)))).toEqual(
    imported('1001 brokers'),
  );
  await until('the last shows', 5000, () => found('/brokers/bulk-1000'));
});
