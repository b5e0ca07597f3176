import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Returns the identity of a file, which stays when it is moved. A copy has another one, also on the same disk. */
export const toFileIdentity = ({ ino, birthtimeNs }: Pick<BigIntStats, 'ino' | 'birthtimeNs'>): string =>
  `${ino}/${birthtimeNs}`;

/** Content of a file, or how it follows from the identity of the file. */
type Content = string | Uint8Array | ((identity: string) => string);

/** Writes a new file. It is on the disk afterwards. */
const writeThrough = async (path: string, content: Content, mode: number): Promise<void> => {
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

/** Makes sure that a folder shows its files after a power cut. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** Returns the name of a file that will replace `path`. Others that do the same, in this process too, get another. */
export const createTemporaryName = (path: string): string => `${path}.${randomUUID()}.new`;

/** Replaces a file whole, in a folder that is made where it is missing. Readers see the one before, or this one. */
export const replaceFile = async (path: string, content: Content, mode = 0o600): Promise<void> => {
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
