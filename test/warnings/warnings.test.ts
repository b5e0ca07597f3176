import { readdirSync } from 'node:fs';
import { readFile as readText } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, importRows, succeeded } from '../support/filled-service.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { brokerRows, FIRMS, type Firm, generateList } from './lists.ts';

/** Lists in the gate; `pnpm warnings:lists` tries 1 000. */
const LISTS = Number(process.env['WARNING_LISTS'] ?? 8);
/** The first of them: a thousand can be tried in parts. */
const FIRST = Number(process.env['WARNING_LISTS_FROM'] ?? 1);
vi.setConfig({ testTimeout: 60_000 + LISTS * 2000 });

interface ShownMatch {
  readonly id: string;
  readonly broker: string;
  readonly state: string;
  readonly evidence: readonly object[];
  readonly doubts: readonly string[];
}
interface ShownWarning {
  readonly url: string;
  readonly about: string;
  readonly match?: string;
  readonly withdrawnAt?: string;
  readonly correctedAt?: string;
  readonly title: string;
}

let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  service = await startService();
  scratch = await createScratch();
  await importRows(service, 'brokers', brokerRows());
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

let files = 0;
/** Reads a list in the plain form. */
const read = async (source: string, authority: string, lines: readonly object[], ...options: string[]) => {
  const file = await scratch.ndjson(`list-${++files}.ndjson`, lines);
  const url = `https://warnings.example/${source}`;
  const given = ['--source', source, '--authority', authority, '--list-url', url, ...options];
  const day = options.includes('--as-of') ? [] : ['--as-of', '2026-10-02'];
  return JSON.parse(succeeded(await service.cli('warning', 'import', file, ...given, ...day, '--json')));
};
const queue = async (): Promise<ShownMatch[]> =>
  JSON.parse(succeeded(await service.cli('warning', 'queue', '--limit', '99999', '--json')));
const readWarnings = async (slug: string, url = ''): Promise<ShownWarning[]> => {
  const { warnings } = (await getJson(service, `/brokers/${slug}`)) as unknown as { warnings: ShownWarning[] };
  return warnings.filter((warning) => warning.url.startsWith(url));
};
const readCaps = async (slug: string): Promise<string[]> => {
  const { score } = (await getJson(service, `/brokers/${slug}`)) as { score: { caps: { code: string }[] } };
  return score.caps.map(({ code }) => code).filter((code) => code.endsWith('Warning'));
};

test(`${LISTS} lists with clones cap whom they may at once, never a victim, and everything else waits with evidence`, async () => {
  for (let seed = FIRST; seed < FIRST + LISTS; seed++) {
    const { authority, cases } = generateList(seed);
    const source = `list-${seed}`;
    const url = `https://warnings.example/${source}#`;
    await read(
      source,
      authority,
      cases.map(({ line }) => line),
    );
    const stored = await inDatabase(service, (db) =>
      db
        .collection('warningMatches')
        .find({ warning: { $regex: `^${source}-` } })
        .toArray(),
    );
    const ids = new Map(
      await inDatabase(service, async (db) =>
        (await db.collection('authorityWarnings').find({ source }).toArray()).map(
          ({ _id, externalId }) => [externalId as string, String(_id)] as const,
        ),
      ),
    );
    const pairs = (what: readonly (readonly [unknown, string])[]) =>
      what.map(([line, slug]) => `${ids.get(line as string)} ${slug}`).sort();
    const found = (wanted: string) =>
      stored.filter(({ state }) => state === wanted).map(({ warning, broker }) => `${warning} ${broker}`);
    const capped = cases.flatMap(({ line, caps }) => (caps === null ? [] : [[line['id'], caps] as const]));
    expect(found('unchecked').sort(), `list ${seed}`).toEqual(pairs(capped));
    const waiting = cases.flatMap(({ line, waits }) => waits.map((slug) => [line['id'], slug] as const));
    // names that look like that of another broker wait as well
    expect(found('waiting'), `list ${seed}`).toEqual(expect.arrayContaining(pairs(waiting)));
    expect(stored.every(({ state }) => state === 'unchecked' || state === 'waiting')).toBe(true);
    for (const { state, evidence, doubts } of stored) {
      expect(evidence).not.toEqual([]);
      if (state === 'waiting') expect(doubts).not.toEqual([]);
    }
    await service.settle();
    for (const { caps } of cases)
      if (caps !== null)
        expect(await readWarnings(caps, url), `list ${seed} caps ${caps}`).toContainEqual(
          expect.objectContaining({ about: 'this_firm', match: 'unchecked' }),
        );
    for (const slug of new Set(cases.flatMap(({ waits }) => waits)))
      if (!cases.some(({ caps }) => caps === slug)) expect(await readWarnings(slug, url)).toEqual([]);
  }
});

describe('a firm that is warned of', () => {
  const firm = FIRMS.find(({ slug }) => slug === 'juniperlane-markets') as Firm;
  const line = { id: 'one', names: [firm.legalName], leis: [firm.lei], publishedAt: '2026-09-30' };
  const url = 'https://warnings.example/story';
  let id: string;

  test('a firm that is warned of is capped at once, publicly marked, in the news and in the record', async () => {
    const report = await read('story', firm.authority, [line]);
    expect(report).toMatchObject({ changes: { new: 1 }, matches: { published: 1 } });
    await service.settle();
    expect(await readCaps(firm.slug)).toContain('uncheckedWarning');
    const [warning] = await readWarnings(firm.slug, url);
    expect(warning).toMatchObject({ about: 'this_firm', match: 'unchecked', publishedAt: '2026-09-30T00:00:00.000Z' });
    const { data } = (await getJson(service, '/news')) as { data: { title: string; brokerSlugs: string[] }[] };
    expect(data.find(({ brokerSlugs }) => brokerSlugs.includes(firm.slug))?.title).toContain(`warns of ${firm.name}`);
    id = (await queue()).find(({ broker, state }) => broker === firm.slug && state === 'unchecked')?.id ?? '';
    expect(await getJson(service, `/brokers/${firm.slug}`)).toMatchObject({ score: { color: 'red' } });
  });

  test('a warning is not written again when the list is read again', async () => {
    const before = await inDatabase(service, (db) => db.collection('statements').countDocuments());
    expect(await read('story', firm.authority, [line])).toMatchObject({
      changes: { new: 0, changed: 0, withdrawn: 0, back: 0 },
      run: null,
    });
    expect(await inDatabase(service, (db) => db.collection('statements').countDocuments())).toBe(before);
  });

  test('a person confirms a warning', async () => {
    succeeded(await service.cli('warning', 'confirm', id, firm.slug, '--about', 'firm', '--actor', 'maria'));
    await service.settle();
    expect(await readCaps(firm.slug)).toContain('officialWarning');
    expect(await readWarnings(firm.slug, url)).toMatchObject([{ about: 'this_firm', match: 'confirmed' }]);
  });

  test('a firm is corrected as visibly as it was warned of, and stays so when the list is read again', async () => {
    succeeded(await service.cli('warning', 'undo', id, firm.slug, '--actor', 'maria'));
    await service.settle();
    expect(await readCaps(firm.slug)).not.toContain('officialWarning');
    expect(await readWarnings(firm.slug, url)).toMatchObject([
      { about: 'not_this_firm', correctedAt: expect.any(String) },
    ]);
    const { data } = (await getJson(service, '/news')) as {
      data: { title: string; severity: string; correctedAt?: string }[];
    };
    const about = data.filter(({ title }) => title.includes(firm.name));
    expect(about[0]?.title).toMatch(/^Correction: /);
    expect(about[0]?.severity).toBe(about.find(({ title }) => title.includes('warns of'))?.severity);
    expect(about.map(({ correctedAt }) => correctedAt)).toEqual([undefined, expect.any(String)]);
    const [last] = await inDatabase(service, (db) =>
      db
        .collection('recordEntries')
        .find({ key: { $regex: `^warning/${firm.slug}/` }, value: { $regex: '/story#' } })
        .sort({ sequence: -1 })
        .limit(1)
        .toArray(),
    );
    expect(last).toMatchObject({ cause: 'correction', validFrom: '2026-09-30T00:00:00.000Z' });
    await read('story', firm.authority, [{ ...line, names: [firm.legalName, firm.name] }]);
    expect(await readWarnings(firm.slug, url)).toMatchObject([{ about: 'not_this_firm' }]);
  });

  test('waits if the same authority warns again on the same ground, since a person took that back once', async () => {
    await read('story', firm.authority, [line, { ...line, id: 'two' }]);
    const open = (await queue()).filter(({ broker, state }) => broker === firm.slug && state === 'waiting');
    expect(open.some(({ doubts }) => doubts.includes('undone_before'))).toBe(true);
  });

  test('a warning ends once a full list lacks it', async () => {
    const other = FIRMS.find(({ slug }) => slug === 'juniperhaven-markets') as Firm;
    const own = { id: 'w', leis: [other.lei] };
    await read('full', other.authority, [own, { id: 'x', names: ['Somebody'] }]);
    await read('full', other.authority, [{ id: 'x', names: ['Somebody'] }], '--as-of', '2026-10-03');
    await service.settle();
    expect(await readWarnings(other.slug, 'https://warnings.example/full')).toMatchObject([
      { withdrawnAt: expect.any(String) },
    ]);
    const older = await service.cli(
      'warning',
      'import',
      await scratch.ndjson('old.ndjson', [own]),
      '--source',
      'full',
      '--authority',
      other.authority,
      '--list-url',
      'https://warnings.example/full',
      '--as-of',
      '2026-10-01',
    );
    expect(older).toMatchObject({ code: 1, stderr: expect.stringContaining('2026-10-03 was read already') });
  });

  test('the cap of a firm ends, and the news are corrected, once the list says that the warning is about a clone', async () => {
    const other = FIRMS.find(({ slug }) => slug === 'junipergate-markets') as Firm;
    const own = { id: 'w', leis: [other.lei], names: [other.name] };
    await read('clones', other.authority, [own]);
    const report = await read('clones', other.authority, [{ ...own, category: 'Clone of an authorised firm' }]);
    expect(report.matches).toMatchObject({ corrected: 1, waiting: 1 });
    await service.settle();
    expect(await readWarnings(other.slug, 'https://warnings.example/clones')).toMatchObject([
      { about: 'not_this_firm' },
    ]);
    const match = (await queue()).find(
      ({ broker, state, doubts }) => broker === other.slug && state === 'waiting' && doubts.includes('mentions_clone'),
    );
    succeeded(await service.cli('warning', 'confirm', match?.id ?? '', other.slug, '--about', 'clone'));
    await service.settle();
    expect((await readWarnings(other.slug, 'https://warnings.example/clones')).map(({ about }) => about)).toContain(
      'clone_of_it',
    );
  });

  test('a firm is as it was before once the run that brought the list is undone', async () => {
    const other = FIRMS.find(({ slug }) => slug === 'juniperfield-markets') as Firm;
    const { run } = await read('undone', other.authority, [{ id: 'w', leis: [other.lei] }]);
    const at = 'https://warnings.example/undone';
    await service.settle();
    expect(await readWarnings(other.slug, at)).toHaveLength(1);
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    await service.settle();
    expect(await readWarnings(other.slug, at)).toMatchObject([{ about: 'not_this_firm' }]);
    expect(
      await inDatabase(service, (db) => db.collection('authorityWarnings').countDocuments({ source: 'undone' })),
    ).toBe(0);
  });

  test('an earlier list can be read once the run of a later one is undone', async () => {
    const other = FIRMS.find(({ slug }) => slug === 'juniperfield-markets') as Firm;
    const [one, two] = [
      { id: 'w', names: ['Somebody'] },
      { id: 'x', names: ['Somebody else'] },
    ];
    await read('days', other.authority, [one], '--as-of', '2026-10-03');
    const { run } = await read('days', other.authority, [two], '--as-of', '2026-10-09');
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    expect(await read('days', other.authority, [one, two], '--as-of', '2026-10-05')).toMatchObject({
      asOf: '2026-10-05T00:00:00.000Z',
      changes: { new: 1 },
    });
  });

  test('a person’s decision about a warning holds if its run is undone and the list read again', async () => {
    const other = FIRMS.find(({ slug }) => slug === 'juniperfield-markets') as Firm;
    const line = { id: 'w', leis: [other.lei], names: [other.name] };
    const { run } = await read('again', other.authority, [line]);
    const match = (await queue()).find(({ id, broker }) => id.startsWith('again-') && broker === other.slug);
    succeeded(await service.cli('warning', 'confirm', match?.id ?? '', other.slug, '--about', 'clone'));
    succeeded(await service.cli('import', 'undo', run, '--yes', run));
    await read('again', other.authority, [line, { ...line, id: 'next' }]);
    await service.settle();
    expect((await readWarnings(other.slug, 'https://warnings.example/again')).map(({ about }) => about)).toContain(
      'clone_of_it',
    );
    expect(await readCaps(other.slug)).not.toContain('uncheckedWarning');
  });

  test.each([
    ['of another encoding', Buffer.from('{"id":"1","names":["Société"]}', 'latin1'), 'line 1 is not UTF-8'],
    ['of one long line', Buffer.alloc(2_000_000, 'x'), 'line 1 is longer than 1 MB'],
  ])('a list is not read from a file %s', async (_, bytes, message) => {
    const file = await scratch.write('plain.ndjson', bytes);
    const options = ['--source', 'plain', '--authority', 'fca', '--list-url', 'https://warnings.example/plain'];
    expect(await service.cli('warning', 'import', file, ...options)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
  });

  test('a firm is warned of for a broker that was merged into it, until that one is split off again', async () => {
    const rows = ['heir', 'gone'].map((slug) =>
      brokerRow(slug, { name: `${slug} fx`, legalName: `${slug} fx Ltd`, licenses: [] }),
    );
    await importRows(service, 'brokers', rows);
    await read('merged', 'fca', [{ id: 'w', names: ['gone fx'] }]);
    const [match] = (await queue()).filter(({ broker }) => broker === 'gone');
    succeeded(await service.cli('warning', 'confirm', match?.id ?? '', 'gone', '--about', 'firm'));
    succeeded(await service.cli('broker', 'merge', 'gone', '--into', 'heir'));
    const name = ['broker', 'set', 'heir', 'tradingNames', '--reason', 'It took over.'];
    succeeded(await service.cli(...name, '--add', 'gone fx'));
    succeeded(await service.cli('admin', 'job', 'run', 'warning-matches'));
    await service.settle();
    expect(await readCaps('heir')).toContain('officialWarning');
    succeeded(await service.cli(...name, '--remove', 'gone fx'));
    succeeded(await service.cli('broker', 'split', 'gone'));
    succeeded(await service.cli('admin', 'job', 'run', 'warning-matches'));
    await service.settle();
    expect(await readCaps('heir')).not.toContain('officialWarning');
    expect(await readCaps('gone')).toContain('officialWarning');
  });

  test('a warning is not withdrawn by a list that is cut off', async () => {
    const lines = Array.from({ length: 10 }, (_, at) => ({ id: `${at}`, names: [`Somebody ${at}`] }));
    await read('cut', 'fca', lines);
    const file = await scratch.ndjson('cut.ndjson', lines.slice(0, 5));
    const options = ['--source', 'cut', '--authority', 'fca', '--list-url', 'https://warnings.example/cut'];
    const cut = await service.cli('warning', 'import', file, ...options, '--as-of', '2026-10-03');
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('the last good file had 10: it is cut off') });
    expect(
      (await service.cli('warning', 'import', file, ...options, '--as-of', '2026-10-03', '--least', '5')).code,
    ).toBe(0);
  });
});

test('a dry run says what would follow, and writes nothing', async () => {
  const firm = FIRMS.find(({ slug }) => slug === 'ambercrest-markets') as Firm;
  const count = () => inDatabase(service, (db) => db.collection('warningMatches').countDocuments());
  const before = await count();
  const report = await read('dry', firm.authority, [{ id: 'w', leis: [firm.lei] }], '--dry-run');
  expect(report).toMatchObject({ changes: { new: 1 }, matches: { published: 1 }, run: null });
  expect(await count()).toBe(before);
});

describe('a list with a mapping file', () => {
  const FIXTURES = new URL('../../server/src/intake/sources/fixtures/', import.meta.url);
  const files = readdirSync(FIXTURES).filter((name) => /(warnings|alerts|iosco|ncasp)\.(?!entries)/.test(name));
  const readFile = (name: string, ...options: string[]) =>
    service.cli(
      ...['warning', 'import', fileURLToPath(new URL(name, FIXTURES)), '--source', name.replace(/\..*/, '')],
      ...['--as-of', '2026-11-20', '--json', ...options],
    );

  test('a list is read as its authority publishes it, for every mapping file', async () => {
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const { warnings, changes } = JSON.parse(succeeded(await readFile(file, '--least', '1', '--dry-run')));
      expect(warnings, file).toBeGreaterThan(0);
      expect(changes.new, file).toBeGreaterThan(0);
    }
  });

  test('a list with a mapping file is refused if it is cut off', async () => {
    expect(await readFile('asic-alerts.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('It has 4 entries'),
    });
  });

  test('caps by its LEI, and its terms are named beside the warning', async () => {
    const [, row] = JSON.parse(await readText(new URL('esma-ncasp.entries.json', FIXTURES), 'utf8'));
    const { names, domains, lei } = row as { names: string[]; domains: string[]; lei: string };
    const firm = { name: names[0], legalName: names[0], domains, lei, licenses: [] };
    await importRows(service, 'brokers', [
      brokerRow('in-ncasp', { ...firm, entities: [{ legalName: names[0], country: 'NL' }] }),
    ]);
    succeeded(await readFile('esma-ncasp.csv', '--least', '1'));
    await service.settle();
    expect(await readCaps('in-ncasp')).toContain('uncheckedWarning');
    const { provenance } = (await getJson(service, '/brokers/in-ncasp')) as { provenance: Record<string, unknown>[] };
    expect(provenance.find(({ fact }) => fact === 'warnings')).toMatchObject({
      statedBy: { kind: 'authority' },
      attribution: expect.stringMatching(/./),
    });
  });
});

test('a list that would withdraw many warnings is written only once a person accepts it', async () => {
  const firms = (from: number) =>
    Array.from({ length: 20 }, (_, at) => ({ id: `${from + at}`, names: [`Somebody ${from + at}`] }));
  await read('turned', 'fca', firms(0));
  const refused = read('turned', 'fca', firms(100));
  await expect(refused).rejects.toThrow(/withdraws 20 of the 20 warnings that stand.*--accept-change/);
  const dry = await read('turned', 'fca', firms(100), '--dry-run');
  expect(dry).toMatchObject({ changes: { new: 20, withdrawn: 20 }, upheaval: expect.any(String), run: null });
  const stored = async () =>
    JSON.parse(succeeded(await service.cli('warning', 'list', '--source', 'turned', '--json'))) as object[];
  expect(await stored()).toHaveLength(20);
  const accepted = await read('turned', 'fca', firms(100), '--accept-change');
  expect(accepted).toMatchObject({ changes: { new: 20, withdrawn: 20 }, upheaval: null, run: expect.any(String) });
  expect(await stored()).toHaveLength(40);
});

test('a newest-only list withdraws nothing', async () => {
  const lines = [
    { id: 'a', names: ['Somebody A'] },
    { id: 'b', names: ['Somebody B'] },
  ];
  await read('newest', 'fca', lines, '--newest');
  expect(await read('newest', 'fca', lines.slice(1), '--newest')).toMatchObject({ changes: { withdrawn: 0 } });
});

test('rejects only matches that wait, and undoes only those that are published', async () => {
  const [open] = (await queue()).filter(({ state }) => state === 'waiting');
  const undone = await service.cli('warning', 'undo', open?.id ?? '', open?.broker ?? '');
  expect(undone).toMatchObject({ code: 1, stderr: expect.stringContaining('a person has to decide') });
  succeeded(await service.cli('warning', 'reject', open?.id ?? '', open?.broker ?? '', '--actor', 'maria'));
  const again = await service.cli('warning', 'reject', open?.id ?? '', open?.broker ?? '');
  expect(again.code).toBe(1);
  succeeded(await service.cli('admin', 'job', 'run', 'warning-matches'));
  expect((await queue()).some(({ id, broker }) => id === open?.id && broker === open?.broker)).toBe(false);
});
