import * as z from 'zod';
import { Extensible, QueryInteger, Timestamp } from './primitives.ts';
import { ENTRY_CAUSES, ENTRY_KINDS } from './record/entry.ts';

/** The number of an entry in an answer. */
export const EntryNumber = z.int().min(0);
/** The largest number of an entry that a request can name. */
export const MOST_NUMBER = 999_999_999;

/** A time, or a number of an entry: `knownAt` takes both. */
export const KnownAt = z
  .union([QueryInteger(0, MOST_NUMBER), Timestamp], 'must be a number, or a time such as 2026-03-10T00:00:00Z')
  .meta({
    description:
      'What was known: up to this number, or at this time. By default: now. Entries of one change count together, so a ' +
      'number in the middle of one means all of it.',
    examples: [31],
  });

/** The fields of an entry in answers, beside its value. */
export const entryPlace = {
  number: EntryNumber.describe('Its number in the record.'),
  time: Timestamp.describe('When it got its number.'),
  key: z.string().describe('What it is about.'),
  kind: Extensible(z.enum(ENTRY_KINDS)).describe('What kind of fact it is.'),
  cause: Extensible(z.enum(ENTRY_CAUSES)).describe('Why it was written.'),
  validFrom: Timestamp.optional().describe('Since when it holds in the world; absent where nobody knows.'),
};
