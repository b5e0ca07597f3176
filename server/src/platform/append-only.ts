import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file that is only ever added to; empty where there is none yet. */
export const readLinesOf = async (path: string, what: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new Error(`The ${what} ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

/** Adds values, one JSON object a line. They are on disk when this returns. A line that an earlier fault cut off is not continued. */
export const appendLines = async (path: string, values: readonly object[]): Promise<void> => {
  if (values.length === 0) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(`\n${values.map((value) => JSON.stringify(value)).join('\n')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
};
