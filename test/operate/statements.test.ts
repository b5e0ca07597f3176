import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, succeeded } from '../support/filled-service.ts';
import { brokerRow, licenseRow, regulatorRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** Each command runs in its own process. */
let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  [service, scratch] = await Promise.all([startService({ LOG_LEVEL: 'error' }), createScratch()]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const bring = async (kind: string, rows: readonly unknown[], ...options: string[]) =>
  JSON.parse(
    succeeded(await service.cli('import', kind, await scratch.ndjson(`${kind}.ndjson`, rows), '--json', ...options)),
  );
const broker = (slug: string) => getJson(service, `/brokers/${slug}`);
const shows = async (slug: string, isThere: (detail: Record<string, unknown>) => boolean): Promise<void> => {
  await service.settle();
  expect(await broker(slug), slug).toSatisfy(isThere);
};
const findStatus = (detail: Record<string, unknown>) => (detail['licenses'] as { status: string }[])[0]?.status;
const readScore = async (slug: string) => (await broker(slug))['score'] as { value: number };

const ASIC = 'https://data.gov.au/data/dataset/asic-afs-licensee';
const HEADER = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS';
const checkRegister = async (lines: readonly string[], day = '2026-11-02') => {
  const file = await scratch.write('afs_lic.csv', `${[HEADER, ...lines].join('\r\n')}\r\n`);
  const options = ['--register', 'asic', file, '--as-of', day, '--apply', '--least', '1', '--json', '--actor', 'maria'];
  return JSON.parse(succeeded(await service.cli('license', 'check', ...options))).run as string;
};

/** A broker with one ASIC licence, as an editor's sheet has it. */
const licensed = (slug: string, referenceNumber: string) =>
  brokerRow(slug, { licenses: [licenseRow(`${slug} Ltd`, 'asic', { referenceNumber })] });
const OTHERS = Array.from({ length: 6 }, (_, n) => licensed(`other-${n}`, `90${n}`));
const PRESENT = OTHERS.map((_, n) => `AFS Licence,90${n},OTHER-${n} LTD,,01/02/2010,`);

describe('a register above an editor', () => {
  beforeAll(async () => {
    await bring('brokers', [...OTHERS, licensed('cancelled', '200'), licensed('ruled', '300')]);
    await checkRegister(PRESENT);
    await shows('cancelled', (detail) => findStatus(detail) === 'withdrawn');
  });

  test('an unchanged sheet, imported again, does not revive what the register cancelled', async () => {
    const before = await readScore('cancelled');
    const sheet = licensed('cancelled', '200');
    const { changes, ...dry } = await bring('brokers', [sheet], '--dry-run');
    expect(dry).toMatchObject({ new: 0, changed: 0, unchanged: 0, overruled: 1 });
    expect(changes).toMatchObject([
      {
        key: 'cancelled',
        change: 'overruled',
        fields: [],
        overruled: [
          {
            field: 'licenses.asic 200 cancelled Ltd.status',
            says: 'active',
            published: 'withdrawn',
            publishedSource: { kind: 'register', name: 'asic' },
          },
        ],
      },
    ]);
    expect(await bring('brokers', [sheet])).toMatchObject({ written: 0, overruled: 1 });
    expect(await bring('brokers', [{ ...sheet, name: 'Cancelled' }])).toMatchObject({ written: 1, changed: 1 });
    await shows('cancelled', ({ name }) => name === 'Cancelled');
    expect(findStatus(await broker('cancelled'))).toBe('withdrawn');
    expect((await readScore('cancelled')).value).toBe(before.value);
  });

  test('a dry run names in words what is not published, and why', async () => {
    const file = await scratch.ndjson('words.ndjson', [{ ...licensed('cancelled', '200'), name: 'Cancelled' }]);
    const text = succeeded(await service.cli('import', 'brokers', file, '--dry-run'));
    expect(text).toMatch(/^1 +cancelled +licenses\.asic 200 cancelled Ltd\.status +active +withdrawn +register:asic$/m);
    expect(text).toContain('1 brokers: 0 new, 0 changed, 0 unchanged, 1 overruled. Nothing was written.');
  });

  test('the provenance says which source is published, and what the other says', async () => {
    const { provenance } = await broker('cancelled');
    expect(provenance).toMatchObject([
      { fact: 'licenses', sourceUrl: ASIC },
      {
        fact: 'licenses',
        sourceUrl: ASIC,
        statedBy: { kind: 'register', name: 'asic' },
        contradicted: [
          {
            field: 'licenses.asic 200 cancelled Ltd.status',
            says: 'active',
            source: { kind: 'editor', name: 'editor' },
            sourceUrl: null,
          },
        ],
      },
    ]);
    expect((await broker('other-1'))['provenance']).toEqual([
      expect.not.objectContaining({ contradicted: expect.anything() }),
    ]);
  });

  test('editors overrule a register by name, with a reason that the API shows, until it says something else', async () => {
    const field = 'licenses.asic 300 ruled Ltd.status';
    const overrule = (...options: string[]) =>
      service.cli('fact', 'overrule', 'ruled', '--field', field, '--source', 'register:asic', ...options);
    expect((await overrule()).stderr).toContain('--reason');
    const reason = 'The number was reused; ASIC confirmed the licence.';
    expect(succeeded(await overrule('--reason', reason, '--actor', 'maria'))).toMatch(/status +withdrawn +active/);
    await shows('ruled', (detail) => findStatus(detail) === 'active');
    expect((await broker('ruled'))['provenance']).toMatchObject([
      { fact: 'licenses' },
      { statedBy: { kind: 'editor' }, contradicted: [{ says: 'withdrawn', overruledBecause: reason }] },
    ]);
    succeeded(await overrule('--end'));
    await shows('ruled', (detail) => findStatus(detail) === 'withdrawn');
    succeeded(await overrule('--reason', reason));
    await shows('ruled', (detail) => findStatus(detail) === 'active');
    const news = async () =>
      ((await getJson(service, '/news?limit=100'))['data'] as { brokerSlugs: string[] }[]).filter(({ brokerSlugs }) =>
        brokerSlugs.includes('ruled'),
      ).length;
    const before = await news();
    await checkRegister(PRESENT, '2026-11-08');
    const [checked] = JSON.parse(
      succeeded(await service.cli('audit', 'list', '--subject', 'broker:ruled', '--json')),
    ).slice(-1);
    expect(checked).toMatchObject({ action: 'license.checked', after: { status: 'active' } });
    expect([await news(), findStatus(await broker('ruled'))]).toEqual([before, 'active']);
    await checkRegister([...PRESENT, 'AFS Licence,300,RULED LTD,,01/02/2010,SUSP'], '2026-11-09');
    await shows('ruled', (detail) => findStatus(detail) === 'suspended');
    const unknown = await service.cli(
      ...['fact', 'overrule', 'ruled', '--field', 'name', '--source', 'dataset:none', '--reason', 'None.'],
    );
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('dataset:none says nothing of "name"')]);
    const only = await service.cli(
      ...['fact', 'overrule', 'ruled', '--field', 'name', '--source', 'editor:editor', '--reason', 'None.'],
    );
    expect([only.code, only.stderr]).toEqual([1, expect.stringContaining('Nobody else says a "name"')]);
  });

  test('fact show names each field as fact overrule takes it', async () => {
    const field = 'licenses.asic 200 cancelled Ltd.status';
    const table = succeeded(await service.cli('fact', 'show', 'broker', 'cancelled'));
    expect(table).toMatch(/^field +source +asOf +says +published$/m);
    expect(table).toMatch(new RegExp(`^${field} +register:asic +2026-11-0\\S+ +withdrawn +yes$`, 'm'));
    const overrule = (...options: string[]) =>
      service.cli('fact', 'overrule', 'cancelled', '--field', field, '--source', 'register:asic', ...options);
    const said = () => service.cli('fact', 'history', 'broker', 'cancelled', '--json').then(succeeded);
    const before = await said();
    const dry = succeeded(await overrule('--reason', 'It is wrong.', '--dry-run'));
    expect(dry).toMatch(/^licenses\.asic 200 cancelled Ltd\.status +withdrawn +active$/m);
    expect(dry).toContain('Nothing was written.\n');
    expect(dry).not.toMatch(/^(order|provenance)\./m);
    expect(await said()).toBe(before);
  });

  test('an overrule can be ended after its source has stopped saying anything of the field', async () => {
    await bring('brokers', [brokerRow('silenced')]);
    const { run } = await bring('brokers', [{ slug: 'silenced', foundedYear: 1990 }], '--stated-by', 'dataset:old');
    const overrule = (...options: string[]) =>
      service.cli(...['fact', 'overrule', 'silenced', '--field', 'foundedYear', '--source', 'dataset:old', ...options]);
    succeeded(await overrule('--reason', 'It is wrong.'));
    const table = succeeded(await service.cli('fact', 'show', 'broker', 'silenced'));
    expect(table).toMatch(/^foundedYear +dataset:old +\S+ +1990 +no$/m);
    expect(table).toMatch(/^foundedYear +editor:editor +\S+ +overrules dataset:old: It is wrong\. +yes$/m);
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    expect(succeeded(await overrule('--end'))).toContain('The decision has ended.\n');
    await bring('brokers', [{ slug: 'silenced', foundedYear: 1990 }], '--stated-by', 'dataset:old');
    await shows('silenced', (detail) => detail['foundedYear'] === 1990);
    const again = await overrule('--end');
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('dataset:old is not overruled in "founded'),
    ]);
  });

  test('undoing a check withdraws what the register said, though a sheet came later', async () => {
    await bring('brokers', [licensed('undone', '400')]);
    const run = await checkRegister([...PRESENT], '2026-11-10');
    await shows('undone', (detail) => findStatus(detail) === 'withdrawn');
    await bring('brokers', [{ slug: 'undone', name: 'Undone' }]);
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    await shows('undone', (detail) => findStatus(detail) === 'active');
    expect(await broker('undone')).toMatchObject({ name: 'Undone' });
    expect(succeeded(await service.cli('admin', 'rebuild', '--check'))).toContain('0 different');
  });
});

test('a check under an overrule finds nothing new, however often, and writes its day once', async () => {
  const field = 'licenses.asic 500 overruled Ltd.status';
  await bring('brokers', [licensed('overruled', '500')]);
  await checkRegister(PRESENT, '2026-11-12');
  await shows('overruled', (detail) => findStatus(detail) === 'withdrawn');
  const ruling = ['--field', field, '--source', 'register:asic', '--reason', 'The number was reused.'];
  succeeded(await service.cli('fact', 'overrule', 'overruled', ...ruling));
  await shows('overruled', (detail) => findStatus(detail) === 'active');
  const file = await scratch.write('overruled.csv', `${[HEADER, ...PRESENT].join('\r\n')}\r\n`);
  const check = (day: string, ...options: string[]) =>
    service.cli('license', 'check', '--register', 'asic', file, '--as-of', day, '--least', '1', ...options);
  const text = succeeded(await check('2026-11-12', '--apply'));
  expect(text).not.toMatch(/^overruled /m);
  expect(text).toMatch(/ 0 changed, 0 unclear, \d overruled\.$/m);
  expect(text).toContain('All of it is known already: nothing was written.\n');
  const { run, findings } = JSON.parse(succeeded(await check('2026-11-13', '--apply', '--json')));
  expect(run).toMatch(/^\w{12}$/);
  expect(findings).toContainEqual(
    expect.objectContaining({ broker: 'overruled', change: 'overruled', before: 'active', after: 'withdrawn' }),
  );
  expect(JSON.parse(succeeded(await check('2026-11-13', '--apply', '--json')))).toMatchObject({ run: null });
  expect(findStatus(await broker('overruled'))).toBe('active');
});

describe('several sources', () => {
  const warning = {
    source: 'An authority',
    url: 'https://authority.example/warning',
    title: 'Not authorised',
    publishedAt: '2026-02-01T00:00:00Z',
    about: 'this_firm',
  };

  test('an authority’s warning stays, whatever an editor’s sheet says', async () => {
    await bring('brokers', [brokerRow('warned')]);
    await bring('brokers', [{ slug: 'warned', warnings: [warning] }], '--stated-by', 'authority:fca');
    await shows('warned', ({ warnings }) => (warnings as unknown[]).length === 1);
    await bring('brokers', [{ slug: 'warned', name: 'Warned', warnings: [] }]);
    await shows('warned', ({ name }) => name === 'Warned');
    expect((await broker('warned'))['warnings']).toEqual([warning]);
    await bring('brokers', [{ slug: 'warned', warnings: null }], '--stated-by', 'authority:fca');
    await shows('warned', ({ warnings }) => (warnings as unknown[]).length === 0);
  });

  test('a weaker source fills what editors do not say, and steps back when they do', async () => {
    const { foundedYear, ...row } = brokerRow('filled', { foundedYear: 1999 });
    await bring('brokers', [row]);
    const options = ['--stated-by', 'dataset:registry', '--source', 'https://registry.example/', '--license', 'CC0'];
    await bring('brokers', [{ slug: 'filled', foundedYear: 1998, country: 'IE' }], ...options);
    await shows('filled', (detail) => detail['foundedYear'] === 1998);
    const registry = { kind: 'dataset', name: 'registry' };
    expect(await broker('filled')).toMatchObject({
      country: 'GB',
      provenance: [
        { fact: 'country', statedBy: { kind: 'editor' }, contradicted: [{ field: 'country', source: registry }] },
        {
          fact: 'foundedYear',
          sourceUrl: 'https://registry.example/',
          lastVerifiedAt: expect.stringMatching(/^20/),
          attribution: 'CC0',
          statedBy: registry,
        },
      ],
    });
    await bring('brokers', [{ slug: 'filled', foundedYear }]);
    await shows('filled', (detail) => detail['foundedYear'] === 1999);
    await bring('brokers', [{ slug: 'filled', foundedYear: null }]);
    await shows('filled', (detail) => detail['foundedYear'] === 1998);
    const fact = JSON.parse(succeeded(await service.cli('fact', 'show', 'broker', 'filled', '--json')));
    expect(fact).toContainEqual(
      expect.objectContaining({ property: 'country', source: 'dataset:registry', says: 'IE', published: false }),
    );
  });

  test('an import that goes on after a stop states as the source that began it', async () => {
    await bring('brokers', [brokerRow('resumed')]);
    const options = ['--stated-by', 'dataset:registry', '--source', 'https://registry.example/'];
    const { run } = await bring('brokers', [{ slug: 'resumed', country: 'GB' }], ...options);
    const ofRun = () => inDatabase(service, (db) => db.collection('statements').find({ run }).toArray());
    const before = await ofRun();
    await inDatabase(service, async (db) => {
      await db.collection('statements').deleteMany({ run });
      await db.collection('subjects').updateOne({ name: 'resumed' }, { $inc: { version: -1 } });
      await db.collection('importRuns').updateOne({ _id: run }, { $set: { state: 'writing', batches: 0 } });
    });
    succeeded(await service.cli('import', 'brokers', scratch.file('brokers.ndjson'), '--resume'));
    const after = await ofRun();
    expect(after).toMatchObject([{ source: { kind: 'dataset', name: 'registry' }, url: 'https://registry.example/' }]);
    expect(after.map(({ said }) => said)).toEqual(before.map(({ said }) => said));
  });

  test('a corrected regulator keeps its correction when the reference data is loaded again', async () => {
    await bring('regulators', [{ code: 'fca', website: 'https://corrected.example/' }]);
    expect(succeeded(await service.cli('admin', 'seed'))).toContain('Kept, since editors say something else: fca.');
    expect(await getJson(service, '/regulators/fca')).toMatchObject({ website: 'https://corrected.example/' });
    succeeded(await service.cli('regulator', 'set', 'fca', 'website=null', '--reason', 'As in the reference data.'));
    expect(succeeded(await service.cli('admin', 'seed'))).not.toContain('Kept');
    const reference = await getJson(service, '/regulators/fca');
    expect(reference['website']).not.toBe('https://corrected.example/');
  });

  test('the life of a fact is one query: who said what, when, in which run, and what was withdrawn', async () => {
    const { run } = await bring('regulators', [regulatorRow('zz-life')], '--actor', 'carol');
    const second = await bring('regulators', [{ code: 'zz-life', tier: 4 }], '--actor', 'dan');
    succeeded(await service.cli('import', 'undo', second.run, '--yes', second.run));
    const rows = JSON.parse(succeeded(await service.cli('fact', 'history', 'regulator', 'zz-life', '--json')));
    const tiers = rows.filter(({ field }: { field: string }) => field === 'tier');
    expect(tiers).toMatchObject([
      { actor: 'carol', source: 'editor:editor', says: regulatorRow('zz-life')['tier'], run },
      { actor: 'dan', says: 4, run: second.run, withdrawn: expect.stringMatching(/^20/) },
    ]);
    const former = await inDatabase(service, (db) =>
      db.collection('factVersions').find({ subject: 'regulator:zz-life' }).sort({ 'until.version': 1 }).toArray(),
    );
    expect(former).toMatchObject([
      { since: { cause: 'fact', run }, until: { cause: 'fact', run: second.run } },
      { state: { tier: 4 }, until: { cause: 'undo', run: second.run } },
    ]);
  });
});

describe('a sheet', () => {
  test('a sheet with semicolons, a byte order mark, CRLF and empty last columns is read as it is meant', async () => {
    await bring('brokers', [brokerRow('sheet')]);
    const text = '\ufeffslug;description;foundedYear;;\r\nsheet;Spreads, fees;1999;;\r\n';
    const file = await scratch.write('sheet.csv', text);
    expect(succeeded(await service.cli('import', 'brokers', file))).toContain('1 changed');
    await shows('sheet', (detail) => detail['foundedYear'] === 1999 && detail['description'] === 'Spreads, fees');
  });

  test('a sheet with a column for a whole list is refused with the columns that it needs', async () => {
    const file = await scratch.write('list.csv', 'slug,licenses\nsheet,x\n');
    const { code, stderr } = await service.cli('import', 'brokers', file);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'line 1, column 2: "licenses" has parts, which no single cell holds: write them as ' +
          '"licenses.0.entity.legalName" and so on, or import NDJSON',
      ),
    ]);
  });
});

describe('a fault of a row', () => {
  const refusal = async (kind: string, row: object, ...options: string[]) => {
    const file = await scratch.ndjson('refused.ndjson', [row]);
    const { code, stderr } = await service.cli('import', kind, file, ...options);
    expect(code).toBe(1);
    return stderr;
  };

  test('a fault says that no record has the key yet, so that a typing error is seen', async () => {
    expect(await refusal('brokers', { slug: 'cancled', name: 'Cancelled' })).toContain(
      'column website: "website" is required for a new broker: none has the slug "cancled" yet. Is it spelt right?',
    );
    expect(await refusal('regulators', { code: 'asci', tier: 1 })).toContain('none has the code "asci" yet');
  });

  test('a fault says why a field that each record needs cannot be taken back, and what to do', async () => {
    await bring('brokers', [brokerRow('needed')]);
    expect(await refusal('brokers', { slug: 'needed', name: null })).toContain(
      'column name: "name" cannot be taken back, since every broker needs it: state the right value, or overrule who ' +
        'says a wrong one (fact overrule).',
    );
    await bring('regulators', [regulatorRow('zz-needed')]);
    expect(await refusal('regulators', { code: 'zz-needed', tier: null })).toContain(
      'column tier: "tier" cannot be taken back, since every regulator needs it: state the right value.',
    );
  });

  test('a bad row is counted, so that the rows of a file add up', async () => {
    const rows = [brokerRow('adds-up'), { slug: 'needed', foundedYear: 'x' }, { slug: 'needed', foundedYear: 1999 }];
    const file = await scratch.ndjson('adds-up.ndjson', rows);
    const dry = succeeded(await service.cli('import', 'brokers', file, '--dry-run', '--bad-rows', scratch.file('bad')));
    expect(dry).toContain('3 brokers: 1 new, 1 changed, 0 unchanged, 1 bad. Nothing was written.\n');
    const written = await service.cli('import', 'brokers', file, '--bad-rows', scratch.file('bad'), '--json');
    const counts = { rows: 3, new: 1, changed: 1, unchanged: 0, overruled: 0, bad: 1 };
    expect(JSON.parse(succeeded(written))).toMatchObject(counts);
  });
});

test('a regulator of which too little is left to be published keeps what its source said of it', async () => {
  const { run } = await bring('regulators', [regulatorRow('zz-part')]);
  const { tier, ...rest } = regulatorRow('zz-part');
  await bring('regulators', [{ code: 'zz-part', tier: 4 }]);
  succeeded(await service.cli('import', 'undo', run, '--yes', run));
  expect((await fetch(`${service.baseUrl}/regulators/zz-part`)).status).toBe(404);
  await bring('regulators', [rest]);
  expect(await getJson(service, '/regulators/zz-part')).toMatchObject({ tier: 4 });
});

describe('rebuild', () => {
  test('names what does not follow from the statements, and publishes again what they say', async () => {
    await bring('brokers', [brokerRow('changed')]);
    await bring('regulators', [regulatorRow('zz-changed', { tier: 2 })]);
    await inDatabase(service, async (db) => {
      await db.collection('brokerProfiles').updateOne({ _id: 'changed' as never }, { $set: { country: 'CY' } });
      await db.collection('regulators').updateOne({ _id: 'zz-changed' as never }, { $set: { tier: 1 } });
    });
    const check = await service.cli('admin', 'rebuild', '--check');
    expect([check.code, check.stderr]).toEqual([1, expect.stringContaining('Different: changed, zz-changed')]);
    expect(succeeded(await service.cli('admin', 'rebuild'))).toContain('1 different, 1 repaired');
    await shows('changed', ({ country }) => country === 'GB');
    expect(await getJson(service, '/regulators/zz-changed')).toMatchObject({ tier: 2 });
    expect(succeeded(await service.cli('admin', 'rebuild', '--check'))).toContain('0 different');
  });
});
