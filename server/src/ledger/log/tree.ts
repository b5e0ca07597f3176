import {
  appendAll,
  computeRoot,
  EMPTY_TREE,
  type Frontier,
  fromBase64,
  type HashedNode,
  TILE_HEIGHT,
  TILE_WIDTH,
  toBase64,
} from '@broker-transparency/log';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inReadOrder, snapshot, transaction } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { keepLast } from '../record/compare.ts';
import {
  createMissingError,
  type EntryBytes,
  findNumbers,
  findWholeEnd,
  nextNumber,
  readBytes,
  readChangeBounds,
} from '../record/read.ts';
import * as store from './store.ts';

/** Entries that one transaction adds to the tree; a longer change is added whole. */
const BATCH = 1000;

/** Returns a stored tree in the form of the contract's functions. */
export const toFrontier = (tree: Pick<store.StoredTree, 'size' | 'hashes'> | undefined): Frontier =>
  tree ? { size: tree.size, hashes: tree.hashes.map(fromBase64) } : EMPTY_TREE;

/** Returns the hashes that these nodes add to tiles, by level and index of the tile. */
const groupByTile = (nodes: readonly HashedNode[]): Map<string, Uint8Array[]> => {
  const tiles = new Map<string, Uint8Array[]>();
  for (const { level, index, hash: node } of nodes) {
    if (level % TILE_HEIGHT !== 0) continue;
    const tile = `${level / TILE_HEIGHT}/${Math.floor(index / TILE_WIDTH)}`;
    const hashes = tiles.get(tile) ?? [];
    hashes.push(node);
    tiles.set(tile, hashes);
  }
  return tiles;
};

const toBytes = ({ bytes }: EntryBytes): Uint8Array => bytes;

/** An entry that contradicts its facts. */
interface UnfoundedEntry {
  readonly number: number;
  readonly key: string;
  /** Reason, in words that follow the key. */
  readonly why: string;
}

/** Finds the first entry that contradicts its facts, from one number up to another. */
export type FindUnfounded = (db: Db, from: number, below: number) => Promise<UnfoundedEntry | undefined>;

/**
 * Adds all entries below a number. The transaction runs again if another process does so at the same time.
 * @param mayRelease true: a hold at this place ends. False: the tree stays as it is
 */
const growOnce = (db: Db, clock: Clock, below: number, mayRelease: boolean): Promise<void> =>
  transaction(db, async (tx) => {
    const stored = await store.readTree(db, tx);
    const from = toFrontier(stored);
    if (from.size >= below) return;
    if (mayRelease) await store.endHold(db, tx);
    else if ((await store.readHold(db, tx))?.size === from.size) return;
    const entries = await readBytes(db, from.size, below - from.size);
    const gap = entries.findIndex(({ number }, at) => number !== from.size + at);
    const read = gap < 0 ? entries.length : gap;
    if (from.size + read < below) throw createMissingError(from.size + read);
    const { tree, nodes } = appendAll(from, entries.map(toBytes), sha256);
    await store.saveTree(
      {
        size: tree.size,
        hashes: tree.hashes.map(toBase64),
        waitingSince: stored?.waitingSince ?? clock(),
        isUrgent: (stored?.isUrgent ?? false) || entries.some(({ kind }) => kind === 'day'),
      },
      tx,
    );
    await store.growTiles(groupByTile(nodes), tx);
  });

/** Returns whether an entry is the last one of its key: only the last one can be compared with its facts. */
const isLastOfKey = (db: Db, number: number): Promise<boolean> =>
  snapshot(db, async (tx) => (await keepLast(await findNumbers([number], tx), tx)).length > 0);

/** An unfounded entry, and the size of the tree that stops before its change. */
export interface HoldingEntry extends UnfoundedEntry {
  readonly size: number;
}

interface Growth {
  /** Checks entries before they are added. Absent for entries that were signed before. */
  readonly findUnfounded?: FindUnfounded;
  /** The first number that is not added; by default the end of the record. */
  readonly below?: number;
}

/**
 * Adds numbered entries to the tree, change by change, up to the first change with an unfounded entry. Several
 * processes may do so at once. A hold ends once its entry agrees with its facts, or is set aside; a later entry of the
 * same key does not end it.
 * @returns the entry because of which the tree stops; undefined if the tree has all entries
 */
export const growTree = async (
  db: Db,
  clock: Clock,
  { findUnfounded, below }: Growth = {},
): Promise<HoldingEntry | undefined> => {
  const next = Math.min(below ?? Number.POSITIVE_INFINITY, await nextNumber(db));
  for (;;) {
    const size = (await store.readTree(db, null))?.size ?? 0;
    if (size >= next) return undefined;
    const hold = findUnfounded && (await store.readHold(db));
    const isHeld = hold?.size === size;
    // a held tree looks at one change a second
    const end = await inReadOrder(db, (session) =>
      findWholeEnd(size, Math.min(next, size + (isHeld ? 1 : BATCH)), session),
    );
    const unfounded = await findUnfounded?.(db, size, end);
    const stop = unfounded ? (await readChangeBounds(db, unfounded.number)).first : end;
    if (isHeld && !(await isLastOfKey(db, hold.number))) return hold;
    if (unfounded && stop === size) return { ...unfounded, size };
    await growOnce(db, clock, stop, isHeld || findUnfounded === undefined);
  }
};

/** Returns whether the tree follows from the entries of the record. */
export const isTreeRight = async (db: Db): Promise<boolean> => {
  const stored = toFrontier(await store.readTree(db, null));
  let tree = EMPTY_TREE;
  while (tree.size < stored.size) {
    const entries = await readBytes(db, tree.size, Math.min(BATCH, stored.size - tree.size));
    if (entries.length === 0) return false;
    ({ tree } = appendAll(tree, entries.map(toBytes), sha256));
  }
  return toBase64(computeRoot(tree, sha256)) === toBase64(computeRoot(stored, sha256));
};
