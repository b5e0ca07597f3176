import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { frontierNodes, parseSignedCheckpoint, rootOf, toBase64 } from '@broker-transparency/contract/log';
import { readNodes } from './hashes.ts';
import * as store from './store.ts';
import { sha256 } from './tree.ts';

/** Returns the root that the tree had at an earlier size, in base64. */
const rootAt = async (older: number, size: number): Promise<string> => {
  const nodes = frontierNodes(older);
  const hashOf = await readNodes([nodes], size);
  return toBase64(rootOf({ size: older, hashes: nodes.map(hashOf) }, sha256));
};

const readKept = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The checkpoint ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

/**
 * Returns why the tree does not continue the checkpoint that was signed last, which is kept outside the database;
 * undefined if it does. Signing another history than the one that readers saw would break the log for ever.
 */
export const findBreak = async (path: string, origin: string): Promise<string | undefined> => {
  const text = await readKept(path);
  if (text === undefined) return undefined;
  const kept = parseSignedCheckpoint(text).checkpoint;
  if (kept.origin !== origin) return undefined; // another log begins
  const { size, root } = kept;
  const tree = await store.readTree(null);
  const has = tree?.size ?? 0;
  if (has < size) return `${path} was signed for ${size} entries, and the database has ${has}`;
  const now = await rootAt(size, has);
  return now === toBase64(root) ? undefined : `the first ${size} entries are not those for which ${path} was signed`;
};

/** Keeps a signed checkpoint outside the database. */
export const keepCheckpoint = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
};
