import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type ServedFile, textFile } from '../http/endpoints/files.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.ndjson': 'application/x-ndjson',
  '.py': 'text/x-python; charset=utf-8',
};

/** Returns the test vectors of each version of the methodology, and its second implementation. */
export const readMethodologyFiles = (folder: URL): ServedFile[] =>
  readdirSync(folder)
    .sort()
    .map((name) =>
      textFile(`/methodology/${name}`, () => readFileSync(new URL(name, folder), 'utf8'), TYPES[extname(name)]),
    );
