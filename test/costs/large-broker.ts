import { ObjectId } from 'mongodb';
import { inDatabase } from '../support/database.ts';
import type { Service } from '../support/process.ts';
import { createOwnChange } from '../support/record.ts';
import { until } from '../support/until.ts';

/** Number of documents that are written at once. */
const PART = 1000;

/** A review as the record has it: of one of 80 months, with the commitments of three texts. */
const createEntry = (slug: string, n: number) => {
  const month = new Date(Date.UTC(2019, n % 80, 1)).toISOString().slice(0, 7);
  const texts = { content: 'x'.repeat(44), displayName: 'x'.repeat(44), title: 'x'.repeat(44) };
  const value = JSON.stringify({ broker: slug, month, rating: 1 + (n % 17) / 4, state: 'published', texts });
  const key = `review/${new ObjectId()}`;
  const entry = { key, sequence: 0, subject: `broker/${slug}`, kind: 'review', cause: 'fact', value, pending: 0 };
  return { ...createOwnChange(), ...entry };
};

/** Waits until every entry of the record has its number. */
export const untilNumbered = (service: Service): Promise<unknown> =>
  inDatabase(service, (db) =>
    until('all entries have numbers', 120_000, async () => {
      if (await db.collection('recordEntries').findOne({ pending: 0 })) return false;
      const head = await db.collection('recordHeads').findOne({});
      return head !== null && head['next'] > 0;
    }),
  );

/** Adds reviews of a broker to the record. They have no accounts and no texts. */
export const addReviews = async (service: Service, slug: string, count: number): Promise<void> => {
  await inDatabase(service, async (db) => {
    for (let at = 0; at < count; at += PART) {
      const rows = Array.from({ length: Math.min(PART, count - at) }, (_, n) => createEntry(slug, at + n));
      await db.collection('recordEntries').insertMany(rows);
    }
  });
  await untilNumbered(service);
};
