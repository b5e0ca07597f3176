import { Schema } from 'mongoose';
import { BATCHED_READ } from '../../platform/batch-loader.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { BrokerAnswers } from './view.ts';

type AnswerKind = keyof BrokerAnswers;
/** One answer, with the broker's slug as id. */
interface KeptAnswer {
  readonly _id: string;
  readonly json: Uint8Array;
}

const defineAnswers = (name: string, collection: string) => {
  const model = defineModel(name, new Schema<KeptAnswer>({ _id: String, json: Buffer }, STRICT), collection);
  return (db: Db) => model(db).collection;
};

/**
 * Answers are stored apart from the documents and from each other. Search reads summaries, which are a tenth of a
 * document in size and stay in the database's memory.
 */
const KEPT = {
  detail: defineAnswers('BrokerDetail', 'brokerDetails'),
  summary: defineAnswers('BrokerSummary', 'brokerSummaries'),
} satisfies Record<AnswerKind, object>;

/** Returns the stored answers of one kind for these brokers, by slug. */
export const findAnswers = async (
  db: Db,
  slugs: readonly string[],
  kind: AnswerKind,
  options: { readonly session: Tx } | typeof BATCHED_READ = BATCHED_READ,
): Promise<Map<string, Uint8Array>> => {
  const rows = await KEPT[kind](db)
    .find<KeptAnswer>({ _id: { $in: slugs as never[] } }, { promoteBuffers: true, ...options })
    .toArray();
  return new Map(rows.map(({ _id, json }) => [_id, json]));
};

/** Stores the answers of these brokers. Deletes the answers of a broker whose value is undefined. */
export const replaceAnswers = async (
  answers: ReadonlyMap<string, BrokerAnswers | undefined>,
  tx: Tx,
): Promise<void> => {
  for (const kind of ['detail', 'summary'] as const)
    await KEPT[kind](tx.db).bulkWrite(
      [...answers].map(([slug, found]) => {
        const filter = { _id: slug as never };
        if (!found) return { deleteOne: { filter } };
        return { replaceOne: { filter, replacement: { ...filter, json: found[kind] as never }, upsert: true } };
      }),
      { session: tx },
    );
};
