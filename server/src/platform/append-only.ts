import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns the text of an append-only file, or an empty string if the file does not exist.
 * @throws Error if the file cannot be read
 */
export const readAppendOnly = async (path: string, what: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new Error(`The ${what} ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

/**
 * Appends values, one JSON object per line, and returns once they are on disk. Each call begins with a line break, so
 * it never continues a line that an earlier fault cut off.
 */
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
