import { LICENSE_STATUSES, LICENSE_TYPES } from '@broker-transparency/contract';
import * as z from 'zod';

/**
 * A mapping file, `server/data/sources/NAME.json`: what one published file holds, and how it is read. Everything that
 * differs between sources is data here; the code knows formats only.
 */

const Line = z.string().min(1).max(300);
/** Name of a column or tag, `a.b` for a field within a field, or `#3` for the third cell where there is no header. */
const Column = z.string().min(1).max(120);

/** A regular expression that is bounded and compiles. */
const Pattern = z
  .string()
  .max(200)
  .refine((text) => {
    try {
      return new RegExp(text, 'iu') instanceof RegExp;
    } catch {
      return false;
    }
  }, 'is no regular expression');

/** Where a value stands: a column, or the first of several that is filled, in parts or in its one group. */
const Place = z.union([
  Column,
  z.strictObject({
    columns: z.array(Column).min(1),
    /** All of them, not only the first that is filled. */
    all: z.boolean().default(false),
    /** Signs between several values in one cell. */
    split: z.array(z.string().min(1)).default([]),
    /** Only what the first group of this expression finds counts. */
    match: Pattern.optional(),
  }),
]);
export type ColumnSelector = z.infer<typeof Place>;

/** How days are written. Each form also takes `2025-12-31` and what follows it. `words`: in English, with its month. */
export const DATE_FORMS = ['iso', 'dmy', 'mdy', 'words', 'excel'] as const;

/** Codes and the words of the file that mean them. Case, accents and spaces do not count. */
const Words = z.record(z.string(), z.array(z.string()).min(1));

/** Which regulator a row belongs to: always the same one, or the one that these columns name, joined by ` / `. */
const OfRegulator = z.union([
  z.strictObject({ code: Line }),
  z.strictObject({ columns: z.array(Column).min(1), words: Words }),
]);

const listCodes = (regulator: z.infer<typeof OfRegulator>): string[] =>
  'code' in regulator ? [regulator.code] : Object.keys(regulator.words);

/** How numbers are compared. `bureau`: the digits, behind the word among `words` that stands before them. */
const NumberForm = z.union([
  z.enum(['digits', 'letters-digits']),
  z.strictObject({ bureau: z.record(z.string(), z.array(z.string()).min(1)) }),
]);

/** A row counts if each of these holds. */
const Condition = z.strictObject({
  column: Column,
  in: z.array(z.string()).min(1).optional(),
  notIn: z.array(z.string()).min(1).optional(),
  /** Parts of words. */
  contains: z.array(z.string().min(3)).min(1).optional(),
  lacks: z.array(z.string().min(3)).min(1).optional(),
  /** True: has a value. */
  filled: z.boolean().optional(),
});
export type RowCondition = z.infer<typeof Condition>;

const Format = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('csv'),
    delimiters: z.array(z.enum([',', ';', '\t', '|'])).min(1),
    quoted: z.boolean().default(true),
    /** A row whose cell in this column is empty goes on with the one before: it adds values and is none of its own. */
    continues: Column.optional(),
  }),
  z.strictObject({
    type: z.literal('xlsx'),
    /** Its name; the first one if omitted. */
    sheet: z.string().optional(),
    /** The header is the first row with all these cells; null: there is none, columns are `#1`, `#2`, … */
    header: z.array(Line).min(1).nullable(),
    /** First row of the data where there is no header. */
    first: z.int().min(1).default(1),
  }),
  z.strictObject({
    type: z.literal('json'),
    /** Way to the array of rows: `response.docs`. Empty: the file is the array, or has a row on each line. */
    rows: z.string().default(''),
    /** The JSON begins after this text: a script that assigns it. */
    after: z.string().min(1).optional(),
  }),
  z.strictObject({ type: z.literal('xml'), rows: Line }),
]);
export type SourceFormat = z.infer<typeof Format>;

/** One more page until there is none. Pages are kept one after another in one file. */
const Paging = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('cursor'),
    parameter: Line,
    first: z.string(),
    /** Way to the next cursor in the answer. The same one again: the end. */
    next: Line,
  }),
  z.strictObject({
    type: z.literal('page'),
    parameter: Line,
    first: z.int().min(0),
    size: z.int().min(1),
    /** Way to the number of all rows in the answer. */
    total: Line,
  }),
]);

const Fetch = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  method: z.enum(['GET', 'POST']).default('GET'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
  paging: Paging.optional(),
  /** How often it changes: it is asked for no more often. */
  everyHours: z.number().min(1),
  /** Bound of one answer, in bytes. */
  maxBytes: z.int().min(1),
  /** Pause between pages. */
  pauseMs: z.int().min(0).default(1000),
});
export type SourceFetch = z.infer<typeof Fetch>;

const Terms = z
  .strictObject({
    /** Name of the licence; null: not found, `--license` can give it. */
    license: Line.nullable(),
    attribution: Line,
    /** Where they stand. */
    url: z.url().nullable(),
    /**
     * `open`: may be fetched and used. `unknown`: not found, so an operator reads them before the file is fetched.
     * `by-hand`: they or `robots.txt` forbid machines, so an operator brings the file.
     */
    use: z.enum(['open', 'unknown', 'by-hand']),
  })
  .meta({ description: 'Terms of the data.' });

const common = {
  name: z.string().regex(/^[a-z0-9-]{2,40}$/),
  /** Name of the file in the message "is not …". */
  title: Line,
  publisher: Line,
  /** Codes of the regulators that it feeds or that warn in it. */
  regulators: z.array(z.string()),
  /** What it covers, and what it does not, in a sentence or two. */
  covers: z.string().min(10).max(600),
  /** Where people find it. */
  page: z.url(),
  terms: Terms,
  /** How the format is known. `sources`: where it was seen. */
  seen: z.strictObject({ how: z.enum(['public code', 'real file']), sources: z.array(Line).min(1) }),
  /** Entries of a whole file. A file with others is refused; `share`: of those of the last good file. */
  expected: z.strictObject({
    min: z.int().min(1),
    max: z.int().min(1),
    share: z.number().min(0).max(1).default(0.8),
  }),
  fetch: Fetch.nullable(),
  /** The file stands in a ZIP: the ending of the name of its member. */
  zip: z.strictObject({ member: Line, maxBytes: z.int().min(1) }).optional(),
  /** Several where it is published in several: the first one that the bytes begin like. */
  formats: z.array(Format).min(1),
  dates: z.enum(DATE_FORMS).default('iso'),
  where: z.array(Condition).default([]),
  /** Columns without which it is another file. */
  required: z.array(Column).min(1),
  /** Columns that every row has. */
  filled: z.array(Column).default([]),
  /** Parts of words of which every row has one in a column, where columns alone do not tell the file from others. */
  marks: z.array(z.strictObject({ column: Column, contains: z.array(z.string().min(3)).min(1) })).default([]),
};

/** Ways to find one of our licences in a register, the strongest first. */
export const MATCH_KEYS = ['lei', 'number', 'name'] as const;

const Licences = z.strictObject({
  kind: z.literal('licences'),
  ...common,
  /** True if ended licences stay in it. If not, a row that vanished means that the licence ceased. */
  keepsEnded: z.boolean(),
  matchBy: z.array(z.enum(MATCH_KEYS)).min(1),
  /** Types of licences that it has; all if omitted. */
  types: z.array(z.enum(LICENSE_TYPES)).min(1).optional(),
  /** Why one of our licences may be missing without having ended, for the note to the operator. */
  gaps: Line.optional(),
  /** A holder has several rows: `any`: the licence is in force if one of them is. Else a person looks. */
  several: z.enum(['any', 'unclear']).default('unclear'),
  regulator: OfRegulator,
  holder: z.strictObject({
    name: Place,
    otherNames: Place.optional(),
    lei: Place.optional(),
    domains: Place.optional(),
    country: Place.optional(),
  }),
  number: z.strictObject({ places: z.array(Place).min(1), form: NumberForm }).optional(),
  status: z.strictObject({
    place: Place.optional(),
    words: z.partialRecord(z.enum(LICENSE_STATUSES), z.array(z.string()).min(1)).default({}),
    /** What an empty cell means, or being listed where the file has no column for it. Null: nothing. */
    empty: z.enum(LICENSE_STATUSES).nullable().default(null),
    since: Place.optional(),
    /** Since when, for a status that has ended. */
    endedSince: Place.optional(),
  }),
  since: Place.optional(),
  /** A day here that has come means that the licence has ended. */
  end: Place.optional(),
});

const Warnings = z.strictObject({
  kind: z.literal('warnings'),
  ...common,
  /** True if it has the newest entries only: what is missing was not withdrawn. */
  newestOnly: z.boolean(),
  regulator: OfRegulator,
  warned: z.strictObject({
    names: Place,
    otherNames: Place.optional(),
    domains: Place.optional(),
    lei: Place.optional(),
    numbers: Place.optional(),
    /** Firms that somebody pretends to be, with their numbers at the authority and their sites. */
    victims: Place.optional(),
    victimNumbers: Place.optional(),
    victimDomains: Place.optional(),
  }),
  id: Place.optional(),
  date: Place.optional(),
  updated: Place.optional(),
  url: Place.optional(),
  /** Put before an address that has no host. */
  urlBase: z.url().optional(),
  category: Place.optional(),
  text: Place.optional(),
  /** Words for a clone of a licensed firm besides those that every list has. They count wherever the row has them. */
  cloneWords: z.array(z.string().min(3)).default([]),
});

const Identities = z.strictObject({
  kind: z.literal('identities'),
  ...common,
  lei: Place,
  legalName: Place,
  otherNames: Place.optional(),
  country: Place.optional(),
  registeredAt: Place.optional(),
  registeredAs: Place.optional(),
  entityStatus: Place.optional(),
  /** State of the LEI: it says nothing of a licence. */
  leiStatus: Place.optional(),
  successor: Place.optional(),
  nextRenewal: Place.optional(),
});

export const SourceMapping = z
  .discriminatedUnion('kind', [Licences, Warnings, Identities])
  .refine(({ terms, fetch }) => terms.use !== 'by-hand' || fetch === null, 'what is brought by hand is not fetched')
  .refine(({ expected }) => expected.min <= expected.max, 'expected.min is above expected.max')
  .refine(
    (source) =>
      !('regulator' in source) || listCodes(source.regulator).every((code) => source.regulators.includes(code)),
    'a regulator of a row is not among the regulators',
  );
export type SourceMapping = z.infer<typeof SourceMapping>;
export type LicenceSource = z.infer<typeof Licences>;
export type WarningSource = z.infer<typeof Warnings>;
export type IdentitySource = z.infer<typeof Identities>;
