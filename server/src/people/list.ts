import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Erasure, readLines, toLine } from './record.ts';

/** The list of erasures outside the database. It is only ever added to. */
export const readList = async (path: string) => {
  try {
    return readLines(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { erasures: [], unreadable: [] };
    throw new Error(`The list of erasures ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

/** Adds erasures. They are on disk when this returns. A line that an earlier fault cut off is not continued. */
export const appendToList = async (path: string, erasures: readonly Erasure[]): Promise<void> => {
  if (erasures.length === 0) return;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    try {
      await file.appendFile(`\n${erasures.map(toLine).join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Error(
      `The list of erasures ${path} cannot be written, so nothing was erased: ${(error as Error).message}. Set ERASURE_LIST`,
      { cause: error },
    );
  }
};
