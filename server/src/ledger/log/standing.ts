import { pollDocuments } from '../../platform/look.ts';
import type { Db } from '../../platform/mongo.ts';
import { END } from '../record/read.ts';
import { OPEN } from './refusals.ts';
import { HEADS, type StoredCheckpoint, type StoredHold, type StoredTree } from './store.ts';

/** How far the record and its log are. */
export interface LogProgress {
  /** The number that the next entry gets. */
  readonly next: number;
  readonly tree: StoredTree | undefined;
  readonly published: StoredCheckpoint | undefined;
  /** The entry before which the tree stops, and the reason; undefined if nothing is known against the next entry. */
  readonly hold: StoredHold | undefined;
  /** Whether a process asks what was signed last. */
  readonly isAsked: boolean;
}

/** Reads it all by one command: every process that signs asks once a second. */
export const readLogProgress = async (db: Db): Promise<LogProgress> => {
  const { record, tree, checkpoint, hold, asked } = await pollDocuments(db, { record: END, ...HEADS, asked: OPEN });
  return {
    next: (record as { readonly next: number } | undefined)?.next ?? 0,
    tree: tree as StoredTree | undefined,
    published: checkpoint as StoredCheckpoint | undefined,
    hold: hold as StoredHold | undefined,
    isAsked: asked !== undefined,
  };
};

/** Returns whether the record has entries that the tree lacks. */
export const isBehind = ({ next, tree }: LogProgress): boolean => (tree?.size ?? 0) < next;
