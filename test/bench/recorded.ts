/**
 * The record of a market as the service would have written it: the last entry of each key, with the texts of people.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@broker-transparency/log';
import { type Db, type Document, ObjectId } from 'mongodb';
import { createOwnChange } from '../support/record.ts';
import type { Size } from './data.ts';
import { brokerDocuments, reviewCounts, reviewDocuments } from './documents.ts';
import { brokerNames } from './names.ts';

const BATCH = 5000;
/** Entries that get the same time: the service numbers as many at once. */
const SAME_TIME = 500;

interface RecordedDraft {
  readonly kind: string;
  readonly key: string;
  readonly subject: string;
  readonly value: object;
  readonly texts?: Readonly<Record<string, string>>;
}

const joinKey = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/');

/** Everything that is published of one broker. */
function* createDrafts(name: string, n: number, reviews: number): Iterable<RecordedDraft> {
  const { profile, licenses } = brokerDocuments(name, n);
  const { _id: broker, description, licensesCheckedAt: _, ...fields } = profile;
  const subject = joinKey('broker', broker);
  yield {
    kind: 'broker',
    key: subject,
    subject,
    value: { ...fields, slug: broker, checked: true },
    texts: { description },
  };
  for (const { _id, regulatorCode: regulator, referenceNumber: number, entity, broker: __, ...license } of licenses)
    yield {
      kind: 'license',
      key: joinKey('license', broker, regulator, `${number} ${entity.legalName}`),
      subject,
      value: { broker, regulator, number, holders: [{ ...license, ...entity }] },
    };
  for (const { rating, createdAt, title, content, author } of reviewDocuments(broker, reviews, n).reviews)
    yield {
      kind: 'review',
      key: joinKey('review', String(new ObjectId())),
      subject,
      value: { broker, rating, month: createdAt.toISOString().slice(0, 7), state: 'published' },
      texts: { title, content, author: author.displayName },
    };
}

/** Adds random bytes to texts, and commitments to them. */
const commitTexts = (key: string, texts: Readonly<Record<string, string>>) => {
  const salted: Record<string, { salt: string; text: string }> = {};
  const commitments: Record<string, string> = {};
  for (const [field, text] of Object.entries(texts)) {
    const salt = createHash('sha256').update(`${key} ${field}`).digest();
    salted[field] = { salt: salt.toString('base64'), text };
    commitments[field] = createHash('sha256').update(salt).update(text).digest('base64');
  }
  return { salted, commitments };
};

/** Adds the record of a market behind the entries that are there. */
export const addRecord = async (db: Db, { brokers, reviews }: Size, log: (line: string) => void): Promise<void> => {
  const head = await db.collection('recordHeads').findOne({ _id: 'record' as never });
  let next = Number(head?.['next'] ?? 0);
  let now = Math.max(Date.parse(String(head?.['time'] ?? '2026-01-01T00:00:00.000Z')), Date.UTC(2026, 0, 1));
  const [entries, texts]: [Document[], Document[]] = [[], []];
  const options = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
  const flush = async (): Promise<void> => {
    if (entries.length > 0) await db.collection('recordEntries').insertMany(entries.splice(0), options);
    if (texts.length > 0) await db.collection('recordTexts').insertMany(texts.splice(0), options);
  };
  const counts = reviewCounts(brokers, reviews);
  for (const [n, name] of brokerNames(brokers).entries()) {
    for (const { kind, key, subject, value, texts: written } of createDrafts(name, n, counts[n] as number)) {
      const { salted, commitments } = commitTexts(key, written ?? {});
      if (written) texts.push({ _id: key, texts: salted });
      if (next % SAME_TIME === 0) now += 100;
      entries.push({
        ...createOwnChange(),
        key,
        sequence: 0,
        subject,
        kind,
        cause: 'start',
        value: canonicalJson(written ? { ...value, texts: commitments } : value),
        number: next++,
        time: new Date(now).toISOString(),
      });
      if (entries.length >= BATCH) await flush();
    }
    if (n % 10_000 === 0) log(`  broker ${n}, ${next} entries`);
  }
  await flush();
  await db
    .collection('recordHeads')
    .updateOne({ _id: 'record' as never }, { $set: { next, time: new Date(now).toISOString() } }, { upsert: true });
};

/** Changes some keys, as a day does: reviews that are taken down. */
export const addChanges = async (db: Db, count: number): Promise<void> => {
  const heads = db.collection('recordHeads');
  const head = await heads.findOne({ _id: 'record' as never });
  const first = Number(head?.['next']);
  const time = String(head?.['time']);
  const texts = db.collection<{ _id: string }>('recordTexts'); // those that were taken down have none any more
  const keys = (
    await texts
      .find({ _id: /^review\// }, { projection: { _id: 1 } })
      .limit(count)
      .toArray()
  ).map(({ _id }) => _id);
  const rows = await db
    .collection('recordEntries')
    .find({ key: { $in: keys } })
    .toArray();
  await db.collection('recordEntries').insertMany(
    rows.map(({ _id, key, subject, kind, value }, at) => {
      const { texts: _, ...removed } = { ...JSON.parse(value), state: 'removed' };
      return {
        ...createOwnChange(),
        key,
        sequence: 1,
        subject,
        kind,
        cause: 'fact',
        value: canonicalJson(removed),
        number: first + at,
        time,
      };
    }),
  );
  await texts.deleteMany({ _id: { $in: keys } });
  await heads.updateOne({ _id: 'record' as never }, { $set: { next: first + rows.length } });
};
