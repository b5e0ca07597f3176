import { concat } from './bytes.ts';
import { nodeInput, type Sha256 } from './hash.ts';
import { HASH_SIZE, requireWhole } from './lines.ts';
import type { ProofPlan, TreeNode } from './tree.ts';

/* c2sp.org/tlog-tiles: the hashes of a tree as static files, each of 256 hashes. */

/** Number of hashes or entries in a full tile. */
export const TILE_WIDTH = 256;

/**
 * Levels of the tree from one level of tiles to the next: each hash of a tile is the root of a subtree of this height.
 */
export const TILE_HEIGHT = 8;

const MOST_LEVEL = 63;

/** A file of the log: hashes of a level, or the bundle of entries beneath a tile of level 0. */
export interface Tile {
  readonly level: number | 'entries';
  /** Number of tiles of the level to its left. */
  readonly index: number;
  /** From 1 to 256. A tile with fewer than 256 is replaced by a wider one as the log grows. */
  readonly width: number;
}

/** A tile of hashes. */
export interface HashTile extends Tile {
  readonly level: number;
}

/** Formats an index in groups of three digits, so that no folder has more than a thousand files. */
const formatIndex = (index: number): string => {
  const groups = String(index).padStart(3, '0');
  const padded = groups.padStart(Math.ceil(groups.length / 3) * 3, '0');
  return padded.replace(/\d{3}(?!$)/g, 'x$&/');
};

/**
 * Formats the path of a tile below the address of the log.
 * @throws RangeError if there is no such tile
 * @example tilePath({ level: 0, index: 1234067, width: 112 }) // 'tile/0/x001/x234/067.p/112'
 */
export const tilePath = ({ level, index, width }: Tile): string => {
  if (level !== 'entries' && requireWhole(level, 'a level') > MOST_LEVEL)
    throw new RangeError(`there is no level ${level}`);
  if (requireWhole(width, 'a width') < 1 || width > TILE_WIDTH) throw new RangeError(`no tile has ${width} hashes`);
  return `tile/${level}/${formatIndex(requireWhole(index, 'an index'))}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
};

const PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

const matchTile = (path: string): Tile | undefined => {
  const [, level, groups, width] = PATH.exec(path) ?? [];
  if (level === undefined || groups === undefined || groups.length > 30) return undefined;
  return {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replaceAll(/\D/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
};

/**
 * Parses the path of a tile. Each tile has one path.
 * @throws SyntaxError if the path is invalid
 * @example parseTilePath('tile/entries/x001/234') // { level: 'entries', index: 1234, width: 256 }
 */
export const parseTilePath = (path: string): Tile => {
  const tile = matchTile(path);
  const isPath = tile !== undefined && Number.isSafeInteger(tile.index) && tile.width <= TILE_WIDTH;
  // another spelling, such as a superfluous x000, level 64 or a width of 256, is refused
  if (!isPath || (tile.level !== 'entries' && tile.level > MOST_LEVEL) || tilePath(tile) !== path)
    throw new SyntaxError(
      `expected the path of a tile, tile/<L>/<N>[.p/<W>], not ${JSON.stringify(path.slice(0, 100))}`,
    );
  return tile;
};

const countHashes = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

/**
 * Returns how wide a tile is in a tree of a size; 0 if the tree has no such tile.
 * @example tileWidth(0, 273, 70_000) // 112
 */
export const tileWidth = (level: Tile['level'], index: number, size: number): number => {
  const hashes = countHashes(level === 'entries' ? 0 : level, size);
  return Math.min(Math.max(hashes - index * TILE_WIDTH, 0), TILE_WIDTH);
};

const listNewTiles = (level: number, older: number, size: number): HashTile[] => {
  const [had, has] = [countHashes(level, older), countHashes(level, size)];
  const first = Math.floor(had / TILE_WIDTH);
  const tiles = had === has ? 0 : Math.ceil(has / TILE_WIDTH) - first;
  return Array.from({ length: tiles }, (_, at) => ({
    level,
    index: first + at,
    width: tileWidth(level, first + at, size),
  }));
};

/**
 * Returns the tiles that a tree has and its older form lacked, or had with fewer hashes. The tiles of level 0 are also
 * the new bundles of entries.
 * @example newTiles(255, 257) // [{ level: 0, index: 0, width: 256 }, { level: 0, index: 1, width: 1 }, { level: 1, index: 0, width: 1 }]
 */
export const newTiles = (older: number, size: number): readonly HashTile[] => {
  const tiles: HashTile[] = [];
  for (let level = 0; countHashes(level, size) > 0; level++) tiles.push(...listNewTiles(level, older, size));
  return tiles;
};

/** Returns the place of the tile from whose hashes a node is computed. */
const findTile = ({ level, index }: TreeNode): Pick<HashTile, 'level' | 'index'> => ({
  level: Math.floor(level / TILE_HEIGHT),
  index: Math.floor((index * 2 ** (level % TILE_HEIGHT)) / TILE_WIDTH),
});

/**
 * Returns the tiles that a proof is made from, each once.
 * @param size the size of the tree that the tiles are of
 * @example listTiles(inclusionPlan(0, 3), 3) // [{ level: 0, index: 0, width: 3 }]
 */
export const listTiles = (plan: ProofPlan, size: number): readonly HashTile[] => {
  const tiles = plan
    .flat()
    .map(findTile)
    .map(({ level, index }) => ({ level, index, width: tileWidth(level, index, size) }));
  return [...new Map(tiles.map((tile) => [tilePath(tile), tile])).values()];
};

/**
 * Returns a function that reads a node's hash out of tiles, for {@link makeProof}. It computes each hash that no tile
 * has once, so proofs that share nodes cost little more than one.
 * @param readTile the bytes of a tile; the function asks for those that `listTiles` names
 * @throws RangeError from the returned function if a tile has too few bytes
 * @example hashesInTiles(1, () => EMPTY_ROOT, (bytes) => bytes)({ level: 0, index: 0 }).length // 32
 */
export const hashesInTiles = (
  size: number,
  readTile: (tile: HashTile) => Uint8Array,
  sha256: Sha256,
): ((node: TreeNode) => Uint8Array) => {
  const computed = new Map<string, Uint8Array>();
  const readStored = ({ level, index }: TreeNode): Uint8Array => {
    const at = index % TILE_WIDTH;
    const place = { level: level / TILE_HEIGHT, index: Math.floor(index / TILE_WIDTH) };
    const tile = { ...place, width: tileWidth(place.level, place.index, size) };
    const data = readTile(tile);
    if (at >= tile.width || data.length !== tile.width * HASH_SIZE)
      throw new RangeError(`${tilePath(tile)} has no hash ${at}: it has ${data.length} bytes`);
    return data.subarray(at * HASH_SIZE, (at + 1) * HASH_SIZE);
  };
  const readHash = (node: TreeNode): Uint8Array => {
    if (node.level % TILE_HEIGHT === 0) return readStored(node);
    const name = `${node.level}/${node.index}`;
    let hash = computed.get(name);
    if (hash === undefined) {
      const left = { level: node.level - 1, index: node.index * 2 };
      hash = sha256(nodeInput(readHash(left), readHash({ ...left, index: left.index + 1 })));
      computed.set(name, hash);
    }
    return hash;
  };
  return readHash;
};

/** Maximum number of bytes in an entry: its length is written in two bytes. */
export const MOST_ENTRY = 65_535;

/**
 * Joins entries to a bundle, each after its length in two bytes.
 * @throws RangeError if an entry has more than 65 535 bytes, or if there are no entries or more than 256
 * @example Array.from(encodeBundle([fromBase64('Kg==')])) // [0, 1, 42]
 */
export const encodeBundle = (entries: readonly Uint8Array[]): Uint8Array => {
  if (entries.length === 0 || entries.length > TILE_WIDTH)
    throw new RangeError(`a bundle has 1 to ${TILE_WIDTH} entries, not ${entries.length}`);
  const long = entries.findIndex(({ length }) => length > MOST_ENTRY);
  if (long >= 0) throw new RangeError(`entry ${long} has ${entries[long]?.length} bytes, more than ${MOST_ENTRY}`);
  return concat(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 255), entry]));
};

/**
 * Takes a bundle apart.
 * @throws SyntaxError if it ends within an entry, or has no entries or more than 256
 * @example decodeBundle(encodeBundle([fromBase64('Kg==')])).map(toBase64) // ['Kg==']
 */
export const decodeBundle = (bundle: Uint8Array): readonly Uint8Array[] => {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bundle.length) {
    const end = at + 2 + (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0);
    if (at + 2 > bundle.length || end > bundle.length)
      throw new SyntaxError(`expected entry ${entries.length} at byte ${at}, not the end at ${bundle.length}`);
    entries.push(bundle.slice(at + 2, end));
    at = end;
  }
  if (entries.length === 0 || entries.length > TILE_WIDTH)
    throw new SyntaxError(`expected a bundle of 1 to ${TILE_WIDTH} entries, not ${entries.length}`);
  return entries;
};
