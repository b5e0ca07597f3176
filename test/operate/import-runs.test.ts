import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl, inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, getJson, importRows, post, succeeded } from '../support/filled-service.ts';
import { endSessions, formatAddress } from '../support/killed.ts';
import { bin } from '../support/process.ts';
import { untilLogged } from '../support/record.ts';
import { brokerRow, licenseRow, newsRow, regulatorRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface Run {
  readonly id: string;
  readonly what: string;
  readonly state: string;
  readonly batches: number;
  readonly sha256: string;
}

let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  service = await startService();
  scratch = await createScratch();
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

const COLLECTIONS = ['brokerProfiles', 'licenses', 'regulators', 'news'];

/** Everything that imports write, except for computed counts of brokers. */
const stored = (): Promise<unknown> =>
  inDatabase(service, async (db) =>
    Promise.all(
      COLLECTIONS.map((name) =>
        db
          .collection(name)
          .find({}, { projection: { brokerCount: 0 } })
          .sort({ _id: 1 })
          .toArray(),
      ),
    ),
  );
const bring = async (kind: string, rows: readonly unknown[], ...options: string[]): Promise<string> => {
  const file = await scratch.ndjson(`${kind}.ndjson`, rows);
  return JSON.parse(succeeded(await service.cli('import', kind, file, '--json', ...options))).run;
};
const undo = (run: string) => service.cli('import', 'undo', run, '--yes', run, '--actor', 'maria');
const runs = async (): Promise<Run[]> => JSON.parse(succeeded(await service.cli('import', 'list', '--json')));
const fetchStatus = async (slug: string): Promise<number> => (await fetch(`${service.baseUrl}/brokers/${slug}`)).status;
const rebuilt = async () => succeeded(await service.cli('admin', 'rebuild', '--check'));

describe('undo', () => {
  test('an undo restores what was replaced, and removes what was new', async () => {
    await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta', { lei: '529900T8BM49AURSDO55' })]);
    await importRows(service, 'regulators', [regulatorRow('zz-one', { tier: 3 })]);
    await importRows(service, 'news', [newsRow(1)]);
    const before = await stored();
    const ids = [
      await bring('regulators', [regulatorRow('zz-one', { tier: 1 }), regulatorRow('zz-new')]),
      await bring('brokers', [
        brokerRow('alpha', { name: 'Another', licenses: [licenseRow('alpha Ltd', 'zz-new')] }),
        brokerRow('beta', { licenses: [] }),
        brokerRow('gamma', { licenses: [licenseRow('gamma Ltd', 'zz-one')] }),
      ]),
      await bring('news', [newsRow(1, { title: 'Another title' }), newsRow(2)]),
    ];
    expect(await getJson(service, '/brokers/gamma')).toMatchObject({ licenses: [{ tier: 1 }] });
    for (const id of ids.reverse()) expect(succeeded(await undo(id))).toContain('is undone');
    expect(await stored()).toEqual(before);
    expect(await rebuilt()).toContain('0 different');
    await service.settle();
    expect(await fetchStatus('gamma')).toBe(404);
    expect(await getJson(service, '/brokers/alpha')).toMatchObject({
      name: 'alpha',
      licenses: [{ regulatorCode: 'fca' }],
    });
    const audit = await inDatabase(service, (db) =>
      db
        .collection('audit')
        .find({ reason: `undo:${ids[1]}` })
        .toArray(),
    );
    expect(audit.map(({ action, actor, subject }) => [action, actor.name, subject.id]).sort()).toEqual([
      ['broker.removed', 'maria', 'gamma'],
      ['broker.restored', 'maria', 'alpha'],
      ['broker.restored', 'maria', 'beta'],
    ]);
  });

  test('an undo is refused for a run that is undone or unknown', async () => {
    const run = await bring('news', [newsRow(7)]);
    succeeded(await undo(run));
    const again = await undo(run);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was undone on')]);
    const unknown = await undo('000000000000');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no run')]);
  });

  test('an undo withdraws what a run said of brokers, whatever a later run said', async () => {
    const first = await bring('brokers', [brokerRow('delta'), brokerRow('echo', { description: 'The first.' })]);
    const second = await bring('brokers', [
      { slug: 'echo', description: 'The second.', country: 'IE' },
      { slug: 'delta', country: 'IE' },
    ]);
    const third = await bring('brokers', [{ slug: 'echo', description: 'The third.' }]);
    succeeded(await undo(second));
    await service.settle();
    expect(await getJson(service, '/brokers/echo')).toMatchObject({ country: 'GB', description: 'The third.' });
    succeeded(await undo(third));
    await service.settle();
    expect(await getJson(service, '/brokers/echo')).toMatchObject({ description: 'The first.' });
    expect(await rebuilt()).toContain('0 different');
    succeeded(await undo(first));
    await service.settle();
    expect(await fetchStatus('echo')).toBe(404);
  });

  test('an undo of news is refused if a later run changed an item, and names that run', async () => {
    const first = await bring('news', [newsRow(50), newsRow(51)]);
    const later = await bring('news', [newsRow(51, { title: 'Another title' })]);
    const before = await stored();
    const refused = await undo(first);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(new RegExp(`news ".+" is not as run ${first} left it`));
    expect(refused.stderr).toContain(`import undo ${later}`);
    expect(await stored()).toEqual(before);
    succeeded(await undo(later));
    succeeded(await undo(first));
  });

  test('an undo gives a broker that comes back the id that it had', async () => {
    const run = await bring('brokers', [brokerRow('comeback')]);
    await service.settle();
    const { id } = await getJson(service, '/brokers/comeback');
    succeeded(await undo(run));
    await service.settle();
    expect(await fetchStatus('comeback')).toBe(404);
    await bring('brokers', [brokerRow('comeback', { name: 'Comeback' })]);
    await service.settle();
    expect(await getJson(service, '/brokers/comeback')).toMatchObject({ id, name: 'Comeback' });
  });

  test('an undo is refused if it would remove a broker with a review, or a regulator with licences', async () => {
    const regulator = await bring('regulators', [regulatorRow('zz-kept')]);
    const run = await bring('brokers', [brokerRow('foxtrot', { licenses: [licenseRow('foxtrot Ltd', 'zz-kept')] })]);
    const kept = await undo(regulator);
    expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('regulator "zz-kept" has licences')]);
    const created = await post(service, '/reviews', await createToken(service, 'alice'), reviewBody('foxtrot'));
    expect(created.status).toBe(201);
    const refused = await undo(run);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('broker "foxtrot" has reviews')]);
    expect((await runs()).find(({ id }) => id === run)?.state).toBe('done');
  });

  test('an undo continues after it was stopped in the middle', async () => {
    const before = await stored();
    const rows = Array.from({ length: 1100 }, (_, n) => newsRow(1000 + n));
    const run = await bring('news', rows);
    await inDatabase(service, async (db) => {
      await untilLogged(db); // it would stop before entries whose facts are gone
      const batch = await db.collection('importBatches').findOne({ run, number: 3 });
      const keys = batch?.['items'].map(({ key }: { key: string }) => key);
      await db.collection('news').deleteMany({ _id: { $in: keys } });
      await db.collection('importRuns').updateOne({ _id: run as never }, { $set: { state: 'undoing', batches: 2 } });
    });
    succeeded(await undo(run));
    expect(await stored()).toEqual(before);
    expect(await inDatabase(service, (db) => db.collection('importBatches').countDocuments({ run }))).toBe(0);
    // the record does not know of the items that went without an entry
    expect(succeeded(await service.cli('admin', 'rebuild'))).toContain('100 missing, 100 repaired');
  });
});

describe('an import', () => {
  test('an import leaves a record of its run', async () => {
    const run = await bring(
      'news',
      [newsRow(20)],
      '--actor',
      'maria',
      '--license',
      'CC BY 4.0',
      '--source',
      'https://a.example/',
    );
    expect((await runs()).find(({ id }) => id === run)).toMatchObject({
      what: 'news',
      fileName: 'news.ndjson',
      rows: 1,
      state: 'done',
      license: 'CC BY 4.0',
      sourceUrl: 'https://a.example/',
      actor: { type: 'operator', name: 'maria' },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('an import that was killed resumes after its last batch, but not from another file', async () => {
    const rows = Array.from({ length: 1400 }, (_, n) => brokerRow(`many-${n}`)); // in batches of 500
    const file = await scratch.ndjson('many.ndjson', rows);
    const { MONGOD_BINARY, PATH, HOME } = process.env;
    const child = execFile(process.execPath, [bin, 'import', 'brokers', file], {
      env: {
        MONGOD_BINARY,
        PATH,
        HOME,
        ...service.data,
        MONGODB_URL: formatAddress(await findDatabaseUrl(service), 'killed-import'),
      },
    });
    await until(
      'a batch is written',
      30_000,
      async () =>
        (await inDatabase(service, (db) => db.collection('importRuns').findOne({ fileName: 'many.ndjson' })))?.[
          'batches'
        ] >= 1,
    );
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    await inDatabase(service, ({ client }) => endSessions(client, 'killed-import'));
    const [stopped] = await runs();
    expect(stopped).toMatchObject({ state: 'writing', what: 'brokers' });
    const other = await scratch.ndjson('other.ndjson', rows.slice(1));
    const refused = await service.cli('import', 'brokers', other, '--resume');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('No import of this very file')]);
    const report = JSON.parse(succeeded(await service.cli('import', 'brokers', file, '--resume', '--json')));
    expect(report.run).toBe(stopped?.id);
    expect(report.written).toBeLessThanOrEqual(rows.length - 500);
    expect(
      await inDatabase(service, (db) => db.collection('brokerProfiles').countDocuments({ _id: /^many-/ as never })),
    ).toBe(rows.length);
    succeeded(await undo(report.run));
    expect(
      await inDatabase(service, (db) => db.collection('brokerProfiles').countDocuments({ _id: /^many-/ as never })),
    ).toBe(0);
    expect(await inDatabase(service, (db) => db.collection('licenses').countDocuments({ broker: /^many-/ }))).toBe(0);
  });

  test('an import shows whom the data requires to be named', async () => {
    const source = { fact: 'website', sourceUrl: 'https://registry.example/' };
    const own = { ...source, fact: 'country', attribution: 'Somebody else' };
    const rows = [brokerRow('named', { provenance: [source, own] }), brokerRow('bare')];
    const terms = ['--license', 'CC BY 4.0', '--attribution', 'Example Registry'];
    const refused = await service.cli('import', 'brokers', await scratch.ndjson('named.ndjson', rows), ...terms);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('line 2, column provenance')]);
    await bring('brokers', rows, ...terms, '--source', 'https://data.example/');
    expect(await getJson(service, '/brokers/named')).toMatchObject({
      provenance: [{ attribution: 'Example Registry, CC BY 4.0' }, { attribution: 'Somebody else' }],
    });
    expect(await getJson(service, '/brokers/bare')).toMatchObject({
      provenance: [{ fact: 'profile', sourceUrl: 'https://data.example/', attribution: 'Example Registry, CC BY 4.0' }],
    });
    expect(await rebuilt()).toContain('0 different');
  });

  test('an import of a changed file does not resume', async () => {
    const file = await scratch.ndjson('grown.ndjson', [newsRow(30)]);
    succeeded(await service.cli('import', 'news', file));
    await appendFile(file, `${JSON.stringify(newsRow(31))}\n`);
    expect((await service.cli('import', 'news', file, '--resume')).code).toBe(1);
  });
});
