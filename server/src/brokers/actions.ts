import { LICENSE_STATUSES } from '@broker-transparency/contract';
import mongoose from 'mongoose';
import { recordAll } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { markDue } from '../platform/due.ts';
import { snapshot, type Tx, transaction } from '../platform/mongo.ts';
import { type BrokerDocument, isHeld } from './fold.ts';
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

/** States that end when the time of a licence is over. */
const LAPSING = LICENSE_STATUSES.filter((status) => isHeld({ status }));

/**
 * Sets licences whose time is over to expired, in transactions of 100: each once, however many processes are at it.
 * Returns how many.
 */
export const expireLicenses = async ({ actor, clock }: Context, signal?: AbortSignal): Promise<number> => {
  for (let count = 0; ; ) {
    signal?.throwIfAborted();
    const expired = await transaction(async (tx) => {
      const now = clock();
      const licenses = await store.findLapsedLicenses(LAPSING, now, 100, tx);
      if (licenses.length === 0) return 0;
      await store.expireLicenses(licenses, tx);
      await brokersChanged([...new Set(licenses.map((license) => license.broker))], tx);
      const entries = licenses.map(({ _id, status, expiresAt = null }) => ({
        action: 'license.expired',
        subject: { kind: 'license', id: _id },
        before: { status },
        after: { status: 'expired', expiresAt },
      }));
      await recordAll(actor, now, entries, tx);
      return licenses.length;
    });
    if (expired === 0) return count;
    count += expired;
  }
};

const sameBytes = (a: BrokerDocument, b: BrokerDocument): boolean => {
  const { serialize } = mongoose.mongo.BSON;
  return Buffer.from(serialize(a)).equals(serialize(b));
};

/** Folds every broker again and compares, in parts, while writes go on. With `repair`, what differs is made due. */
export const rebuild = async (repair: boolean, onBatch: (rows: readonly Rebuilt[]) => void): Promise<void> => {
  for (let slug = ''; ; ) {
    const slugs = await store.nextSlugs(slug, 50);
    const last = slugs.at(-1);
    if (last === undefined) return;
    const rows = await snapshot((tx) => compareBatch(slugs, sameBytes, tx));
    const different = rows.filter((row) => !row.identical).map((row) => row.slug);
    if (repair) await transaction((tx) => brokersChanged(different, tx));
    onBatch(rows);
    slug = last;
  }
};
