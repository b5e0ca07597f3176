/** The last item of a page in a list that goes from newest to oldest. */
export interface ListPosition {
  readonly at: Date;
  readonly id: string;
}

/** Returns a Mongo filter for the items after a position in a list by `publishedAt`, newest first. */
export const publishedBefore = <Id>(position: ListPosition | undefined, toId: (id: string) => Id) =>
  position
    ? {
        $or: [{ publishedAt: { $lt: position.at } }, { publishedAt: position.at, _id: { $lt: toId(position.id) } }],
      }
    : {};
