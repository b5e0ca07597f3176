import mongoose from 'mongoose';
import { recordAll } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { markDue } from '../platform/due.ts';
import { snapshot, type Tx, transaction } from '../platform/mongo.ts';
import { recountMonths } from '../reviews/recount.ts';
import type { BrokerDocument } from './fold.ts';
import type { BrokerRecord } from './record.ts';
import { compareBatch, type Rebuilt } from './refresh.ts';
import * as store from './store.ts';

/** Says that facts about these brokers changed: their documents follow within a second. */
export const brokersChanged = (slugs: readonly string[], tx: Tx): Promise<void> => markDue('broker', slugs, tx);

/** Stores brokers and their licences by slug, new or again. */
export const importBrokers = ({ actor, clock }: Context, records: readonly BrokerRecord[]): Promise<void> =>
  transaction(async (tx) => {
    await store.upsertBrokers(records, tx);
    await brokersChanged(
      records.map((broker) => broker.slug),
      tx,
    );
    const entries = records.map(({ slug, licenses }) => ({
      action: 'broker.imported',
      subject: { kind: 'broker', id: slug },
      ...(licenses === undefined ? {} : { after: { licenses: licenses.length } }),
    }));
    await recordAll(actor, clock(), entries, tx);
  });

const sameBytes = (a: BrokerDocument, b: BrokerDocument): boolean => {
  const { serialize } = mongoose.mongo.BSON;
  return Buffer.from(serialize(a)).equals(serialize(b));
};

/** Makes everything that was counted of these brokers follow from the facts again. */
const repairBrokers = ({ actor, clock }: Context, slugs: readonly string[]): Promise<void> =>
  transaction(async (tx) => {
    await recountMonths(slugs, tx);
    await brokersChanged(slugs, tx);
    const entries = slugs.map((slug) => ({ action: 'broker.repaired', subject: { kind: 'broker', id: slug } }));
    await recordAll(actor, clock(), entries, tx);
  });

/** Folds every broker again and compares, in parts, while writes go on. With `repair`, what differs is made to follow. */
export const rebuild = async (
  context: Context,
  repair: boolean,
  onBatch: (rows: readonly Rebuilt[]) => void,
): Promise<void> => {
  for (let slug = ''; ; ) {
    const slugs = await store.nextSlugs(slug, 50);
    const last = slugs.at(-1);
    if (last === undefined) return;
    const rows = await snapshot((tx) => compareBatch(slugs, sameBytes, tx));
    const different = rows.filter((row) => !row.identical).map((row) => row.slug);
    if (repair && different.length > 0) await repairBrokers(context, different);
    onBatch(rows);
    slug = last;
  }
};
