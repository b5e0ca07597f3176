import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readChunks } from '../../../operate/sheets/file-chunks.ts';

/** The folder with the files of a list, by their SHA-256. It lies beside the database of one machine. */
export interface ListFolder {
  /** Path of a file that is kept. */
  readonly pathOf: (sha256: string) => string;
  /** Whether this machine has a file, of that many bytes. */
  readonly has: (file: { readonly sha256: string; readonly bytes: number }) => Promise<boolean>;
  /** Path for a file that is not known yet to be good. */
  readonly incoming: () => string;
  /** Copies a file that an operator brings. Returns its SHA-256. */
  readonly copy: (from: string, to: string) => Promise<string>;
  /** Keeps what came in under its SHA-256, saved on the day that it tells of, which `license check` reads from it. */
  readonly keep: (path: string, sha256: string, asOf: Date) => Promise<string>;
  readonly remove: (path: string) => Promise<void>;
  /** Removes all files but these, and what an attempt left that was killed. */
  readonly prune: (kept: readonly string[]) => Promise<void>;
}

/** Age from which what came in is of an attempt that ended without a word. */
const LEFT_MS = 86_400_000;

export const openListFolder = async (dataDir: string, name: string): Promise<ListFolder> => {
  const folder = join(dataDir, 'registers', name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const toPath = (file: string): string => join(folder, file);
  const remove = (path: string): Promise<void> => rm(path, { force: true });
  return {
    pathOf: toPath,
    remove,
    has: ({ sha256, bytes }) =>
      stat(toPath(sha256)).then(
        ({ size }) => size === bytes,
        () => false,
      ),
    incoming: () => toPath(`incoming-${randomUUID()}`),
    copy: async (from, to) => {
      const digest = createHash('sha256');
      await pipeline(
        readChunks(from, (chunk) => digest.update(chunk)),
        createWriteStream(to, { flags: 'wx', mode: 0o600 }),
      );
      return digest.digest('hex');
    },
    keep: async (path, sha256, asOf) => {
      await utimes(path, asOf, asOf);
      await rename(path, toPath(sha256));
      return toPath(sha256);
    },
    prune: async (kept) => {
      for (const file of await readdir(folder)) {
        const { mtimeMs } = await stat(toPath(file)).catch(() => ({ mtimeMs: Date.now() }));
        const isOld = file.startsWith('incoming-') && Date.now() - mtimeMs > LEFT_MS;
        if (isOld || (/^[0-9a-f]{64}$/.test(file) && !kept.includes(file))) await remove(toPath(file));
      }
    },
  };
};
