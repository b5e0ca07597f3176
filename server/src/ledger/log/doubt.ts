import { type Checkpoint, computeRoot, frontierNodes, toBase64 } from '@broker-transparency/log';
import type { Db } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { listEntries } from '../audit/store.ts';
import { readNodes } from './hashes.ts';
import { readKeptText, readOwnCheckpoint } from './kept-log.ts';
import * as store from './store.ts';

/** Reason why a process must not sign the tree: a longer or another tree may have been signed. */
export interface SigningDoubt {
  readonly why: string;
  /** True if the doubt ends once another process reports the last signed tree. */
  readonly isOpen: boolean;
}

/** Instruction that ends a doubt. */
export const CURE =
  'Run: broker-rating admin log recover --from URL|DIR, with the newest copy of the log. If nobody has a copy: admin log recover --accept-loss SIZE. See docs/operating/record.md#when-nothing-is-signed';

/** Returns the root that the tree had at an earlier size, in base64. */
export const computeRootAt = async (db: Db, older: number, size: number): Promise<string> => {
  const nodes = frontierNodes(older);
  const findHash = await readNodes(db, [nodes], size);
  return toBase64(computeRoot({ size: older, hashes: nodes.map(findHash) }, sha256));
};

/** Returns the reason why the tree does not continue a checkpoint; undefined if it does. */
export const findBreak = async (db: Db, { size, root }: Checkpoint, where: string): Promise<string | undefined> => {
  const has = (await store.readTree(db, null))?.size ?? 0;
  if (has < size) return `${where} was signed for ${size} entries, and the database has ${has}`;
  if ((await computeRootAt(db, size, has)) === toBase64(root)) return undefined;
  return `the first ${size} entries are not those for which ${where} was signed`;
};

/** Returns whether nothing was ever signed, as far as this process can know. False for a restored database. */
const isNew = async (db: Db, folder: string, published: store.StoredCheckpoint | undefined): Promise<boolean> =>
  published === undefined &&
  (await readKeptText(folder)) === undefined &&
  (await listEntries(db, { action: 'backup.restored' }, 1)).length === 0;

/**
 * Returns the reason why nothing may be signed; undefined if this machine knows the last signed checkpoint and the tree
 * continues it. To sign another history than readers saw would break the log for ever.
 * @param isFollowing true if this process has just seen the published checkpoint: a newer one is then no reason
 */
export const findDoubt = async (db: Db, folder: string, isFollowing: boolean): Promise<SigningDoubt | undefined> => {
  const own = await readOwnCheckpoint(folder);
  const published = await store.readCheckpoint(db);
  if (!own)
    return (await isNew(db, folder, published))
      ? undefined
      : { why: `${folder} is no copy of the log that this machine wrote`, isOpen: true };
  const broken = await findBreak(db, own, `the copy ${folder}`);
  if (broken !== undefined) return { why: broken, isOpen: false };
  if (isFollowing || (published?.size ?? 0) <= own.size) return undefined;
  return { why: `others have signed ${published?.size} entries, and ${folder} ends at ${own.size}`, isOpen: true };
};
