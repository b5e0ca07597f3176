import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readChunks } from '@broker-transparency/tables';

/** The folder with the files of a list, by SHA-256, beside the database of one machine. */
export interface ListFolder {
  /** Returns the path of a kept file. */
  readonly toPath: (sha256: string) => string;
  /** Returns whether this machine has the file, with that size. */
  readonly has: (file: { readonly sha256: string; readonly bytes: number }) => Promise<boolean>;
  /** Returns the path for an unchecked file. */
  readonly incoming: () => string;
  /** Copies an operator's file. Returns its SHA-256. */
  readonly copy: (from: string, to: string) => Promise<string>;
  /**
   * Keeps a received file under its SHA-256, with the day that it describes as its time. `license check` reads that
   * time.
   */
  readonly keep: (path: string, sha256: string, asOf: Date) => Promise<string>;
  readonly remove: (path: string) => Promise<void>;
  /** Removes all files but these, and remains of killed attempts. */
  readonly prune: (kept: readonly string[]) => Promise<void>;
}

/** Age in milliseconds from which a received file belongs to a killed attempt. */
const LEFT_MS = 86_400_000;

export const openListFolder = async (dataDir: string, name: string): Promise<ListFolder> => {
  const folder = join(dataDir, 'registers', name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const toPath = (file: string): string => join(folder, file);
  const remove = (path: string): Promise<void> => rm(path, { force: true });
  return {
    toPath,
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
