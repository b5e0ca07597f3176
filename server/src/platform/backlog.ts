import type mongoose from 'mongoose';

/** What waits for somebody. */
export interface BacklogStats {
  readonly count: number;
  /** Since when the oldest waits; null where none does. */
  readonly oldestAt: Date | null;
}

/**
 * Counts the documents that match.
 * @param sort field by which the first one is the oldest
 * @param at field that says since when it waits
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
  return { count, oldestAt: oldest?.[at] ?? null };
};
