import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Checkpoint,
  decodeBundle,
  encodeBundle,
  parseSignedCheckpoint,
  TILE_WIDTH,
  tilePath,
  tileWidth,
} from '@broker-transparency/log';
import type { Db } from '../../platform/mongo.ts';
import { replaceFile, toFileIdentity } from '../../platform/replace-file.ts';
import { readBytes, readValue } from '../record/read.ts';

/*
 * A copy of the log in a folder outside the database, in the form for readers: the last signed checkpoint and the
 * entries that it covers. A restore of the database does not change it. `written-here.json` shows that the folder
 * itself was not restored: it holds the checkpoint and the identity of its own file.
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
const writtenHereIn = (folder: string): string => join(folder, 'written-here.json');
const valueIn = (folder: string, number: number): string => join(folder, `value/${number}`);

/** The file with the entries of a bundle, in a log of this size. */
const bundleIn = (folder: string, index: number, size: number): string =>
  join(folder, tilePath({ level: 'entries', index, width: tileWidth('entries', index, size) }));

/** Returns the signed checkpoint of a copy; undefined if the folder has none. */
export const readKeptText = async (folder: string): Promise<string | undefined> =>
  (await readIfThere(checkpointIn(folder)))?.toString();

/** Returns the text of the file at a path with its identity; undefined if there is none. */
const readIdentified = async (path: string) => {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`The copy of the log ${path} cannot be read: ${error.message}`, { cause: error });
  });
  if (!file) return undefined;
  try {
    return { identity: toFileIdentity(await file.stat({ bigint: true })), text: await file.readFile('utf8') };
  } finally {
    await file.close();
  }
};

/**
 * Returns the last checkpoint that this service wrote into this very folder; undefined if the folder is empty or a
 * copy.
 */
export const readOwnCheckpoint = async (folder: string): Promise<Checkpoint | undefined> => {
  const path = writtenHereIn(folder);
  const found = await readIdentified(path);
  if (!found) return undefined;
  try {
    const { file, checkpoint } = JSON.parse(found.text) as { readonly file: string; readonly checkpoint: string };
    return file === found.identity ? parseSignedCheckpoint(checkpoint).checkpoint : undefined;
  } catch (error) {
    throw new Error(`${path} is damaged: ${(error as Error).message}`, { cause: error });
  }
};

const keepBundle = async (db: Db, folder: string, index: number, size: number): Promise<void> => {
  const entries = await readBytes(db, index * TILE_WIDTH, tileWidth('entries', index, size));
  for (const { number, hasOnlyHash } of entries)
    if (hasOnlyHash) await replaceFile(valueIn(folder, number), (await readValue(db, number)) as string);
  await replaceFile(bundleIn(folder, index, size), encodeBundle(entries.map(({ bytes }) => bytes)));
};

/** Copies a signed checkpoint into a folder, after the entries that it covers. */
export const copyLog = async (db: Db, folder: string, text: string): Promise<void> => {
  const { size } = parseSignedCheckpoint(text).checkpoint;
  const kept = await readKeptText(folder);
  const before = kept === undefined ? 0 : parseSignedCheckpoint(kept).checkpoint.size;
  if (size < before) return; // another process that keeps the log here is ahead
  const first = Math.floor(before / TILE_WIDTH);
  for (let index = first; index * TILE_WIDTH < size; index++) await keepBundle(db, folder, index, size);
  await replaceFile(checkpointIn(folder), text);
  if (before % TILE_WIDTH === 0 || before === size) return;
  await rm(bundleIn(folder, first, before), { force: true }); // the longer file of this bundle has all its entries
};

/** Keeps a signed checkpoint and its entries as the newest state of the log that this machine knows. */
export const keepLog = async (db: Db, folder: string, text: string): Promise<void> => {
  await copyLog(db, folder, text);
  const newest = await readKeptText(folder);
  await replaceFile(writtenHereIn(folder), (file) => JSON.stringify({ file, checkpoint: newest }));
};

/** Moves a copy aside, where nothing reads it. */
export const putAside = async (folder: string, at: Date): Promise<void> => {
  await rename(folder, `${folder}.aside-${at.getTime()}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
};

/** Keeps a checkpoint that others vouch for. The former content of the folder is moved aside. */
export const replaceLog = async (db: Db, folder: string, text: string, at: Date): Promise<void> => {
  await putAside(folder, at);
  await keepLog(db, folder, text);
};

/** Reads a bundle of a kept log of this size; undefined if it is missing. */
export const readKeptBundle = async (folder: string, index: number, size: number) => {
  const bundle = await readIfThere(bundleIn(folder, index, size));
  return bundle && decodeBundle(bundle);
};

/** Returns the kept value of an entry that has only the hash of its value. */
export const readKeptValue = async (folder: string, number: number): Promise<string | undefined> =>
  (await readIfThere(valueIn(folder, number)))?.toString();
