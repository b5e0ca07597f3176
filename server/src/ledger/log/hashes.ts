import {
  type HashTile,
  hashesInTiles,
  listTiles,
  type ProofPlan,
  type TreeNode,
  tilePath,
} from '@broker-transparency/log';
import type { Db, Tx } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import * as store from './store.ts';

/** Returns the first hashes of a tile. */
export const readHashes = async (db: Db, { level, index, width }: HashTile, session?: Tx): Promise<Uint8Array> =>
  Buffer.concat((await store.readTile(db, level, index, session)).slice(0, width));

/** Reads the tiles that a plan needs. Returns a function that finds the hash of a node, in a tree of this size. */
export const readNodes = async (
  db: Db,
  plan: ProofPlan,
  size: number,
  session?: Tx,
): Promise<(node: TreeNode) => Uint8Array> => {
  const tiles = new Map<string, Uint8Array>();
  for (const tile of listTiles(plan, size)) tiles.set(tilePath(tile), await readHashes(db, tile, session));
  return hashesInTiles(size, (tile) => tiles.get(tilePath(tile)) as Uint8Array, sha256);
};
