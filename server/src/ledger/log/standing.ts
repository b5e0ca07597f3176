import { pollDocuments } from '../../platform/look.ts';
import type { Db } from '../../platform/mongo.ts';
import { END } from '../record/read.ts';
import { OPEN } from './refusals.ts';
import { HEADS, type StoredCheckpoint, type StoredHold, type StoredTree } from './store.ts';

/** Progress of the record and of its log. */
export interface LogProgress {
  /** The number that the next entry gets. */
  readonly next: number;
  readonly tree: StoredTree | undefined;
  readonly published: StoredCheckpoint | undefined;
  /** The entry before which the tree stops, and the reason; undefined if the tree does not stop. */
  readonly hold: StoredHold | undefined;
  /** True if a process asks for the last signed tree. */
  readonly isAsked: boolean;
}

/** Reads the progress with one command, because every signing process asks once a second. */
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
