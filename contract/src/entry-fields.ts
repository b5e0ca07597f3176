import * as z from 'zod';
import { Extensible, QueryInteger, Timestamp } from './primitives.ts';
import { ENTRY_CAUSES, ENTRY_KINDS, type EntryKind } from './record/entry.ts';

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

/** Returns the fault of a list of keys, with its code; undefined if it has none. */
const findKeysFault = (
  keys: readonly string[],
  { form, kinds, most }: { readonly form: RegExp; readonly kinds: readonly EntryKind[]; readonly most: number },
): { code: string; message: string } | undefined => {
  if (keys.length > most) return { code: 'too_big', message: `must have at most ${most} keys, not ${keys.length}` };
  const wrong = keys.find((key) => !form.test(key));
  if (wrong === undefined) return undefined;
  const beginnings = kinds.map((kind) => `${kind}/`).join(', ');
  const message =
    `has "${[...wrong].slice(0, 60).join('')}": each key must begin with one of ${beginnings} ` +
    'and go on with a name that is encoded by encodeURIComponent';
  return { code: 'invalid_format', message };
};

/** Returns the schema of keys of entries in a query, joined by commas: 1 to `most` keys of these kinds. */
export const QueryEntryKeys = (kinds: readonly EntryKind[], most: number) => {
  const key = `(${kinds.join('|')})/[\\w\\-.!~*'()%/]{1,300}`;
  const limits = { form: new RegExp(`^${key}$`), kinds, most };
  return z
    .string()
    .superRefine((text, ctx) => {
      const fault = findKeysFault(text.split(','), limits);
      if (fault) ctx.addIssue({ code: 'custom', message: fault.message, params: { code: fault.code } });
    })
    .meta({
      pattern: `^${key}(,${key}){0,${most - 1}}$`,
      description: `Keys of entries, joined by commas: 1 to ${most}. The key of a broker has its first slug.`,
      examples: ['broker/alpha-markets,review/6730f1d2a3b4c5d6e7f80a01'],
    })
    .transform((text) => text.split(','));
};
