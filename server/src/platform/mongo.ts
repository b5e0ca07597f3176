import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import { limitConcurrency } from './limit-concurrency.ts';
import { isUnavailable } from './mongo-errors.ts';
import { isAbandoned, isWaitedFor } from './waiting.ts';

/** Session of a running transaction: every read and write that belongs to it takes it. */
export type Tx = ClientSession;

/** The driver waits half a minute and longer by default; a caller should hear within two seconds. */
const options: mongoose.ConnectOptions = {
  serverSelectionTimeoutMS: 1200,
  connectTimeoutMS: 1200,
  socketTimeoutMS: 30_000,
  waitQueueTimeoutMS: 1200,
  heartbeatFrequencyMS: 1000,
  maxPoolSize: 50,
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  retryWrites: true,
  writeConcern: { w: 'majority', journal: true },
};

/** An address as it may be printed: without the password. */
const hostsOf = (url: string): string => /^[^/]*\/\/(?:.*@)?([^/?]*)/.exec(url)?.[1] ?? '';

/** Transactions and change streams need a replica set or a sharded cluster. */
const isReplicated = async (): Promise<boolean> => {
  const hello = await mongoose.connection.db?.command({ hello: 1 });
  return hello?.['setName'] !== undefined || hello?.['msg'] === 'isdbgrid';
};

/** So often it is tried to connect: on a busy machine the first look at the members may come too late. */
const CONNECT_TRIES = 3;

const connect = async (url: string, settings: mongoose.ConnectOptions, tries = CONNECT_TRIES): Promise<void> => {
  try {
    await mongoose.connect(url, settings);
  } catch (error) {
    if (!isUnavailable(error) || tries === 1) throw error;
    await connect(url, settings, tries - 1);
  }
};

/**
 * Connects, and changes nothing.
 * @throws Error with one clear line where there is no database that can be used
 */
export const connectAsReader = async (url: string, patience: mongoose.ConnectOptions = {}): Promise<void> => {
  const unusable = (reason: string, cause?: unknown): Error =>
    new Error(`the database at ${hostsOf(url)} cannot be used: ${reason}; start it, or correct MONGODB_URL`, { cause });
  await connect(url, {
    ...options,
    ...patience,
    ...(new URL(url.replace(/,[^/]*/, '')).pathname.length > 1 ? {} : { dbName: 'broker-transparency' }),
  }).catch((error: Error) => {
    throw unusable(error.message, error);
  });
  if (!(await isReplicated())) throw unusable('it is not a replica set (mongod --replSet)');
};

/** Connects, and makes every collection and index that the loaded models declare. @throws Error as `connectAsReader` does */
export const connectMongo = async (url: string, patience?: mongoose.ConnectOptions): Promise<void> => {
  await connectAsReader(url, patience);
  await ensureModels();
};

/** Models are ensured so many at a time: all at once would wait for connections longer than a command may. */
const ENSURED_AT_ONCE = 3;
/** An index of that name or those keys is there in another form: a migration takes its place, and until then it serves. */
const INDEX_DIFFERS = new Set<unknown>([85, 86]);
/** So often in a row, each a second or more: a start waits while the database elects. */
const TRIES = 10;

const ensureModel = async (model: mongoose.Model<unknown>, tries = TRIES): Promise<void> => {
  try {
    await model.createCollection();
    await model.createIndexes();
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoError && INDEX_DIFFERS.has(error.code)) return;
    if (!isUnavailable(error) || tries === 1) throw error;
    await ensureModel(model, tries - 1);
  }
};

/** Makes every collection and index that the loaded models declare, where they are not there. */
export const ensureModels = async (): Promise<void> => {
  const inTurn = limitConcurrency(ENSURED_AT_ONCE);
  await Promise.all(Object.values(mongoose.connection.models).map((model) => inTurn(() => ensureModel(model))));
};

/** Up to `limit` ids after `id`, in order: to walk over a collection whose ids are text in parts. */
export const nextIds = async (
  { collection }: Pick<mongoose.Model<unknown>, 'collection'>,
  id: string,
  limit: number,
): Promise<string[]> => {
  const rows = await collection
    .find<{ _id: string }>({ _id: { $gt: id as never } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map((row) => row._id);
};

/** A document as the database stores it, to be compared byte by byte. */
export const bytesOf = (document: object): Uint8Array => mongoose.mongo.BSON.serialize(document);

/** The database itself, for what is done to all collections alike. */
export const database = (): mongoose.mongo.Db => {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the database is not connected');
  return db;
};

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();

const PING_MS = 1000;

/** Answers within a second whether the database takes commands now. */
export const pingMongo = async (): Promise<boolean> => {
  const late = sleep(PING_MS, false, { ref: false }); // the driver's own limit does not hold while it looks for a server
  const answered = mongoose.connection.db?.command({ ping: 1 }).then(
    () => mongoose.connection.readyState === 1,
    () => false,
  );
  return Promise.race([answered ?? false, late]);
};

/** A request that has been answered: what it wanted is not begun again. */
class Abandoned extends Error {}

const DURABLE = { w: 'majority', journal: true } as const;
const TRANSACTION = { readConcern: { level: 'snapshot' }, writeConcern: DURABLE } as const;
/**
 * As long as a request waits: a commit that waits for a majority after that keeps a connection from others, and the driver would
 * try it again for two minutes. The end of a transaction that failed waits for one, too: for longer, since only the limit of a
 * commit ends its tries.
 */
const AWAITED_TRANSACTION = {
  ...TRANSACTION,
  writeConcern: { ...DURABLE, wtimeoutMS: 2000 },
  maxCommitTimeMS: 1500,
} as const;

/**
 * Fewer than there are connections. One that has begun must find a connection to end by: else its documents stay locked until
 * MongoDB gives it up after a minute. And reads go on while writes wait for a majority.
 */
const inTurn = limitConcurrency(40);

/**
 * Runs `work` in one transaction, again where the database asks for it, as long as somebody waits. What it writes is durable
 * on a majority when this returns, or not there at all.
 * @throws Abandoned where it would begin, or begin again, when nobody waits any more
 */
export const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTurn(() =>
    mongoose.connection.getClient().withSession((session) =>
      session.withTransaction(
        async () => {
          if (isAbandoned()) throw new Abandoned('nobody waits for this transaction any more');
          return work(session);
        },
        isWaitedFor() ? AWAITED_TRANSACTION : TRANSACTION,
      ),
    ),
  );

/** Runs `read` on one unchanging snapshot of the database. */
export const snapshot = <T>(read: (tx: Tx) => Promise<T>): Promise<T> =>
  mongoose.connection.getClient().withSession({ snapshot: true }, read);
