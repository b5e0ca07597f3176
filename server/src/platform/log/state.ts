import { findEntries, nextNumber } from '../record/read.ts';
import { countPending } from '../record/sequencer.ts';
import { readCheckpoint, readTree } from './store.ts';

/** Returns how far the record, its log and the published checkpoint reach. */
export const logState = async () => {
  const checkpoint = await readCheckpoint();
  return {
    entries: await nextNumber(),
    waiting: await countPending(),
    logged: (await readTree(null))?.size ?? 0,
    checkpoint: checkpoint && {
      origin: checkpoint.origin,
      size: checkpoint.size,
      signedAt: checkpoint.signedAt,
      text: checkpoint.text,
    },
  };
};

/** Returns when the published checkpoint was signed; null before the first one. */
export const signedAt = async (): Promise<Date | null> => (await readCheckpoint())?.signedAt ?? null;

/** Returns the time of the first entry that no checkpoint covers, whether or not the tree has it; null if all are covered. */
export const unsignedSince = async (): Promise<Date | null> => {
  const tree = await readTree(null);
  if (tree?.waitingSince) return tree.waitingSince;
  const [next] = await findEntries({ from: tree?.size ?? 0 }, 1);
  return next ? new Date(next.time) : null;
};
