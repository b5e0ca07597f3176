import { consistencyPlan, type Frontier, frontierNodes, makeProof } from '@broker-transparency/log';
import type { Db, Tx } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { readNodes } from './hashes.ts';
import * as store from './store.ts';
import { cosignedCheckpoint } from './witnesses/cosigned.ts';

/** Returns the number of entries in the tree. */
export const readTreeSize = async (db: Db, session: Tx | null = null): Promise<number> =>
  (await store.readTree(db, session))?.size ?? 0;

/**
 * Returns the tree over the first `size` entries from the stored hashes. The stored tree must have at least this size.
 */
export const readFrontier = async (db: Db, size: number, session?: Tx): Promise<Frontier> => {
  const nodes = frontierNodes(size);
  const findHash = await readNodes(db, [nodes], size, session);
  return { size, hashes: nodes.map(findHash) };
};

/** A signed checkpoint with the proof that it continues a tree. */
export interface CoveringCheckpoint {
  readonly checkpoint: string;
  readonly size: number;
  readonly consistency: readonly Uint8Array[];
}

/**
 * Returns the newest checkpoint over the first `size` entries that enough witnesses have signed. Without one, returns
 * the published checkpoint with its cosignatures so far; undefined if it does not cover these entries.
 */
export const findCheckpointOver = async (
  db: Db,
  size: number,
  session: Tx | null = null,
): Promise<store.StoredCheckpoint | undefined> => {
  const published = await store.readCheckpoint(db, session);
  if (!published || published.size < size) return undefined;
  const witnessed = await store.readWitnessed(db, session);
  const isOfThis = witnessed?.origin === published.origin && witnessed.size <= published.size;
  return isOfThis && size <= witnessed.size
    ? witnessed
    : { ...published, text: await cosignedCheckpoint(db, published) };
};

/**
 * Returns a checkpoint over the first `size` entries, with the proof that it continues their tree; undefined without
 * one.
 */
export const findCoveringCheckpoint = async (size: number, session: Tx): Promise<CoveringCheckpoint | undefined> => {
  const newer = await findCheckpointOver(session.db, size, session);
  if (!newer) return undefined;
  const plan = consistencyPlan(size, newer.size);
  const findHash = await readNodes(session.db, plan, newer.size, session);
  return { checkpoint: newer.text, size: newer.size, consistency: makeProof(plan, findHash, sha256) };
};
