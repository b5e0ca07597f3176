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
} as const;
