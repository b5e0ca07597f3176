import mongoose, { type ClientSession } from 'mongoose';

/** Session of a running transaction: every read and write that belongs to it takes it. */
export type Tx = ClientSession;

/** The driver waits half a minute and longer by default; a caller should hear within two seconds. */
const options: mongoose.ConnectOptions = {
  serverSelectionTimeoutMS: 1500,
  connectTimeoutMS: 1500,
  socketTimeoutMS: 30_000,
  waitQueueTimeoutMS: 1500,
  heartbeatFrequencyMS: 1000,
  maxPoolSize: 50,
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  retryWrites: true,
  writeConcern: { w: 'majority', journal: true },
};

/** Connects, and makes every collection and index that the loaded models declare. */
export const connectMongo = async (url: string): Promise<void> => {
  await mongoose.connect(url, {
    ...options,
    ...(new URL(url.replace(/,[^/]*/, '')).pathname.length > 1 ? {} : { dbName: 'broker-transparency' }),
  });
  await ensureModels();
};

/** Makes every collection and index that the loaded models declare, where they are not there. */
export const ensureModels = async (): Promise<void> => {
  await Promise.all(
    Object.values(mongoose.connection.models).map(async (model) => {
      await model.createCollection();
      await model.createIndexes();
    }),
  );
};

/** The database itself, for what is done to all collections alike. */
export const database = (): mongoose.mongo.Db => {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the database is not connected');
  return db;
};

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();

/** Answers whether the database takes commands now. */
export const pingMongo = async (): Promise<boolean> => {
  try {
    await mongoose.connection.db?.command({ ping: 1 }, { timeoutMS: 1000 });
    return mongoose.connection.readyState === 1;
  } catch {
    return false;
  }
};

/**
 * Runs `work` in one transaction, again where the database asks for it. What it writes is durable on a majority when this
 * returns, or not there at all.
 */
export const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  mongoose.connection.getClient().withSession((session) =>
    session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
    }),
  );

/** Runs `read` on one unchanging snapshot of the database. */
export const snapshot = <T>(read: (tx: Tx) => Promise<T>): Promise<T> =>
  mongoose.connection.getClient().withSession({ snapshot: true }, read);

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof mongoose.mongo.MongoError && error.code === code;

/** A unique index refused the write. */
export const isDuplicateKey = (error: unknown): boolean => hasCode(error, 11_000);

/** Another transaction that is not finished holds the same document. */
export const isWriteConflict = (error: unknown): boolean => hasCode(error, 112);

const UNAVAILABLE = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoWriteConcernError',
  'MongoExpiredSessionError',
]);

/** The database could not be asked, did not answer in time, or is electing: the outcome of a write is unknown. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (UNAVAILABLE.has(error.name) ||
    (error instanceof mongoose.mongo.MongoError &&
      (error.hasErrorLabel('RetryableWriteError') ||
        error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult') ||
        hasCode(error, 50))) ||
    (error instanceof mongoose.Error && /buffer|before initial connection|not connected/i.test(error.message)));
