/**
 * A primary that has lost the others has writes that will be undone: what a majority does not have is not shown, and not taken
 * for stored. Not a setting of the connection: the driver would then read all at once, and not at one moment, in `snapshot`.
 */
export const MAJORITY_READ = { readConcern: { level: 'majority' } } as const;

/**
 * Options of every mongoose schema. By default mongoose drops unknown fields of documents and, worse, of filters, where an
 * empty filter matches everything: here both throw.
 */
export const STRICT = {
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  minimize: false,
  id: false,
  ...MAJORITY_READ,
} as const;
