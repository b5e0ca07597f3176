/** Databases to measure on, which are filled once, kept, and reopened later. */
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@broker-transparency/embedded-mongo/mongo';
import { type Db, type Document, MongoClient } from 'mongodb';
import { CACHE } from '../support/cache.ts';
import { succeeded } from '../support/filled-service.ts';
import { runCli, startProcess } from '../support/process.ts';
import { brokerDocuments, reviewCounts, reviewDocuments } from './documents.ts';
import { brokerNames, toSlug } from './names.ts';

export interface Size {
  readonly brokers: number;
  readonly reviews: number;
}

/** The sizes to measure on. */
export const SIZES = {
  small: { brokers: 5000, reviews: 200_000 },
  large: { brokers: 60_000, reviews: 2_000_000 },
} as const satisfies Record<string, Size>;

export interface Data extends Size {
  readonly url: string;
  readonly db: Db;
  readonly names: readonly string[];
  /** Slug of a broker with an average number of reviews. */
  readonly typical: string;
  readonly close: () => Promise<void>;
}

const BATCH = 5000;
/** Number of the documents' shape. Increase it with each change of the shape, so that kept databases are refilled. */
const SHAPE = 4;
const HOUR_MS = 3_600_000;

/** Collects documents by collection and inserts them in large batches. */
const createInserter = (db: Db) => {
  const waiting = new Map<string, Document[]>();
  const flush = async (name: string, documents: Document[]): Promise<void> => {
    waiting.set(name, []);
    if (documents.length > 0)
      await db.collection(name).insertMany(documents, { ordered: false, writeConcern: { w: 1, journal: false } });
  };
  return {
    add: async (name: string, documents: readonly Document[]): Promise<void> => {
      const all = [...(waiting.get(name) ?? []), ...documents];
      if (all.length < BATCH) waiting.set(name, all);
      else await flush(name, all);
    },
    end: async (): Promise<void> => {
      for (const [name, documents] of waiting) await flush(name, documents);
    },
  };
};

const fill = async (db: Db, { brokers, reviews }: Size): Promise<void> => {
  const inserter = createInserter(db);
  const counts = reviewCounts(brokers, reviews);
  for (const [n, name] of brokerNames(brokers).entries()) {
    const { profile, licenses } = brokerDocuments(name, n);
    const written = reviewDocuments(profile._id, counts[n] as number, n);
    await inserter.add('brokerProfiles', [profile]);
    await inserter.add('licenses', licenses);
    await inserter.add('reviews', written.reviews);
    await inserter.add('ratingMonths', written.months);
  }
  await inserter.end();
};

/**
 * Lets the service create its collections and indexes while they are empty, and build its documents once all facts are
 * there.
 */
const prepare = async (url: string, db: Db, size: Size, folder: string): Promise<void> => {
  const service = await startProcess({ MONGODB_URL: url, DATA_DIR: folder });
  await service.end('SIGINT');
  await fill(db, size);
  succeeded(await runCli(['admin', 'score', 'refresh'], { MONGODB_URL: url, DATA_DIR: folder }, HOUR_MS));
};

const findTypical = (names: readonly string[], { brokers, reviews }: Size): string => {
  const counts = reviewCounts(brokers, reviews);
  const mean = reviews / brokers;
  const distance = (n: number) => Math.abs((counts[n] as number) - mean);
  const nearest = names.reduce((best, _, n) => (distance(n) < distance(best) ? n : best), 0);
  return toSlug(names[nearest] as string);
};

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Opens the database of a size below `root`. Fills it first if it does not exist or was not filled completely. */
export const openData = async (size: Size, root: string, log: (line: string) => void): Promise<Data> => {
  const folder = join(root, `${size.brokers}-${size.reviews}-${SHAPE}`);
  const filled = join(folder, 'filled');
  const ready = await isThere(filled);
  if (!ready) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const mongodBinary = process.env['MONGOD_BINARY'];
  const database = await openDatabase({ dataDir: folder, cacheDir: CACHE, mongodBinary, use: 'serve', log });
  const client = await MongoClient.connect(database.url);
  const close = async () => {
    await client.close();
    await database.close();
  };
  try {
    const db = client.db();
    if (!ready) {
      log(`filling ${size.brokers} brokers and ${size.reviews} reviews; they are kept in ${folder}`);
      await prepare(database.url, db, size, folder);
      await writeFile(filled, '');
    }
    const names = brokerNames(size.brokers);
    return { ...size, url: database.url, db, names, typical: findTypical(names, size), close };
  } catch (error) {
    await close();
    throw error;
  }
};
