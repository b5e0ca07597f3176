import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Checkpoint,
  decodeBundle,
  encodeBundle,
  frontierNodes,
  parseSignedCheckpoint,
  rootOf,
  TILE_WIDTH,
  tilePath,
  tileWidth,
  toBase64,
} from '@broker-transparency/contract/log';
import type { Db } from '../mongo.ts';
import { readBytes, readValue } from '../record/read.ts';
import { replaceFile } from '../replace-file.ts';
import { sha256 } from '../sha256.rule.ts';
import { readNodes } from './hashes.ts';
import * as store from './store.ts';

/*
 * A copy of the log outside the database, in a folder, as readers get it: the checkpoint that was signed last and the
 * entries that it covers. It outlives a restore, which would take back what was signed since the backup.
 */

const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The copy of the log ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

const checkpointIn = (folder: string): string => join(folder, 'checkpoint');
const valueIn = (folder: string, number: number): string => join(folder, `value/${number}`);

/** The file with the entries of a bundle, in a log of this size. */
const bundleIn = (folder: string, index: number, size: number): string =>
  join(folder, tilePath({ level: 'entries', index, width: tileWidth('entries', index, size) }));

/** Returns the checkpoint that was signed last; undefined if none is kept. */
export const readKeptCheckpoint = async (folder: string): Promise<Checkpoint | undefined> => {
  const path = checkpointIn(folder);
  const text = await readIfThere(path);
  try {
    return text && parseSignedCheckpoint(text.toString()).checkpoint;
  } catch (error) {
    throw new Error(`${path} is no signed checkpoint: ${(error as Error).message}`, { cause: error });
  }
};

const keepBundle = async (db: Db, folder: string, index: number, size: number): Promise<void> => {
  const entries = await readBytes(db, index * TILE_WIDTH, tileWidth('entries', index, size));
  for (const { number, hasOnlyHash } of entries)
    if (hasOnlyHash) await replaceFile(valueIn(folder, number), (await readValue(db, number)) as string);
  await replaceFile(bundleIn(folder, index, size), encodeBundle(entries.map(({ bytes }) => bytes)));
};

/** Keeps a signed checkpoint, after the entries that it covers. */
export const keepLog = async (db: Db, folder: string, text: string): Promise<void> => {
  const { size } = parseSignedCheckpoint(text).checkpoint;
  const before = (await readKeptCheckpoint(folder))?.size ?? 0;
  if (size < before) return; // another process that keeps it here went on
  const first = Math.floor(before / TILE_WIDTH);
  for (let index = first; index * TILE_WIDTH < size; index++) await keepBundle(db, folder, index, size);
  await replaceFile(checkpointIn(folder), text);
  if (before % TILE_WIDTH === 0 || before === size) return;
  await rm(bundleIn(folder, first, before), { force: true }); // the longer one of this bundle has all of it
};

/** Reads a bundle of a kept log of this size; undefined if it is not there. */
export const readKeptBundle = async (folder: string, index: number, size: number) => {
  const bundle = await readIfThere(bundleIn(folder, index, size));
  return bundle && decodeBundle(bundle);
};

/** Returns the kept value of an entry that has only the hash. */
export const readKeptValue = async (folder: string, number: number): Promise<string | undefined> =>
  (await readIfThere(valueIn(folder, number)))?.toString();

/** Returns the root that the tree had at an earlier size, in base64. */
const rootAt = async (db: Db, older: number, size: number): Promise<string> => {
  const nodes = frontierNodes(older);
  const hashOf = await readNodes(db, [nodes], size);
  return toBase64(rootOf({ size: older, hashes: nodes.map(hashOf) }, sha256));
};

/**
 * Returns why the tree does not continue the checkpoint that was signed last; undefined if it does. Signing another
 * history than the one that readers saw would break the log for ever.
 */
export const findBreak = async (db: Db, folder: string): Promise<string | undefined> => {
  const kept = await readKeptCheckpoint(folder);
  if (kept === undefined) return undefined;
  const { size, root } = kept;
  const has = (await store.readTree(db, null))?.size ?? 0;
  const path = checkpointIn(folder);
  if (has < size) return `${path} was signed for ${size} entries, and the database has ${has}`;
  const now = await rootAt(db, size, has);
  return now === toBase64(root) ? undefined : `the first ${size} entries are not those for which ${path} was signed`;
};
