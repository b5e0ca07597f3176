import { constants, open } from 'node:fs/promises';
import { DomainError } from './domain-error.ts';
import { isPrivate } from './private-file.rule.ts';

/**
 * Reads a file that only its owner may read, or a credential of systemd. Content and mode come from one open file, so
 * neither can be swapped.
 */
export const readPrivate = async (file: string): Promise<string> => {
  const handle = await open(file, constants.O_RDONLY);
  try {
    const { mode: bits, uid } = await handle.stat();
    const mode = bits & 0o777;
    if (!isPrivate({ mode, uid }, process.getuid?.()))
      throw new SyntaxError(`others can use it, since its mode is ${mode.toString(8)}; run chmod 600 ${file}`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};

/** Writes a new file that only its owner can read. @throws DomainError if the file exists */
export const writePrivate = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'it exists, and a key is never overwritten' : error.message;
    throw new DomainError('unreadable_file', `${path} cannot be written: ${why}.`, { cause: error });
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};
