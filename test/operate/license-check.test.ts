import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, importRows, succeeded } from '../support/filled-service.ts';
import { brokerRow, CHECKED_AT, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const HEADER = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS';
const DAY = '2026-11-02';
const AT = `${DAY}T00:00:00.000Z`;

/** A broker with one ASIC licence of the given number. */
const licensed = (slug: string, number: string, status = 'active', over = {}) =>
  brokerRow(slug, {
    licensesCheckedAt: null,
    licenses: [licenseRow(`${slug} Ltd`, 'asic', { referenceNumber: number, status })],
    ...over,
  });
const row = (number: string, name: string, status = '') => `AFS Licence,${number},${name},,01/02/2010,${status}`;

interface LicenseChange {
  readonly broker: string;
  readonly referenceNumber: string;
  readonly change: string;
  readonly note: string | null;
}

let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  service = await startService();
  scratch = await createScratch();
  const steady = Array.from({ length: 10 }, (_, n) => licensed(`steady-${n}`, `90${n}`));
  const wide = ['fca', 'asic'].map((code) => licenseRow('renamed Ltd', code, { referenceNumber: '300' }));
  await importRows(service, 'brokers', [
    ...steady,
    licensed('suspended', 'AFSL 100'),
    licensed('gone', '200'),
    brokerRow('renamed', { licenses: wide }),
    licensed('granted', '400', 'pending'),
    licensed('back', '500', 'suspended'),
    licensed('twice', '600'),
    licensed('stranger', '700'),
  ]);
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

const FILE = [
  HEADER,
  ...Array.from({ length: 10 }, (_, n) => row(`90${n}`, `STEADY-${n} LIMITED`)),
  row('000100', 'SUSPENDED LTD', 'SUSP'),
  row('300', 'RENAMED GLOBAL PTY LTD'),
  row('400', 'GRANTED LTD', 'APPR'),
  row('500', 'BACK LTD'),
  row('600', 'TWICE LTD'),
  row('600', 'TWICE LTD'),
  row('700', 'SOMEBODY ELSE PTY LTD'),
  row('123456', 'UNKNOWN PTY LTD'),
];
const write = (lines: readonly string[], name = 'afs_lic.csv') => scratch.write(name, `${lines.join('\r\n')}\r\n`);
const check = (file: string, ...options: string[]) =>
  service.cli('license', 'check', '--register', 'asic', file, '--as-of', DAY, '--least', '1', ...options);
const findings = async (
  file: string,
  ...options: string[]
): Promise<{ findings: LicenseChange[]; run: string | null }> =>
  JSON.parse(succeeded(await check(file, '--json', ...options)));
const stored = () =>
  inDatabase(service, async (db) =>
    Promise.all(
      ['brokerProfiles', 'licenses', 'news'].map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()),
    ),
  );
const readLicenses = async (slug: string) => (await getJson(service, `/brokers/${slug}`))['licenses'];

describe('license check', () => {
  test('license check shows what changed, and writes nothing', async () => {
    const before = await stored();
    const file = await write(FILE);
    const rows = (await findings(file)).findings.filter(({ change }) => change !== '');
    expect(rows.map(({ broker, change }) => [broker, change])).toEqual([
      ['back', 'reinstated'],
      ['gone', 'ceased'],
      ['granted', 'granted'],
      ['renamed', 'renamed'],
      ['stranger', 'unclear'],
      ['suspended', 'suspended'],
      ['twice', 'unclear'],
    ]);
    expect(rows.find(({ broker }) => broker === 'stranger')?.note).toContain('SOMEBODY ELSE PTY LTD');
    const table = succeeded(await check(file));
    expect(table).toMatch(/^suspended +AFSL 100 +suspended Ltd +active +suspended +suspended/m);
    expect(table).toContain('10 as we have them, 5 changed, 2 unclear');
    expect(table).toContain('add --apply');
    expect(await stored()).toEqual(before);
    expect(succeeded(await service.cli('import', 'list'))).not.toContain('licenses');
  });

  test('license check --apply writes and publishes what changed, and can be undone', async () => {
    const before = await stored();
    const file = await write(FILE);
    const { run } = await findings(file, '--apply', '--actor', 'maria');
    expect(await readLicenses('suspended')).toMatchObject([
      { referenceNumber: 'AFSL 100', status: 'suspended', statusEffectiveAt: AT, lastVerifiedAt: AT },
    ]);
    expect(await readLicenses('gone')).toMatchObject([{ status: 'withdrawn', statusEffectiveAt: AT }]);
    expect(await getJson(service, '/brokers/renamed')).toMatchObject({
      legalName: 'RENAMED GLOBAL PTY LTD',
      entities: [{ legalName: 'RENAMED GLOBAL PTY LTD' }],
      licenses: [
        { regulatorCode: 'asic', entity: { legalName: 'RENAMED GLOBAL PTY LTD' }, status: 'active' },
        { regulatorCode: 'fca', entity: { legalName: 'RENAMED GLOBAL PTY LTD' }, lastVerifiedAt: CHECKED_AT },
      ],
    });
    expect(await getJson(service, '/brokers/steady-1')).toMatchObject({
      licensesCheckedAt: AT,
      licenses: [{ status: 'active', lastVerifiedAt: AT, statusEffectiveAt: null }],
      provenance: [
        {
          fact: 'licenses',
          sourceUrl: 'https://data.gov.au/data/dataset/asic-afs-licensee',
          lastVerifiedAt: AT,
          attribution: 'Australian Securities and Investments Commission, AFS Licensee Dataset, CC BY 3.0 AU',
        },
      ],
    });
    expect(await getJson(service, '/brokers/twice')).toMatchObject({ licensesCheckedAt: null, provenance: [] });
    const news = (await getJson(service, '/news'))['data'] as {
      title: string;
      severity: string;
      brokerSlugs: string[];
    }[];
    expect(news.map(({ title, severity, brokerSlugs }) => [title, severity, ...brokerSlugs]).sort()).toEqual([
      ['back: ASIC licence 500 reinstated', 'info', 'back'],
      ['gone: ASIC licence 200 ceased', 'serious', 'gone'],
      ['suspended: ASIC licence AFSL 100 suspended', 'serious', 'suspended'],
    ]);
    const audit = await inDatabase(service, (db) =>
      db
        .collection('audit')
        .find({ action: 'license.checked', 'subject.id': { $in: ['suspended', 'renamed'] } })
        .toArray(),
    );
    expect(audit).toMatchObject([
      {
        before: { status: 'active', holder: 'renamed Ltd' },
        after: { status: 'active', holder: 'RENAMED GLOBAL PTY LTD', renamed: true },
        actor: { name: 'maria' },
      },
      { before: { status: 'active' }, after: { status: 'suspended', renamed: false } },
    ]);
    expect(audit.map(({ reason }) => reason)).toEqual([`import:${run}`, `import:${run}`]);
    expect(succeeded(await service.cli('admin', 'rebuild', '--check'))).toContain('0 different');

    const again = succeeded(await check(file, '--apply'));
    expect(again).toContain('known already: nothing was written');
    succeeded(await service.cli('import', 'undo', run ?? '', '--yes', run ?? ''));
    expect(await stored()).toEqual(before);
    expect(succeeded(await service.cli('admin', 'rebuild', '--check'))).toContain('0 different');
  });

  test('refuses a file with fewer entries than the register has, unless the operator says how many it should have', async () => {
    const file = await write([...FILE.slice(0, 5), row('123456', 'UNKNOWN PTY LTD')]);
    const before = await stored();
    const whole = (...options: string[]) =>
      service.cli('license', 'check', '--register', 'asic', file, '--as-of', DAY, ...options);
    const refused = await whole('--apply');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has at least 4000: it is cut off')]);
    expect(refused.stderr).toContain('add --least 5');
    const few = await whole('--apply', '--least', '6');
    expect([few.code, few.stderr]).toEqual([1, expect.stringContaining('fewer than the 6 that it should have')]);
    expect(await stored()).toEqual(before);
    const { run } = await findings(file, '--apply', '--least', '5');
    succeeded(await service.cli('import', 'undo', run ?? '', '--yes', run ?? ''));
  });

  test('accepts a completely new name if the operator confirms it', async () => {
    const rows = (await findings(await write(FILE), '--accept-name', '700')).findings;
    expect(rows.find(({ broker }) => broker === 'stranger')).toMatchObject({ change: 'renamed', note: null });
  });

  test.each([
    ['another file', () => write(['A,B', '1,2']), [], "line 1: is not ASIC's list of AFS licensees"],
    ['a file with a fault', () => write([...FILE, row('', 'X LTD')]), [], 'line 20, column AFS_LIC_NUM: is empty'],
    ['a day to come', () => write(FILE), ['--as-of', '2999-01-01'], 'the date is in the future'],
    ['no file', async () => '/nowhere.csv', [], 'There is no file'],
  ])('refuses %s', async (_, file, options, message) => {
    const refused = await check(await file(), '--apply', ...options);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test.each([
    ['no register', ['license', 'check', 'x.csv']],
    ['an unknown register', ['license', 'check', '--register', 'none', 'x.csv']],
    ['a day that is none', ['license', 'check', '--register', 'asic', 'x.csv', '--as-of', '2026-02-30']],
  ])('treats %s as wrong usage', async (_, args) => {
    expect((await service.cli(...args)).code).toBe(2);
  });
});

describe('the register of the EU', () => {
  const LEI = '5493001KJTIIGC8Y1R12';
  const firm = (id: number, name: string, country: string, authority: string, over = {}) => ({
    id: `ae${id}`,
    entity_type: 'ae',
    ae_entityTypeCode: 'MIF',
    ae_officeType: 'Head office',
    ae_entityName: name,
    ae_homeMemberState: country,
    ae_competentAuthority: authority,
    ae_status: 'Active',
    ae_lei: '',
    ...over,
  });
  const CYSEC = 'Cyprus Securities and Exchange Commission (CySEC)';
  const BAFIN = 'Federal Financial Supervisory Authority (BaFin)';

  test('the register of the EU is compared by LEI, then by name, for each authority, and its run says so', async () => {
    const licence = (name: string, code: string, over = {}) =>
      licenseRow(name, code, { referenceNumber: '1/23', ...over });
    const lei = { entity: { legalName: 'eu-lei Ltd', lei: LEI } };
    await importRows(service, 'brokers', [
      brokerRow('eu-lei', { licenses: [licence('eu-lei Ltd', 'cysec', lei)] }),
      brokerRow('eu-name', { licenses: [licence('eu-name Ltd', 'bafin')] }),
      brokerRow('eu-none', { licenses: [licence('eu-none Ltd', 'bafin')] }),
      brokerRow('eu-other', { licenses: [licence('eu-other Ltd', 'bafin', { type: 'passport' })] }),
    ]);
    const docs = [
      firm(1, 'EU-LEI EUROPE AG', 'CYPRUS', CYSEC, { ae_lei: LEI }),
      firm(2, 'eu-name limited', 'GERMANY', BAFIN, {
        ae_status: 'Inactive',
        ae_authorisationWithdrawalEndDateStr: '31/10/2026',
      }),
      firm(3, 'eu-name Ltd', 'CYPRUS', CYSEC),
      firm(4, 'eu-none Ltd', 'LIECHTENSTEIN', 'Finanzmarktaufsicht (FMA)'),
    ];
    const file = await scratch.write('upreg.json', JSON.stringify({ response: { docs } }));
    const run = async (...options: string[]) =>
      succeeded(
        await service.cli('license', 'check', '--register', 'esma', file, '--as-of', DAY, '--least', '4', ...options),
      );
    const { findings: rows, unknown } = JSON.parse(await run('--json', '--apply'));
    expect(unknown).toEqual({ 'LIECHTENSTEIN / Finanzmarktaufsicht (FMA)': 1 });
    expect(rows.map(({ broker, change, after }: LicenseChange & { after: string }) => [broker, change, after])).toEqual(
      [
        ['eu-lei', 'renamed', 'active'],
        ['eu-name', 'cancelled', 'withdrawn'],
        ['eu-none', 'unclear', null],
        ['eu-other', 'unclear', null],
      ],
    );
    expect(rows[2].note).toContain('has no such firm: credit institutions');
    expect(await readLicenses('eu-lei')).toMatchObject([
      { entity: { legalName: 'EU-LEI EUROPE AG' }, lastVerifiedAt: AT },
    ]);
    expect(await readLicenses('eu-name')).toMatchObject([
      { status: 'withdrawn', statusEffectiveAt: '2026-10-31T00:00:00.000Z', lastVerifiedAt: AT },
    ]);
    expect(await run()).toContain('Not read, since the mapping knows no such authority: "LIECHTENSTEIN');
    const { provenance } = await getJson(service, '/brokers/eu-name');
    expect(provenance).toContainEqual(
      expect.objectContaining({ attribution: expect.stringContaining('European Securities and Markets Authority') }),
    );
  });
});

test('a file with far fewer entries than the last one that was applied is refused', async () => {
  const licence = licenseRow('oib Ltd', 'hanfa', { referenceNumber: 'OIB 1' });
  await importRows(service, 'brokers', [brokerRow('oib', { licenses: [licence] })]);
  const hanfa = async (firms: number, ...options: string[]) => {
    const rows = Array.from(
      { length: firms },
      (_, n) =>
        `<Row><Naziv>${n === 0 ? 'OIB LIMITED' : `Firm ${n}`}</Naziv><OIB>${n + 1}</OIB><Aktivnost>true</Aktivnost></Row>`,
    );
    const file = await scratch.write('hanfa.xml', `<Registar>${rows.join('')}</Registar>`);
    return service.cli('license', 'check', '--register', 'hanfa', file, '--as-of', DAY, ...options);
  };
  expect((await hanfa(2)).stderr).toContain('has at least 3');
  expect(succeeded(await hanfa(10, '--apply'))).toContain('10 entries: 1 licences of ours compared, 1 as we have them');
  expect(await readLicenses('oib')).toMatchObject([{ status: 'active', lastVerifiedAt: AT }]);
  const cut = await hanfa(7);
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('the last good file had 10: it is cut off')]);
  succeeded(await hanfa(8));
});

test('license leis shows what the register of LEIs says against ours, and writes nothing', async () => {
  const [lei, other] = ['5493001KJTIIGC8Y1R12', '5493001KJTIIGC8Y1S09'];
  const entities = [lei, other].map((one, n) => ({ legalName: `lei-${n} Ltd`, country: 'CY', lei: one }));
  await importRows(service, 'brokers', [brokerRow('lei-firm', { legalName: 'lei-0 Ltd', entities, licenses: [] })]);
  const before = await stored();
  const file = await scratch.write(
    'lei2.csv',
    'LEI,Entity.LegalName,Entity.EntityStatus,Registration.RegistrationStatus\n' +
      `${lei},LEI-0 LIMITED,ACTIVE,LAPSED\n${other},Omega AG,INACTIVE,RETIRED\n`,
  );
  const text = succeeded(await service.cli('license', 'leis', file));
  expect(text).toMatch(new RegExp(`lei-firm +lei-0 Ltd +${lei} +is LAPSED: it was not renewed`));
  expect(text).toMatch(new RegExp(`lei-firm +lei-1 Ltd +${other} +belongs to "Omega AG"`));
  expect(text).toMatch(new RegExp(`lei-firm +lei-1 Ltd +${other} +is RETIRED`));
  expect(text).toContain('2 records: 2 of our');
  expect(await stored()).toEqual(before);
});

test('license list shows the licences of a regulator or a broker, with their data licence', async () => {
  const rows = JSON.parse(
    succeeded(await service.cli('licence', 'list', '--regulator', 'asic', '--broker', 'renamed', '--json')),
  );
  expect(rows).toMatchObject([{ broker: 'renamed', regulatorCode: 'asic', referenceNumber: '300' }]);
  expect(succeeded(await service.cli('license', 'list', '--broker', 'renamed'))).toMatch(/^renamed +fca +300/m);
});
