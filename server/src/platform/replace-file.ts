import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Returns the identity of a file, which a move keeps. A copy has another identity, even on the same disk. */
export const toFileIdentity = ({ ino, birthtimeNs }: Pick<BigIntStats, 'ino' | 'birthtimeNs'>): string =>
  `${ino}/${birthtimeNs}`;

/** Content of a file, or a function that makes it from the file's identity. */
type FileContent = string | Uint8Array | ((identity: string) => string);

/** Writes a new file and syncs it to disk. */
const writeThrough = async (path: string, content: FileContent, mode: number): Promise<void> => {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(
      typeof content === 'function' ? content(toFileIdentity(await file.stat({ bigint: true }))) : content,
    );
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Syncs a folder, so that its files survive a power cut. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** Returns a unique name for a file that will replace `path`. */
export const createTemporaryName = (path: string): string => `${path}.${randomUUID()}.new`;

/** Replaces a file atomically, and creates its folder if missing. Readers see the old file or the new one. */
export const replaceFile = async (path: string, content: FileContent, mode = 0o600): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const next = createTemporaryName(path);
  try {
    await writeThrough(next, content, mode);
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
};
