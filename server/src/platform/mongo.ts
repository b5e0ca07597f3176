import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import pLimit from 'p-limit';
import { isUnavailable } from './mongo-errors.ts';
import { isAbandoned, isWaitedFor } from './waiting.ts';

/** Session of a running transaction. Every read and write of the transaction must pass it. */
export type Tx = ClientSession;

/** The driver waits half a minute or longer by default. A caller should get an answer within two seconds. */
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

/** Returns the hosts of a connection string, without the password, so that they can be printed. */
const hostsOf = (url: string): string => /^[^/]*\/\/(?:.*@)?([^/?]*)/.exec(url)?.[1] ?? '';

/** Returns whether the server is a replica set or a sharded cluster, which transactions and change streams need. */
const isReplicated = async (): Promise<boolean> => {
  const hello = await mongoose.connection.db?.command({ hello: 1 });
  return hello?.['setName'] !== undefined || hello?.['msg'] === 'isdbgrid';
};

/** Number of attempts to connect. On a busy machine the first one can time out. */
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
 * Connects without changing anything in the database.
 * @throws Error with a one-line message if the database cannot be used
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

/**
 * Connects, and creates every collection and index that the loaded models declare.
 * @throws Error as `connectAsReader` does
 */
export const connectMongo = async (url: string, patience?: mongoose.ConnectOptions): Promise<void> => {
  await connectAsReader(url, patience);
  await ensureModels();
};

/**
 * Connects, and creates every collection that is missing. Collections that exist keep their indexes as they are: each
 * start of the service and each migration completes them, and asking for all takes longer than most commands.
 * @throws Error as `connectAsReader` does
 */
export const connectForCommand = async (url: string, patience?: mongoose.ConnectOptions): Promise<void> => {
  await connectAsReader(url, patience);
  await ensureCollections();
};

/**
 * Number of models that are created at the same time. With all at once, commands would wait for a connection longer
 * than they may.
 */
const ENSURED_AT_ONCE = 3;
/**
 * Codes for an existing index with the same name or keys but another definition. A migration replaces it; until then it
 * serves.
 */
const INDEX_DIFFERS = new Set<unknown>([85, 86]);
/** Number of attempts, a second or more each, so that a start waits while the database elects a primary. */
const TRIES = 10;

/** Creates a collection and its indexes in one command, because each start does it. */
const createModel = async (model: mongoose.Model<unknown>): Promise<void> => {
  const indexes = model.schema.indexes().map(([key, settings]) => ({ ...settings, key }));
  await (indexes.length > 0 ? model.collection.createIndexes(indexes as never) : model.createCollection());
};

const differs = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoError && INDEX_DIFFERS.has(error.code);

/** Creates the indexes one after another and skips those that differ. */
const createIndexesOneByOne = async (model: mongoose.Model<unknown>): Promise<void> => {
  await model.createIndexes().catch((error: unknown) => {
    if (!differs(error)) throw error;
  });
};

const ensureModel = async (model: mongoose.Model<unknown>, tries = TRIES): Promise<void> => {
  try {
    await createModel(model).catch((error: unknown) => {
      if (!differs(error)) throw error;
      return createIndexesOneByOne(model);
    });
  } catch (error) {
    if (!isUnavailable(error) || tries === 1) throw error;
    await ensureModel(model, tries - 1);
  }
};

const ensure = async (models: readonly mongoose.Model<unknown>[]): Promise<void> => {
  const inTurn = pLimit(ENSURED_AT_ONCE);
  await Promise.all(models.map((model) => inTurn(() => ensureModel(model))));
};

/** Creates the collections and indexes that the loaded models declare and that do not exist yet. */
export const ensureModels = (): Promise<void> => ensure(Object.values(mongoose.connection.models));

/** Creates, with their indexes, the collections that the loaded models declare and that do not exist yet. */
const ensureCollections = async (): Promise<void> => {
  const stored = await database().listCollections({}, { nameOnly: true, authorizedCollections: true }).toArray();
  const names = new Set(stored.map(({ name }) => name));
  const models: mongoose.Model<unknown>[] = Object.values(mongoose.connection.models);
  await ensure(models.filter(({ collection }) => !names.has(collection.collectionName)));
};

/** Returns up to `limit` ids after `id`, in order. Used to walk over a collection with text ids in parts. */
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

/** Returns a document as the database stores it, for comparison byte by byte. */
export const bytesOf = (document: object): Uint8Array => mongoose.mongo.BSON.serialize(document);

/** Returns the database, for operations that treat all collections alike. @throws Error if it is not connected */
export const database = (): mongoose.mongo.Db => {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the database is not connected');
  return db;
};

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();

const PING_MS = 1000;

/** Returns, within a second, whether the database accepts commands. */
export const pingMongo = async (): Promise<boolean> => {
  const late = sleep(PING_MS, false, { ref: false }); // the driver's own limit does not apply while it selects a server
  const answered = mongoose.connection.db?.command({ ping: 1 }).then(
    () => mongoose.connection.readyState === 1,
    () => false,
  );
  return Promise.race([answered ?? false, late]);
};

/**
 * The request has been answered already, so its transaction is not begun or repeated. The class only ends that
 * transaction: no caller sees it.
 */
class Abandoned extends Error {}

const DURABLE = { w: 'majority', journal: true } as const;
const TRANSACTION = { readConcern: { level: 'snapshot' }, writeConcern: DURABLE } as const;
/**
 * Limits for a transaction that a request waits for. Without them, a commit that cannot reach a majority would hold its
 * connection, and the driver would retry it for two minutes. An abort also waits for a majority. Its `wtimeoutMS` is
 * longer than `maxCommitTimeMS`, because only the latter ends the retries of a commit.
 */
const AWAITED_TRANSACTION = {
  ...TRANSACTION,
  writeConcern: { ...DURABLE, wtimeoutMS: 2000 },
  maxCommitTimeMS: 1500,
} as const;

/**
 * Fewer than the pool has connections, so that a transaction that has begun can always commit or abort. Otherwise its
 * documents stay locked until MongoDB aborts it after a minute. Reads also continue while writes wait for a majority.
 */
const inTurn = pLimit(40);

/**
 * Runs `work` in one transaction, and repeats it if the database asks for a retry and a caller still waits. When this
 * returns, all writes are durable on a majority; when it throws, none is stored, unless `isUnavailable` says that the
 * outcome is unknown.
 * @throws Abandoned if nobody waits any more when it would begin or repeat
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

/** Runs `read` on one consistent snapshot of the database. */
export const snapshot = <T>(read: (tx: Tx) => Promise<T>): Promise<T> =>
  mongoose.connection.getClient().withSession({ snapshot: true }, read);

/** Runs `read` so that each of its reads sees what the one before saw, from a new primary too. */
export const inReadOrder = <T>(read: (session: ClientSession) => Promise<T>): Promise<T> =>
  mongoose.connection.getClient().withSession({ causalConsistency: true }, read);
