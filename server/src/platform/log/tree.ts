import {
  appendAll,
  EMPTY_TREE,
  type Frontier,
  fromBase64,
  type HashedNode,
  rootOf,
  TILE_HEIGHT,
  TILE_WIDTH,
  toBase64,
} from '@broker-transparency/contract/log';
import type { Clock } from '../clock.ts';
import { type Db, snapshot, transaction } from '../mongo.ts';
import { keepLast } from '../record/compare.ts';
import { type EntryBytes, findNumbers, nextNumber, readBytes } from '../record/read.ts';
import { sha256 } from '../sha256.rule.ts';
import * as store from './store.ts';

/** Entries that the tree takes in one transaction. */
const BATCH = 1000;

/** Returns a stored tree as the arithmetic of the contract takes it. */
export const frontierOf = (tree: Pick<store.StoredTree, 'size' | 'hashes'> | undefined): Frontier =>
  tree ? { size: tree.size, hashes: tree.hashes.map(fromBase64) } : EMPTY_TREE;

/** Returns the hashes that tiles have more with these nodes, by level and index of the tile. */
const inTiles = (nodes: readonly HashedNode[]): Map<string, Uint8Array[]> => {
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

const bytesOf = ({ bytes }: EntryBytes): Uint8Array => bytes;

/** An entry that does not say what its facts say. */
export interface UnfoundedEntry {
  readonly number: number;
  readonly key: string;
  /** In words that follow the key. */
  readonly why: string;
}

/** Finds the first entry from a number on, and below another one, that does not say what its facts say. */
export type FindUnfounded = (db: Db, from: number, below: number) => Promise<UnfoundedEntry | undefined>;

/**
 * Adds the next entries below a number. The transaction runs again if somebody else does so at the same time.
 * @param mayRelease true: a tree that stops there goes on. False: nothing is added to it
 */
const growOnce = (db: Db, clock: Clock, below: number, mayRelease: boolean): Promise<void> =>
  transaction(db, async (tx) => {
    const stored = await store.readTree(db, tx);
    const from = frontierOf(stored);
    if (from.size >= below) return;
    if (mayRelease) await store.endHold(db, tx);
    else if ((await store.readHold(db, tx))?.size === from.size) return;
    const entries = await readBytes(db, from.size, Math.min(BATCH, below - from.size));
    const gap = entries.findIndex(({ number }, at) => number !== from.size + at);
    if (gap >= 0)
      throw new Error(`entry ${from.size + gap} of the record is missing: run broker-rating rebuild --check`);
    const { tree, nodes } = appendAll(from, entries.map(bytesOf), sha256);
    await store.saveTree(
      {
        size: tree.size,
        hashes: tree.hashes.map(toBase64),
        waitingSince: stored?.waitingSince ?? clock(),
        isUrgent: (stored?.isUrgent ?? false) || entries.some(({ kind }) => kind === 'day'),
      },
      tx,
    );
    await store.growTiles(inTiles(nodes), tx);
  });

/** Returns whether an entry is the last one of its key: only then it can be compared with its facts. */
const isLast = (db: Db, number: number): Promise<boolean> =>
  snapshot(db, async (tx) => (await keepLast(await findNumbers([number], tx), tx)).length > 0);

interface Growth {
  /** Looks at entries before they are added. Without it, entries that were signed before are added again. */
  readonly findUnfounded?: FindUnfounded;
  /** The first number that is not added any more; by default the end of the record. */
  readonly below?: number;
}

/**
 * Adds numbered entries to the tree, up to the first one that is unfounded. Any number of processes may do so at once.
 * A tree that stops goes on once the entry says what its facts say, or is set aside. A later entry of the same key does
 * not release it.
 * @returns the entry before which the tree stops; undefined if it has them all
 */
export const growTree = async (
  db: Db,
  clock: Clock,
  { findUnfounded, below }: Growth = {},
): Promise<UnfoundedEntry | undefined> => {
  const next = Math.min(below ?? Number.POSITIVE_INFINITY, await nextNumber(db));
  for (;;) {
    const size = (await store.readTree(db, null))?.size ?? 0;
    if (size >= next) return undefined;
    const hold = findUnfounded && (await store.readHold(db));
    const isHeld = hold?.size === size;
    const end = Math.min(next, size + (isHeld ? 1 : BATCH)); // a held tree looks at one entry a second
    const unfounded = await findUnfounded?.(db, size, end);
    if (unfounded?.number === size) return unfounded;
    if (isHeld && !(await isLast(db, size))) return { number: size, key: hold.key, why: hold.why };
    await growOnce(db, clock, unfounded?.number ?? end, isHeld || findUnfounded === undefined);
  }
};

/** Returns whether the tree follows from the entries that the record has. */
export const isTreeRight = async (db: Db): Promise<boolean> => {
  const stored = frontierOf(await store.readTree(db, null));
  let tree = EMPTY_TREE;
  while (tree.size < stored.size) {
    const entries = await readBytes(db, tree.size, Math.min(BATCH, stored.size - tree.size));
    if (entries.length === 0) return false;
    ({ tree } = appendAll(tree, entries.map(bytesOf), sha256));
  }
  return toBase64(rootOf(tree, sha256)) === toBase64(rootOf(stored, sha256));
};
