/** The last item of a page in a list that goes from newest to oldest. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

/** Mongo filter for what comes after a position in a list by `publishedAt`, newest first. */
export const publishedBefore = <Id>(position: Position | undefined, toId: (id: string) => Id) =>
  position
    ? {
        $or: [{ publishedAt: { $lt: position.at } }, { publishedAt: position.at, _id: { $lt: toId(position.id) } }],
      }
    : {};
