import * as z from 'zod';

/**
 * The rules for reading a file as a table: its formats, and the rows that count. All differences between files are
 * data.
 */

const Line = z.string().min(1).max(300);
/** Name of a column or tag, `a.b` for a nested field, or `#3` for the third cell without a header. */
export const ColumnName = z.string().min(1).max(120);

/** A valid regular expression of bounded length. */
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

/** Place of a value: a column, or the first non-empty one of several; optionally split, or reduced to a match. */
export const ColumnSelector = z.union([
  ColumnName,
  z.strictObject({
    columns: z.array(ColumnName).min(1),
    /** True: all columns, not only the first non-empty one. */
    all: z.boolean().default(false),
    /** Separators of several values in one cell. */
    split: z.array(z.string().min(1)).default([]),
    /** Only the first group of this expression counts. */
    match: Pattern.optional(),
  }),
]);
export type ColumnSelector = z.infer<typeof ColumnSelector>;

/** Notations of days. Each also accepts `2025-12-31` with further text. `words`: in English, with the month's name. */
export const DATE_FORMS = ['iso', 'dmy', 'mdy', 'words', 'excel'] as const;

/** A row counts if each of these conditions holds. */
const Condition = z.strictObject({
  column: ColumnName,
  in: z.array(z.string()).min(1).optional(),
  notIn: z.array(z.string()).min(1).optional(),
  /** Parts of words. */
  contains: z.array(z.string().min(3)).min(1).optional(),
  lacks: z.array(z.string().min(3)).min(1).optional(),
  /** True: the column has a value. */
  filled: z.boolean().optional(),
});
export type RowCondition = z.infer<typeof Condition>;

const Format = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('csv'),
    delimiters: z.array(z.enum([',', ';', '\t', '|'])).min(1),
    quoted: z.boolean().default(true),
    /** A row with an empty cell in this column continues the one before: it adds values and is no row of its own. */
    continues: ColumnName.optional(),
  }),
  z.strictObject({
    type: z.literal('xlsx'),
    /** Name of the sheet; the first one if omitted. */
    sheet: z.string().optional(),
    /** The header is the first row with all these cells; null: no header, columns are `#1`, `#2`, … */
    header: z.array(Line).min(1).nullable(),
    /** First row of data without a header. */
    first: z.int().min(1).default(1),
  }),
  z.strictObject({
    type: z.literal('json'),
    /** Path of the array of rows: `response.docs`. Empty: the file is the array, or has a row on each line. */
    rows: z.string().default(''),
    /** Text before the JSON in a script. */
    after: z.string().min(1).optional(),
  }),
  z.strictObject({ type: z.literal('xml'), rows: Line }),
]);
export type TableFormat = z.infer<typeof Format>;

/** Fields of a mapping, for a schema that adds its own. */
export const TABLE_FIELDS = {
  /** Name of the file in the message "is not …". */
  title: Line,
  /** The file is a member of a ZIP: the ending of the member's name. */
  zip: z.strictObject({ member: Line, maxBytes: z.int().min(1) }).optional(),
  /** Formats of the file: the first one that fits its beginning. */
  formats: z.array(Format).min(1),
  dates: z.enum(DATE_FORMS).default('iso'),
  where: z.array(Condition).default([]),
  /** Columns that identify the file. */
  required: z.array(ColumnName).min(1),
  /** Columns that every row has. */
  filled: z.array(ColumnName).default([]),
  /** Parts of words, of which each row has one in a column, if columns alone do not identify the file. */
  marks: z.array(z.strictObject({ column: ColumnName, contains: z.array(z.string().min(3)).min(1) })).default([]),
};

const TableMapping = z.strictObject(TABLE_FIELDS);
export type TableMapping = z.infer<typeof TableMapping>;
