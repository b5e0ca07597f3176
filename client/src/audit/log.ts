import {
  append,
  computeRoot,
  decodeBundle,
  EMPTY_TREE,
  type Frontier,
  leafInput,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tileWidth,
  toBase64,
} from '@broker-transparency/log';
import type { FileSource } from '../transfer.ts';
import { DownloadError } from './failure.ts';
import { formatAddress, readFile } from './files.ts';
import { sha256 } from './hash.ts';

/** Bundles that are read at the same time. */
const AT_ONCE = 4;

/** Something that should not be. */
export interface Finding {
  /** The first entry that it is about; undefined if it is about no single one. */
  readonly number?: number;
  readonly message: string;
}

/** Yields what is read for numbers from `first` on, in order, and reads a few ahead. */
async function* inOrder<T>(count: number, read: (at: number) => Promise<T>, first = 0): AsyncIterable<T> {
  const ahead: Promise<T>[] = [];
  const start = (at: number): void => {
    if (at >= count) return;
    const reading = read(at);
    reading.catch(() => {}); // it is awaited later
    ahead.push(reading);
  };
  for (let at = first; at < first + AT_ONCE; at++) start(at);
  for (let at = first; at < count; at++) {
    const found = await (ahead.shift() as Promise<T>);
    start(at + AT_ONCE);
    yield found;
  }
}

/**
 * Reads the entries of a bundle, which may lack some.
 * @throws DownloadError also if it is no bundle, or has too many entries
 */
const readBundle = async (source: FileSource, index: number, width: number): Promise<readonly Uint8Array[]> => {
  const path = `/${tilePath({ level: 'entries', index, width })}`;
  const bytes = await readFile(source, path);
  if (bytes.length === 0) return [];
  try {
    const entries = decodeBundle(bytes);
    if (entries.length > width) throw new SyntaxError(`expected ${width} entries at most, not ${entries.length}`);
    return entries;
  } catch (error) {
    throw new DownloadError(
      `${formatAddress(source, path)} is no bundle of the log: ${(error as Error).message}`,
      true,
    );
  }
};

/** Yields the entries of the log from a number up to a size, as bytes, by number. @throws DownloadError */
export async function* readEntries(source: FileSource, size: number, from = 0): AsyncIterable<readonly Uint8Array[]> {
  const first = Math.floor(from / TILE_WIDTH);
  const read = (index: number) => readBundle(source, index, tileWidth('entries', index, size));
  let skip = from % TILE_WIDTH;
  for await (const entries of inOrder(Math.ceil(size / TILE_WIDTH), read, first)) {
    yield skip === 0 ? entries : entries.slice(skip);
    skip = 0;
  }
}

const leafHash = (entry: Uint8Array): Uint8Array => sha256(leafInput(entry));

/** The hashes of a tree of entries that name the first entry that is another one: a hash for each 256 entries. */
export interface TreeHashes {
  /** Roots of the full tiles. */
  readonly tiles: readonly Uint8Array[];
  /** Hashes of the entries after them. */
  readonly tail: readonly Uint8Array[];
}

/** A tree that grows by entries, and remembers its root at sizes of interest. */
export const createTree = (sizes: readonly number[]) => {
  let tree: Frontier = EMPTY_TREE;
  const roots = new Map<number, string>();
  const tiles: Uint8Array[] = [];
  let tail: Uint8Array[] = [];
  const note = (): void => {
    if (sizes.includes(tree.size)) roots.set(tree.size, toBase64(computeRoot(tree, sha256)));
  };
  note();
  return {
    add: (entry: Uint8Array): void => {
      const leaf = leafHash(entry);
      const added = append(tree, leaf, sha256);
      const tile = added.nodes.find(({ level }) => level === TILE_HEIGHT);
      if (tile) tiles.push(tile.hash);
      if (tile) tail = [];
      else tail.push(leaf);
      ({ tree } = added);
      note();
    },
    /** Root of the tree of `size` entries, in base64. */
    rootAt: (size: number): string | undefined => roots.get(size),
    hashes: (): TreeHashes => ({ tiles, tail }),
  };
};

/** Reads the hashes of a tile. @throws DownloadError also if it has another number of them */
const readHashes = async (source: FileSource, tile: Tile): Promise<Uint8Array[]> => {
  const path = `/${tilePath(tile)}`;
  const bytes = await readFile(source, path);
  if (bytes.length !== tile.width * 32)
    throw new DownloadError(`${formatAddress(source, path)} has ${bytes.length} bytes, not ${tile.width} hashes`, true);
  return Array.from({ length: tile.width }, (_, at) => bytes.subarray(at * 32, (at + 1) * 32));
};

/** Reads the hashes of the log's own tree. @throws DownloadError */
const readTreeHashes = async (source: FileSource, size: number): Promise<TreeHashes> => {
  const full = Math.floor(size / TILE_WIDTH);
  const tiles: Uint8Array[] = [];
  const read = (index: number) => readHashes(source, { level: 1, index, width: tileWidth(1, index, size) });
  for await (const hashes of inOrder(Math.ceil(full / TILE_WIDTH), read)) tiles.push(...hashes);
  const width = size % TILE_WIDTH;
  return { tiles, tail: width === 0 ? [] : await readHashes(source, { level: 0, index: full, width }) };
};

/** Returns a tree with these leaves more, by their hashes. */
const grown = (from: Frontier, hashes: readonly Uint8Array[]): Frontier =>
  hashes.reduce((tree, hash) => append(tree, hash, sha256).tree, from);

/** Returns the root that these hashes lead to, in base64. */
const rootFrom = ({ tiles, tail }: TreeHashes): string => {
  const { size, hashes } = grown(EMPTY_TREE, tiles); // the tree above the tiles is a tree whose leaves they are
  return toBase64(computeRoot(grown({ size: size * TILE_WIDTH, hashes }, tail), sha256));
};

const firstDifference = (some: readonly Uint8Array[], others: readonly Uint8Array[]): number =>
  some.findIndex((hash, at) => toBase64(hash) !== toBase64(others[at] ?? new Uint8Array()));

/** A range of entries, the first and the last one included. */
export interface EntryRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the entry of a bundle that differs from the tile of the log: all entries if the tile itself is wrong. */
const otherIn = async (source: FileSource, index: number, tileRoot: Uint8Array): Promise<EntryRange> => {
  const leaves = await readHashes(source, { level: 0, index, width: TILE_WIDTH });
  const entries = await readBundle(source, index, TILE_WIDTH);
  const isRight = toBase64(computeRoot(grown(EMPTY_TREE, leaves), sha256)) === toBase64(tileRoot);
  const at = isRight ? firstDifference(leaves, entries.map(leafHash)) : -1;
  const first = index * TILE_WIDTH + Math.max(at, 0);
  return { first, last: at < 0 ? first + TILE_WIDTH - 1 : first };
};

/**
 * Returns the first entry whose hash differs from the tiles of the log, or the 256 entries around it; undefined if the
 * tiles do not lead to the signed root either.
 * @throws DownloadError
 */
export const firstOther = async (
  source: FileSource,
  { size, root }: { readonly size: number; readonly root: string },
  own: TreeHashes,
): Promise<EntryRange | undefined> => {
  const signed = await readTreeHashes(source, size);
  if (rootFrom(signed) !== root) return undefined;
  const tile = firstDifference(signed.tiles, own.tiles);
  if (tile >= 0) return otherIn(source, tile, signed.tiles[tile] as Uint8Array);
  const number = signed.tiles.length * TILE_WIDTH + firstDifference(signed.tail, own.tail);
  return { first: number, last: number };
};
