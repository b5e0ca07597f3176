import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '@broker-transparency/contract/openapi';
import { type Document, openApiBreaks } from './compare-openapi.ts';
import { typeBreaks } from './compare-types.ts';

/* What the last release promised its users, kept as it was: text, so that no tool reads it as source. */

const ROOT = join(import.meta.dirname, '../..');
const RELEASED = join(import.meta.dirname, 'released');

const releasedTypes = (name: string) => join(RELEASED, `${name}.d.ts.txt`);
const RELEASED_DOCUMENT = join(RELEASED, 'openapi.json.txt');

const builtTypes = (name: string) => readFile(join(ROOT, name, 'dist/index.d.ts'), 'utf8');

const currentDocument = () => openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' });

/** The packages whose types are compared. */
export const TYPED = ['contract', 'client'] as const;

/** What breaks for users of a package's types since the last release. */
export const brokenTypes = async (name: (typeof TYPED)[number]): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  try {
    return await typeBreaks(await readFile(releasedTypes(name), 'utf8'), await builtTypes(name), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** What breaks for callers of the API since the last release. */
export const brokenAnswers = async (): Promise<string[]> =>
  openApiBreaks(JSON.parse(await readFile(RELEASED_DOCUMENT, 'utf8')), currentDocument() as unknown as Document);

/** Makes what is built now the promise to keep. */
export const acceptPromises = async (): Promise<void> => {
  for (const name of TYPED) await writeFile(releasedTypes(name), await builtTypes(name));
  await writeFile(RELEASED_DOCUMENT, `${JSON.stringify(currentDocument(), null, 1)}\n`);
};
