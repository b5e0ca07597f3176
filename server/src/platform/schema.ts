/**
 * Reads only what a majority has: a primary that has lost the other members may hold writes that will be rolled back.
 * This is not a setting of the connection, because the driver would then apply it in `snapshot` too, in place of the
 * snapshot.
 */
export const MAJORITY_READ = { readConcern: { level: 'majority' } } as const;

/**
 * Options of every mongoose schema. By default mongoose drops unknown fields from documents and, worse, from filters,
 * and an empty filter matches everything. With these options both throw.
 */
export const STRICT = {
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  minimize: false,
  id: false,
  ...MAJORITY_READ,
} as const;
