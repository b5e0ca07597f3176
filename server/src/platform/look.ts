import type { Db } from './mongo.ts';
import { MAJORITY_READ } from './schema.ts';

/** A query for one document of a collection; an index must cover it. */
export interface PollQuery {
  readonly collection: string;
  readonly match: Readonly<Record<string, unknown>>;
}

const toPipeline = (name: string, { match }: PollQuery) => [
  { $match: match },
  { $limit: 1 },
  { $replaceWith: { name: { $literal: name }, document: '$$ROOT' } },
];

/**
 * Runs several queries with one command, because every process of a service polls all the time. The collections may be
 * read at slightly different times.
 * @returns the documents found, by the names of their queries
 */
export const pollDocuments = async <Name extends string>(
  { connection }: Db,
  sought: Readonly<Record<Name, PollQuery>>,
): Promise<Partial<Readonly<Record<Name, unknown>>>> => {
  const [[name, first], ...others] = Object.entries<PollQuery>(sought) as [
    [string, PollQuery],
    ...[string, PollQuery][],
  ];
  const rows = connection
    .collection(first.collection)
    .aggregate<{ name: string; document: unknown }>(
      [
        ...toPipeline(name, first),
        ...others.map(([other, one]) => ({ $unionWith: { coll: one.collection, pipeline: toPipeline(other, one) } })),
      ],
      MAJORITY_READ,
    );
  return Object.fromEntries((await rows.toArray()).map((row) => [row.name, row.document])) as Partial<
    Record<Name, unknown>
  >;
};
