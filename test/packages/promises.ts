import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { openApiDocument } from '@broker-transparency/contract/openapi';
import { type Document, openApiBreaks } from './compare-openapi.ts';
import { type Declarations, typeBreaks } from './compare-types.ts';

/* The baseline of the last release, stored as text files, so that no tool treats them as sources. */

const ROOT = join(import.meta.dirname, '../..');
const RELEASED = join(import.meta.dirname, 'released');
const DOCUMENT = join(RELEASED, 'openapi.json.txt');

/** The packages whose types are compared. */
export const TYPED = ['contract', 'client'] as const;
type Typed = (typeof TYPED)[number];

type Exports = Readonly<Record<string, { readonly import?: { readonly types?: string } }>>;

/** Declaration files below a folder. `suffix` follows `.d.ts` in their names. */
const filesIn = async (folder: string, suffix: string): Promise<Record<string, string>> => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(`.d.ts${suffix}`)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, at) => [name.slice(0, name.length - suffix.length), texts[at] ?? '']));
};

const builtTypes = async (name: Typed): Promise<Declarations> => {
  const folder = join(ROOT, name);
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { exports: Exports };
  const entries = Object.entries(exports).flatMap(([entry, conditions]) => {
    const types = conditions.import?.types;
    return types === undefined ? [] : [[entry, relative('dist', types)]];
  });
  return { files: await filesIn(join(folder, 'dist'), ''), entries: Object.fromEntries(entries) };
};

const entriesFile = (name: Typed): string => join(RELEASED, name, 'entries.json.txt');

const releasedTypes = async (name: Typed): Promise<Declarations> => ({
  files: await filesIn(join(RELEASED, name), '.txt'),
  entries: JSON.parse(await readFile(entriesFile(name), 'utf8')),
});

const currentDocument = () => openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' });

/** Breaking changes for users of a package's types since the last release. */
export const brokenTypes = async (name: Typed): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  try {
    return await typeBreaks(await releasedTypes(name), await builtTypes(name), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Breaking changes for callers of the API since the last release. */
export const brokenAnswers = async (): Promise<string[]> =>
  openApiBreaks(JSON.parse(await readFile(DOCUMENT, 'utf8')), currentDocument() as unknown as Document);

const acceptTypes = async (name: Typed): Promise<void> => {
  await rm(join(RELEASED, name), { recursive: true, force: true });
  const { files, entries } = await builtTypes(name);
  for (const [file, text] of Object.entries(files)) {
    const path = join(RELEASED, name, `${file}.txt`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await writeFile(entriesFile(name), `${JSON.stringify(entries, null, 1)}\n`);
};

/** Stores the current build as the new baseline. */
export const acceptPromises = async (): Promise<void> => {
  for (const name of TYPED) await acceptTypes(name);
  await writeFile(DOCUMENT, `${JSON.stringify(currentDocument(), null, 1)}\n`);
};
