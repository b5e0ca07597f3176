import type { Db } from './mongo.ts';
import { MAJORITY_READ } from './schema.ts';

/** Documents of a collection, by an index. One of them is looked for. */
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
 * Looks for several things at once, by one command: every process of a service asks all the time. What a thing's
 * collection has of it can be a moment older than what another one has.
 * @returns the documents that are there, by the names of what was looked for
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
