import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type ServedFile, textFile } from '../http/endpoints/files.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.ndjson': 'application/x-ndjson',
  '.py': 'text/x-python; charset=utf-8',
};

/** Serves the text of a file at a path. It is read at the first request. */
export const toTextFile = (path: string, file: URL): ServedFile =>
  textFile(path, () => readFileSync(file, 'utf8'), TYPES[extname(path)]);

/** Returns the test vectors of each version of the methodology, and its second implementation. */
export const readMethodologyFiles = (folder: URL): ServedFile[] =>
  readdirSync(folder)
    .sort()
    .map((name) => toTextFile(`/methodology/${name}`, new URL(name, folder)));
