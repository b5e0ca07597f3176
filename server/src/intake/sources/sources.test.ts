import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { referenceRegulators, sourceFiles } from '../../assets.ts';
import type { SourceEntry } from './entry.rule.ts';
import { readBytes, readSource } from './read.ts';
import { listSourceNames, listSources, parseSource, requireSource } from './sources.ts';

const FIXTURES = new URL('./fixtures/', import.meta.url);
const DAY = '2026-11-20';
const NAMES = listSourceNames();
const fixtures = (await readdir(FIXTURES)).filter((file) => /\.[a-z]+$/.test(file) && !file.endsWith('.entries.json'));
/** Files that publishers offer beside a source's own, and that no mapping is for. */
const neighbours = (await readdir(new URL('neighbours/', FIXTURES))).map((file) => `neighbours/${file}`);
const dropEnding = (file: string): string => file.replace(/\.[a-z]+$/, '');

const read = async (name: string, file: string): Promise<SourceEntry[]> => {
  const entries: SourceEntry[] = [];
  for await (const entry of readSource(fileURLToPath(new URL(file, FIXTURES)), requireSource(name), DAY))
    entries.push(entry);
  return entries;
};

test('every source has a file in its true format, and every file a source', () => {
  expect([...new Set(fixtures.map(dropEnding))].sort()).toEqual(NAMES.toSorted());
});

test.each(fixtures)('%s is read as its mapping says', async (file) => {
  const name = dropEnding(file);
  const entries = await read(name, file);
  await expect(`${JSON.stringify(entries, null, 1)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL(`${name}.entries.json`, FIXTURES)),
  );
});

const REFUSED = /\bis not\b|\bhas no\b|no whole|no JSON|no XML|names nobody|no .xlsx|is expected/;

test.each(fixtures)('%s is read by no mapping but its own', async (file) => {
  for (const other of NAMES.filter((name) => name !== dropEnding(file)))
    await expect(read(other, file), `${file} as ${other}`).rejects.toThrow(REFUSED);
});

test.each(neighbours)('%s is read by no mapping', async (file) => {
  for (const name of NAMES) await expect(read(name, file), `${file} as ${name}`).rejects.toThrow(REFUSED);
});

test("ESMA's list of warned firms is read although no row of it gives a reason", async () => {
  const text = await readFile(new URL('esma-ncasp.csv', FIXTURES), 'utf8');
  const silent = text.replace(',None,', ',,').replace('It offers services without a licence.', '');
  const bytes = async function* () {
    yield Buffer.from(silent);
  };
  const entries: SourceEntry[] = [];
  for await (const entry of readBytes(bytes(), requireSource('esma-ncasp'), DAY)) entries.push(entry);
  expect(entries).toMatchObject([
    { names: ['AlphaCoin'], text: 'first line\nsecond line' },
    { names: ['Beta Crypto BV'], text: '' },
  ]);
});

describe('the mapping files', () => {
  const codes = new Set(referenceRegulators().map(({ code }) => code));

  test('mapping files name regulators of the reference data, but for one that it lacks', () => {
    const others = NAMES.flatMap((name) => requireSource(name).regulators).filter((code) => !codes.has(code));
    expect([...new Set(others)]).toEqual(['sec-us']);
  });

  test('mapping files feed 35 regulators or more of the reference data', () => {
    const fed = new Set(
      listSources('licences').flatMap(({ regulators }) => regulators.filter((code) => codes.has(code))),
    );
    expect(fed.size).toBeGreaterThanOrEqual(35);
  });

  test.each<[string, object, string]>([
    ['a field that there is not', { columns: 1 }, 'columns'],
    ['another name', { name: 'other' }, 'calls itself other'],
    ['bounds that cross', { expected: { min: 5, max: 4 } }, 'expected.min'],
    [
      'a fetch that the terms forbid',
      { terms: { ...(sourceFiles().get('fca') as { terms: object }).terms } },
      'by hand',
    ],
    ['no address by HTTPS', { fetch: { url: 'http://a.example', everyHours: 1, maxBytes: 1 } }, 'URL'],
    ['a regulator that is not listed', { regulators: ['fca'] }, 'not among the regulators'],
  ])('refuses a mapping file with %s', (_, change, message) => {
    const finma = sourceFiles().get('finma') as object;
    expect(() => parseSource('finma', finma)).not.toThrow();
    expect(() => parseSource('finma', { ...finma, ...change })).toThrow(message);
  });
});
