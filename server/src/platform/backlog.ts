import type mongoose from 'mongoose';

/** Number and age of waiting documents. */
export interface BacklogStats {
  readonly count: number;
  /** Time since which the oldest document waits; null if none waits. */
  readonly since: Date | null;
}

/**
 * Counts the documents that match, and finds the oldest.
 * @param sort field that orders them by age
 * @param at field with the time since which a document waits
 */
export const measureBacklog = async (
  { collection }: { readonly collection: mongoose.Collection },
  filter: mongoose.mongo.Filter<mongoose.mongo.Document>,
  { sort, at }: { readonly sort: string; readonly at: string } = { sort: '_id', at: 'createdAt' },
): Promise<BacklogStats> => {
  const [count, oldest] = await Promise.all([
    collection.countDocuments(filter),
    collection.findOne<Record<string, Date>>(filter, { sort: { [sort]: 1 }, projection: { [at]: 1 } }),
  ]);
  return { count, since: oldest?.[at] ?? null };
};
