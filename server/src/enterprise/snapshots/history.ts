import { computeRoot, toBase64 } from '@broker-transparency/log';
import { readFrontier } from '../../ledger/log/covering.ts';
import type { Tx } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import type { StoredHead } from './folder.ts';

/** Returns the head of the tree over the first entries, in stored form. */
export const headAt = async (size: number, session: Tx): Promise<StoredHead> => ({
  size,
  root: toBase64(computeRoot(await readFrontier(session.db, size, session), sha256)),
});

/** Returns true if the current record continues a tree. After a restore it may not. */
export const isContinued = async ({ size, root }: StoredHead, now: number, session: Tx): Promise<boolean> =>
  size <= now && (await headAt(size, session)).root === root;
