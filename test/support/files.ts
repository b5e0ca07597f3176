import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary directory for the files of one test file. */
export interface Scratch {
  readonly path: string;
  /** Writes a file and returns its path. */
  readonly write: (name: string, content: string | Buffer) => Promise<string>;
  /** Writes one JSON object per line and returns the path. */
  readonly ndjson: (name: string, rows: readonly unknown[]) => Promise<string>;
  /** Returns the path of a file that a test or a command makes. */
  readonly file: (name: string) => string;
  readonly read: (name: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

export const createScratch = async (): Promise<Scratch> => {
  const path = await mkdtemp(join(tmpdir(), 'broker-rating-files-'));
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    const file = join(path, name);
    await writeFile(file, content);
    return file;
  };
  return {
    path,
    write,
    ndjson: (name, rows) => write(name, rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    file: (name) => join(path, name),
    read: (name) => readFile(join(path, name), 'utf8'),
    remove: () => rm(path, { recursive: true, force: true }),
  };
};
