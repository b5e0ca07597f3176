import {
  encodeBundle,
  inclusionPlan,
  makeProof,
  parseNote,
  parseTilePath,
  parseVerifierKey,
  TILE_WIDTH,
  type Tile,
  tileWidth,
} from '@broker-transparency/log';
import type { Db } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { readBytes, readValue } from '../record/read.ts';
import { findCheckpointOver } from './covering.ts';
import { readHashes, readNodes } from './hashes.ts';
import { logName } from './name.rule.ts';
import { isWithheld } from './refusals.ts';
import * as store from './store.ts';
import { cosignedCheckpoint } from './witnesses/cosigned.ts';

/** A file of the log. */
export interface LogFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** True if the file never changes. */
  readonly isImmutable: boolean;
}

const BYTES = 'application/octet-stream';

const tileFile = async (db: Db, { level, index, width }: Tile): Promise<LogFile> => {
  if (level !== 'entries')
    return { bytes: await readHashes(db, { level, index, width }), contentType: BYTES, isImmutable: true };
  const entries = await readBytes(db, index * TILE_WIDTH, width);
  return { bytes: encodeBundle(entries.map(({ bytes }) => bytes)), contentType: BYTES, isImmutable: true };
};

const tileIn = (path: string): Tile | undefined => {
  try {
    return parseTilePath(path);
  } catch {
    return undefined;
  }
};

/** Returns the value of an entry that is too long for the log, as its canonical JSON. */
const valueFile = async (db: Db, number: number): Promise<LogFile | undefined> => {
  const value = await readValue(db, number);
  if (value === undefined) return undefined;
  return { bytes: Buffer.from(value), contentType: 'application/json; charset=utf-8', isImmutable: true };
};

/**
 * Returns a file of the log by its name and path; undefined if there is none. Only entries up to the published
 * checkpoint are served.
 */
export const readLogFile = async (db: Db, name: string, path: string): Promise<LogFile | undefined> => {
  const checkpoint = await store.readCheckpoint(db);
  if (!checkpoint || logName(checkpoint.origin) !== name) return undefined;
  const { size } = checkpoint;
  if (path === 'checkpoint') {
    if (await isWithheld(db)) return undefined;
    const bytes = Buffer.from(await cosignedCheckpoint(db, checkpoint));
    return { bytes, contentType: 'text/plain; charset=utf-8', isImmutable: false };
  }
  if (path === 'keys') {
    const bytes = Buffer.from((await store.readKeys(db, checkpoint.origin)).map((key) => `${key}\n`).join(''));
    return { bytes, contentType: 'text/plain; charset=utf-8', isImmutable: false };
  }
  if (path === 'policy') {
    const policy = await store.readPolicy(db, checkpoint.origin);
    const contentType = 'text/plain; charset=utf-8';
    return policy === undefined ? undefined : { bytes: Buffer.from(policy), contentType, isImmutable: false };
  }
  const [, number] = /^value\/(0|[1-9]\d{0,14})$/.exec(path) ?? [];
  if (number !== undefined) return Number(number) < size ? valueFile(db, Number(number)) : undefined;
  const tile = tileIn(path);
  return tile && tile.width <= tileWidth(tile.level, tile.index, size) ? tileFile(db, tile) : undefined;
};

/** Returns the number of entries that the published checkpoint covers. */
export const signedSize = async (db: Db): Promise<number> => (await store.readCheckpoint(db))?.size ?? 0;

/** Returns the name of the log; undefined before its first checkpoint. */
export const logOrigin = async (db: Db): Promise<string | undefined> => (await store.readCheckpoint(db))?.origin;

/** An entry with the proof that it is in the log. */
export interface EntryProof {
  readonly entry: Uint8Array;
  readonly hashes: readonly Uint8Array[];
  readonly size: number;
  readonly checkpoint: string;
}

/** Proves that an entry is in the log of a checkpoint that covers it. */
const proveTo = async (
  db: Db,
  number: number,
  { size, text }: store.StoredCheckpoint,
): Promise<EntryProof | undefined> => {
  const plan = inclusionPlan(number, size);
  const findHash = await readNodes(db, plan, size);
  const [entry] = await readBytes(db, number, 1);
  return entry && { entry: entry.bytes, hashes: makeProof(plan, findHash, sha256), size, checkpoint: text };
};

/** Proves that an entry is in the log; undefined if the published checkpoint does not cover it. */
export const proveEntry = async (db: Db, number: number): Promise<EntryProof | undefined> => {
  const checkpoint = await findCheckpointOver(db, number + 1);
  return checkpoint && proveTo(db, number, checkpoint);
};

/** Entries that are proven against one checkpoint, and the log's keys that have signed it. */
interface ProvenTogether {
  readonly proven: readonly EntryProof[];
  readonly origin: string;
  /** `name+id+base64`, oldest first. */
  readonly keys: readonly string[];
}

/**
 * Proves that several entries are in the log of one checkpoint; undefined if the published one does not cover them all.
 */
export const proveEntries = async (db: Db, numbers: readonly number[]): Promise<ProvenTogether | undefined> => {
  const checkpoint = await findCheckpointOver(db, Math.max(...numbers) + 1);
  if (!checkpoint) return undefined;
  const proven = await Promise.all(numbers.map((number) => proveTo(db, number, checkpoint)));
  const { signatures } = parseNote(checkpoint.text);
  const ids = new Set(signatures.filter(({ name }) => name === checkpoint.origin).map(({ keyId }) => keyId));
  const keys = (await store.readKeys(db, checkpoint.origin)).filter((key) => ids.has(parseVerifierKey(key).keyId));
  return proven.every((one) => one !== undefined) ? { proven, keys, origin: checkpoint.origin } : undefined;
};
