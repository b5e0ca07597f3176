import {
  encodeBundle,
  hashesInTiles,
  inclusionPlan,
  makeProof,
  parseTilePath,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tilesOf,
  tileWidth,
} from '@broker-transparency/contract/log';
import { readBytes, readValue } from '../record/read.ts';
import * as store from './store.ts';
import { sha256 } from './tree.ts';

/** A file of the log. */
export interface LogFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Whether it never changes. */
  readonly isImmutable: boolean;
}

const BYTES = 'application/octet-stream';

/** Returns the first hashes of a tile. */
export const readHashes = async (level: number, index: number, width: number): Promise<Uint8Array> =>
  Buffer.concat((await store.readTile(level, index)).slice(0, width));

const tileFile = async ({ level, index, width }: Tile): Promise<LogFile> => {
  if (level !== 'entries')
    return { bytes: await readHashes(level, index, width), contentType: BYTES, isImmutable: true };
  const entries = await readBytes(index * TILE_WIDTH, width);
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
const valueFile = async (number: number): Promise<LogFile | undefined> => {
  const value = await readValue(number);
  if (value === undefined) return undefined;
  return { bytes: Buffer.from(value), contentType: 'application/json; charset=utf-8', isImmutable: true };
};

/** Returns the log as its readers name it: the last part of its origin. */
const logName = (origin: string): string => origin.slice(origin.lastIndexOf('/') + 1);

/**
 * Returns a file of the log by its name and path; undefined if there is none. Nothing beyond the published checkpoint is
 * served.
 */
export const readLogFile = async (name: string, path: string): Promise<LogFile | undefined> => {
  const checkpoint = await store.readCheckpoint();
  if (!checkpoint || logName(checkpoint.origin) !== name) return undefined;
  const { size, text } = checkpoint;
  if (path === 'checkpoint')
    return { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8', isImmutable: false };
  const [, number] = /^value\/(0|[1-9]\d{0,14})$/.exec(path) ?? [];
  if (number !== undefined) return Number(number) < size ? valueFile(Number(number)) : undefined;
  const tile = tileIn(path);
  return tile && tile.width <= tileWidth(tile.level, tile.index, size) ? tileFile(tile) : undefined;
};

/** Returns how many entries the published checkpoint covers. */
export const signedSize = async (): Promise<number> => (await store.readCheckpoint())?.size ?? 0;

/** An entry with the proof that it is in the log. */
export interface Proven {
  readonly entry: Uint8Array;
  readonly hashes: readonly Uint8Array[];
  readonly size: number;
  readonly checkpoint: string;
}

/** Proves an entry to the published checkpoint; undefined if that does not cover it. */
export const proveEntry = async (number: number): Promise<Proven | undefined> => {
  const checkpoint = await store.readCheckpoint();
  if (!checkpoint || number >= checkpoint.size) return undefined;
  const { size, text } = checkpoint;
  const plan = inclusionPlan(number, size);
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesOf(plan, size))
    tiles.set(tilePath(tile), await readHashes(tile.level, tile.index, tile.width));
  const hashOf = hashesInTiles(size, (tile) => tiles.get(tilePath(tile)) as Uint8Array, sha256);
  const [entry] = await readBytes(number, 1);
  return entry && { entry: entry.bytes, hashes: makeProof(plan, hashOf, sha256), size, checkpoint: text };
};
