import { type EntryPlace, findPlaces, nextNumber } from '../../platform/record/read.ts';

/** Entries that are kept in memory. Whoever is further behind reads the database. */
const KEPT = 20_000;
/** Entries that are read at once. */
const PAGE = 2000;
/** Entries that one endpoint reads at once. */
export const PART = 200;

/** Entries that follow each other, and the first number that is not among them. */
export interface Part {
  readonly events: readonly EntryPlace[];
  readonly end: number;
}

/** The end of the record, read once for all endpoints of a process. */
export const createTail = () => {
  let rows: EntryPlace[] = [];
  let end = -1;

  const begin = (at: number): void => {
    rows = [];
    end = at;
  };

  return {
    end: (): number => end,
    /** Reads what came since the last call. */
    advance: async (): Promise<void> => {
      const head = await nextNumber();
      if (end < 0 || head < end || head - end > KEPT) begin(head); // at the start, after a restore, after a long time
      while (end < head) {
        const more = await findPlaces({ from: end, below: head }, PAGE);
        if (more.length === 0) return;
        rows.push(...more);
        end = (more.at(-1) as EntryPlace).number + 1;
      }
      if (rows.length > 2 * KEPT) rows = rows.slice(-KEPT);
    },
    /** Returns entries from a number on, as far as they are in memory; undefined if they are not. */
    kept: (from: number): Part | undefined => {
      const first = rows[0]?.number ?? end;
      if (from < first || from > end) return undefined;
      const events = rows.slice(from - first, from - first + PART);
      return { events, end: from + events.length };
    },
    /** Reads entries from a number on. */
    read: async (from: number): Promise<Part> => {
      const events = await findPlaces({ from, below: end }, PART);
      return { events, end: events.length < PART ? Math.max(from, end) : (events.at(-1) as EntryPlace).number + 1 };
    },
    /** Reads entries of one subject from a number on, through another one: `PART` at most. */
    readOf: (subject: string, from: number, through: number): Promise<EntryPlace[]> =>
      findPlaces({ subjects: [subject], from, below: through + 1 }, PART),
  };
};
export type Tail = ReturnType<typeof createTail>;
