import { readTreeSize } from '../../ledger/log/covering.ts';
import { type EntryPlace, findPlaces } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';

/** Entries that are kept in memory. Whoever is further behind reads the database. */
const KEPT = 20_000;
/** Entries that are read at once. */
const PAGE = 2000;
/** Entries that one endpoint reads at once. */
const PART = 200;

/** Entries that follow each other, and the first number that is not among them. */
export interface EntrySlice {
  readonly events: readonly EntryPlace[];
  readonly end: number;
}

/**
 * The end of the record, read once for all endpoints of a process. It ends where the tree of the log does, as the feed
 * does: who is told of an entry finds it there.
 */
export const createEntryReader = (db: Db) => {
  let rows: EntryPlace[] = [];
  let end = -1;

  const begin = (at: number): void => {
    rows = [];
    end = at;
  };

  return {
    end: (): number => end,
    /** Reads what came since the last call. It shows to nobody before `prepare` has ended. */
    advance: async (prepare: () => Promise<void>): Promise<void> => {
      const size = await readTreeSize(db);
      if (end < 0) begin(size);
      if (size === end) return;
      const { places, below } = await findPlaces(db, { from: end, below: size }, PAGE);
      if (places.length > 0) await prepare();
      if (below < end || below - end > KEPT)
        begin(below); // after a restore, and after a long time
      else {
        rows.push(...places);
        end += places.length;
      }
      if (rows.length > 2 * KEPT) rows = rows.slice(-KEPT);
    },
    /** Returns entries from a number on, as far as they are in memory; undefined if they are not. */
    kept: (from: number): EntrySlice | undefined => {
      const first = end - rows.length;
      if (from < first || from > end) return undefined;
      const events = rows.slice(from - first, from - first + PART);
      return { events, end: from + events.length };
    },
    /** Reads entries from a number on. */
    read: async (from: number): Promise<EntrySlice> => {
      const { places } = await findPlaces(db, { from, below: end }, PART);
      return { events: places, end: from + places.length };
    },
    /**
     * Reads entries of one subject from a number on, through another one. `end` is behind the latter if they are all.
     * @throws Error if the database does not have them: another member of it is asked again
     */
    readSubject: async (subject: string, from: number, through: number): Promise<EntrySlice> => {
      const { places, below } = await findPlaces(db, { subjects: [subject], from, below: through + 1 }, PART);
      if (below <= through) throw new Error(`the database has no entry ${through} at the moment`);
      const last = places.at(-1);
      return { events: places, end: last && places.length === PART ? last.number + 1 : through + 1 };
    },
  };
};
export type EntryReader = ReturnType<typeof createEntryReader>;
