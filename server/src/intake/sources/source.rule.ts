import { LICENSE_STATUSES, LICENSE_TYPES } from '@broker-transparency/contract';
import { ColumnName as Column, ColumnSelector as Place, TABLE_FIELDS } from '@broker-transparency/tables/rules';
import * as z from 'zod';

/**
 * A mapping file, `server/data/sources/NAME.json`: the contents of a published file, and the rules for reading it. All
 * differences between sources are data in these files; the code knows formats only.
 */

const Line = z.string().min(1).max(300);
/** Codes with the words for them in the file. Case, accents and spaces are ignored. */
const Words = z.record(z.string(), z.array(z.string()).min(1));

/** Regulator of a row: always the same one, or the one named by these columns, joined by ` / `. */
const OfRegulator = z.union([
  z.strictObject({ code: Line }),
  z.strictObject({ columns: z.array(Column).min(1), words: Words }),
]);

const listCodes = (regulator: z.infer<typeof OfRegulator>): string[] =>
  'code' in regulator ? [regulator.code] : Object.keys(regulator.words);

/** Normalisation of numbers. `bureau`: the digits after one of these `words`. */
const NumberForm = z.union([
  z.enum(['digits', 'letters-digits']),
  z.strictObject({ bureau: z.record(z.string(), z.array(z.string()).min(1)) }),
]);

/** Rules for requesting further pages. All pages are kept one after another in one file. */
const Paging = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('cursor'),
    parameter: Line,
    first: z.string(),
    /** Path of the next cursor in the answer. A repeated cursor marks the end. */
    next: Line,
  }),
  z.strictObject({
    type: z.literal('page'),
    parameter: Line,
    first: z.int().min(0),
    size: z.int().min(1),
    /** Path of the number of all rows in the answer. */
    total: Line,
  }),
]);

const Fetch = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  method: z.enum(['GET', 'POST']).default('GET'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
  paging: Paging.optional(),
  /** Interval of its changes: it is not requested more often. */
  everyHours: z.number().min(1),
  /** Size limit of one answer, in bytes. */
  maxBytes: z.int().min(1),
  /** Pause between pages. */
  pauseMs: z.int().min(0).default(1000),
});
export type SourceFetch = z.infer<typeof Fetch>;

const Terms = z
  .strictObject({
    /** Name of the licence; null: not found, `--license` can name it. */
    license: Line.nullable(),
    attribution: Line,
    /** Address of the terms. */
    url: z.url().nullable(),
    /**
     * `open`: may be fetched and used. `unknown`: not found, so an operator reads the terms before the file is fetched.
     * `by-hand`: the terms or `robots.txt` forbid machines, so an operator provides the file.
     */
    use: z.enum(['open', 'unknown', 'by-hand']),
  })
  .meta({ description: 'Terms of the data.' });

const common = {
  ...TABLE_FIELDS,
  name: z.string().regex(/^[a-z0-9-]{2,40}$/),
  publisher: Line,
  /** Codes of the regulators whose licences or warnings it contains. */
  regulators: z.array(z.string()),
  /** Coverage and its limits, in a sentence or two. */
  covers: z.string().min(10).max(600),
  /** Page for people. */
  page: z.url(),
  terms: Terms,
  /** Evidence for the format. `sources`: places of the evidence. */
  seen: z.strictObject({ how: z.enum(['public code', 'real file']), sources: z.array(Line).min(1) }),
  /** Number of entries of a complete file; any other file is refused. `share`: relative to the last good file. */
  expected: z.strictObject({
    min: z.int().min(1),
    max: z.int().min(1),
    share: z.number().min(0).max(1).default(0.8),
  }),
  fetch: Fetch.nullable(),
};

/** Keys for finding one of our licences in a register, strongest first. */
export const MATCH_KEYS = ['lei', 'number', 'name'] as const;

const Licences = z.strictObject({
  kind: z.literal('licences'),
  ...common,
  /** True if ended licences stay in it. Otherwise a vanished row means that the licence has ended. */
  keepsEnded: z.boolean(),
  /**
   * True if it lists all holders of a licence of the regulator to deal with retail clients in leveraged FX, so that a
   * firm that is missing holds none. Firms that act for a holder need not be in it.
   */
  listsAll: z.boolean().default(false),
  matchBy: z.array(z.enum(MATCH_KEYS)).min(1),
  /** Types of licences in it; all if omitted. */
  types: z.array(z.enum(LICENSE_TYPES)).min(1).optional(),
  /** Reason why one of our licences in force may be missing, for the note to the operator. */
  gaps: Line.optional(),
  /** Several rows of one holder: `any`: the licence is in force if one of them is. Otherwise a person decides. */
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
    /** Meaning of an empty cell, or of the listing itself if the file has no such column. Null: none. */
    empty: z.enum(LICENSE_STATUSES).nullable().default(null),
    since: Place.optional(),
    /** Day since which an ended status holds. */
    endedSince: Place.optional(),
  }),
  since: Place.optional(),
  /** Day of the licence's end: the licence has ended if the day has come. */
  end: Place.optional(),
});

const Warnings = z.strictObject({
  kind: z.literal('warnings'),
  ...common,
  /** True if it has only the newest entries: missing ones were not withdrawn. */
  newestOnly: z.boolean(),
  regulator: OfRegulator,
  warned: z.strictObject({
    names: Place,
    otherNames: Place.optional(),
    domains: Place.optional(),
    lei: Place.optional(),
    numbers: Place.optional(),
    /** Impersonated firms, with their numbers at the authority and their sites. */
    victims: Place.optional(),
    victimNumbers: Place.optional(),
    victimDomains: Place.optional(),
  }),
  id: Place.optional(),
  date: Place.optional(),
  updated: Place.optional(),
  url: Place.optional(),
  /** Prefix of addresses without a host. */
  urlBase: z.url().optional(),
  category: Place.optional(),
  text: Place.optional(),
  /** Words for a clone of a licensed firm, besides those for all lists. They count anywhere in the row. */
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
  /** State of the LEI, not of a licence. */
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
