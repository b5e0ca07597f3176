import { findEntries, nextNumber, walkNumberedEntries } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { inTime } from '../../published/look-alikes/in-time.ts';
import { createScreeningIndex, type ScreeningIndex } from './index.ts';

const KINDS = ['broker', 'license', 'warning'] as const;
const BATCH = 1000;

/** The index of all entries below a number. */
interface IndexState {
  readonly index: ScreeningIndex;
  readonly below: number;
}

const isScreened = (kind: string): boolean => (KINDS as readonly string[]).includes(kind);

const loadIndex = async (db: Db, below: number): Promise<IndexState> => {
  const index = createScreeningIndex();
  for (const kind of KINDS) for await (const entry of walkNumberedEntries(db, kind, below)) index.put(entry);
  return { index, below };
};

const updateIndex = async (db: Db, { index, below: from }: IndexState, below: number): Promise<IndexState> => {
  for (let at = from; at < below; at += BATCH)
    for (const entry of await findEntries(db, { from: at, below: Math.min(at + BATCH, below) }))
      if (isScreened(entry.kind)) index.put(entry);
  return { index, below };
};

/**
 * Creates the function that returns the index of all entries that have a number at the time of the call. The index is
 * in memory, built from the record at the first request, and updated at each request. The function throws DomainError
 * unavailable while it is being built.
 */
export const createCurrentIndex = (db: Db) => {
  let indexed: IndexState | undefined;
  let reading: Promise<IndexState> | undefined;
  const read = async (): Promise<IndexState> => {
    const below = await nextNumber(db);
    const before = indexed;
    indexed = undefined; // an interrupted update leaves a partial index, which is built anew
    // a restored database can have fewer entries than the index
    indexed = before && before.below <= below ? await updateIndex(db, before, below) : await loadIndex(db, below);
    return indexed;
  };
  const readShared = (): Promise<IndexState> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return async (): Promise<IndexState> => {
    const joined = reading !== undefined;
    const first = await inTime(readShared());
    return joined ? inTime(readShared()) : first; // what was begun before the request may lack the newest entries
  };
};
export type CurrentIndex = ReturnType<typeof createCurrentIndex>;
