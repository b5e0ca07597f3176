import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession } from 'mongoose';
import pLimit, { type LimitFunction } from 'p-limit';
import { isReading, isTakenBack } from './dry-run.rule.ts';
import { isUnavailable } from './mongo-errors.ts';
import { makeValidator } from './schema.ts';
import { isAbandoned, isWaitedFor } from './waiting.ts';

/** A pool of connections to one database, with its models and its `perDb` values. */
export interface Db {
  /** The connection string. */
  readonly url: string;
  readonly connection: mongoose.Connection;
  /** Limits the number of transactions that run at the same time. */
  readonly inTurn: LimitFunction;
  /** Values that `perDb` has made for this pool, by their definitions. */
  readonly values: Map<object, unknown>;
  /** True: every transaction is taken back as soon as its work is done. */
  readonly takesBack?: true;
}

/** Session of a running transaction, or of reads that belong together. Each of their reads and writes must pass it. */
export type Tx = ClientSession & { readonly db: Db };

/** Defines a value that each pool has once. `make` runs when the value is first needed. */
export const perDb = <T>(make: (db: Db) => T): ((db: Db) => T) => {
  const ofDb = (db: Db): T => {
    if (!db.values.has(ofDb)) db.values.set(ofDb, make(db));
    return db.values.get(ofDb) as T;
  };
  return ofDb;
};

const definitions = new Map<string, (db: Db) => unknown>();

/** Defines a model of mongoose. The returned function gives the model of a pool. */
export const defineModel = <S extends mongoose.Schema>(name: string, schema: S, collection: string) => {
  const model = perDb((db) => db.connection.model(name, schema, collection));
  definitions.set(collection, model);
  return model;
};

/** Returns the names of all collections for which loaded modules define models. */
export const listCollections = (): string[] => [...definitions.keys()];

const listModels = (db: Db) => [...definitions.values()].map((model) => model(db) as mongoose.Model<unknown>);

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
const extractHosts = (url: string): string => /^[^/]*\/\/(?:.*@)?([^/?]*)/.exec(url)?.[1] ?? '';

/** Returns whether the server is a replica set or a sharded cluster, which transactions and change streams need. */
const isReplicated = async (db: Db): Promise<boolean> => {
  const hello = await database(db).command({ hello: 1 });
  return hello?.['setName'] !== undefined || hello?.['msg'] === 'isdbgrid';
};

/** Number of attempts to connect. On a busy machine the first one can time out. */
const CONNECT_TRIES = 3;

/**
 * Smaller than the pool, so that a transaction that has begun can always commit or abort. Otherwise its documents stay
 * locked until MongoDB aborts it after a minute. Reads also continue while writes wait for a majority.
 */
const TRANSACTIONS_AT_ONCE = 40;

const connect = async (url: string, settings: mongoose.ConnectOptions, tries = CONNECT_TRIES): Promise<Db> => {
  const connection = mongoose.createConnection(url, settings);
  try {
    await connection.asPromise();
    return { url, connection, inTurn: pLimit(TRANSACTIONS_AT_ONCE), values: new Map() };
  } catch (error) {
    await connection.close();
    if (!isUnavailable(error) || tries === 1) throw error;
    return connect(url, settings, tries - 1);
  }
};

/**
 * Connects without changing anything in the database.
 * @throws Error with a one-line message if the database cannot be used
 */
export const connectAsReader = async (url: string, patience: mongoose.ConnectOptions = {}): Promise<Db> => {
  const unusable = (reason: string, cause?: unknown): Error =>
    new Error(`the database at ${extractHosts(url)} cannot be used: ${reason}; start it, or correct MONGODB_URL`, {
      cause,
    });
  const db = await connect(url, {
    ...options,
    ...patience,
    ...(new URL(url.replace(/,[^/]*/, '')).pathname.length > 1 ? {} : { dbName: 'broker-transparency' }),
  }).catch((error: Error) => {
    throw unusable(error.message, error);
  });
  if (await isReplicated(db)) return db;
  await closeDb(db);
  throw unusable('it is not a replica set (mongod --replSet)');
};

/** Connects for work that may send some commands of the database only. Another one throws before it is sent. */
const connectFor = async (
  work: string,
  mayBeSent: typeof isReading,
  url: string,
  patience: mongoose.ConnectOptions = {},
): Promise<Db> => {
  const db = await connectAsReader(url, { ...patience, monitorCommands: true });
  db.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    // the driver calls this before it sends the command, and does not send it if this throws
    if (!mayBeSent(commandName, command))
      throw new mongoose.mongo.MongoError(`${work} must not write, and this does: ${commandName}.`);
  });
  return db;
};

/** Connects for a command that only reads. */
export const connectForReading = (url: string, patience?: mongoose.ConnectOptions): Promise<Db> =>
  connectFor('A command that reads', isReading, url, patience);

/** The names of the commands of the database by which a dry run would have written. */
export const foreseenWrites = perDb((): Set<string> => new Set());

/** Connects for a dry run. Every transaction is taken back, and nothing else can write. */
export const connectForDryRun = async (url: string, patience?: mongoose.ConnectOptions): Promise<Db> => {
  const db = await connectFor('A dry run', isTakenBack, url, patience);
  const writes = foreseenWrites(db);
  db.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (!isReading(commandName, command)) writes.add(commandName);
  });
  return { ...db, takesBack: true };
};

/**
 * Connects, and creates every collection and index that the loaded models declare.
 * @throws Error as `connectAsReader` does
 */
export const connectMongo = async (url: string, patience?: mongoose.ConnectOptions): Promise<Db> => {
  const db = await connectAsReader(url, patience);
  await ensureModels(db);
  return db;
};

/**
 * Number of models that are created at the same time. If all were created at once, commands would wait too long for a
 * connection.
 */
const ENSURED_AT_ONCE = 3;
/**
 * Codes for an existing index with the same name or keys but another definition. It stays in use until a migration
 * replaces it.
 */
const INDEX_DIFFERS = new Set<unknown>([85, 86]);
/** Number of attempts, a second or more each, so that a start waits while the database elects a primary. */
const TRIES = 10;

const NAMESPACE_EXISTS = 48;

/** Creates a collection that takes only documents that fit its schema. Another process may be faster. */
const createCollection = async ({ db, collection, schema }: mongoose.Model<unknown>): Promise<void> => {
  await db.createCollection(collection.collectionName, { validator: makeValidator(schema) }).catch((error: unknown) => {
    if (!(error instanceof mongoose.mongo.MongoError && error.code === NAMESPACE_EXISTS)) throw error;
  });
};

const isIndexConflict = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoError && INDEX_DIFFERS.has(error.code);

/** Creates the indexes in one command, because each start does it; those that differ, one after another. */
const createIndexes = async (model: mongoose.Model<unknown>): Promise<void> => {
  const indexes = model.schema.indexes().map(([key, settings]) => ({ ...settings, key }));
  if (indexes.length === 0) return;
  try {
    await model.collection.createIndexes(indexes as never);
  } catch (error) {
    if (!isIndexConflict(error)) throw error;
    await model.createIndexes().catch((later: unknown) => {
      if (!isIndexConflict(later)) throw later;
    });
  }
};

const retryUnavailable = async (work: () => Promise<void>, tries = TRIES): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!isUnavailable(error) || tries === 1) throw error;
    await retryUnavailable(work, tries - 1);
  }
};

/** Returns the names of the collections that the database has. */
export const storedCollections = async (db: Db): Promise<ReadonlySet<string>> => {
  const stored = await database(db).listCollections({}, { nameOnly: true, authorizedCollections: true }).toArray();
  return new Set(stored.map(({ name }) => name));
};

/** Creates collections that do not exist yet, with their indexes; with `all`, also the indexes of the others. */
const ensure = async (db: Db, all: boolean): Promise<void> => {
  const inTurn = pLimit(ENSURED_AT_ONCE);
  const stored = await storedCollections(db);
  const ensureModel = async (model: mongoose.Model<unknown>): Promise<void> => {
    const exists = stored.has(model.collection.collectionName);
    if (!exists) await retryUnavailable(() => createCollection(model));
    if (all || !exists) await retryUnavailable(() => createIndexes(model));
  };
  await Promise.all(listModels(db).map((model) => inTurn(() => ensureModel(model))));
};

/** Creates the collections and indexes that the loaded models declare and that do not exist yet. */
export const ensureModels = (db: Db): Promise<void> => ensure(db, true);

/**
 * Creates the missing collections of the loaded models, with their indexes. Existing collections keep their indexes:
 * each start of the service completes them, and that takes longer than most commands.
 */
export const ensureCollections = (db: Db): Promise<void> => ensure(db, false);

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
export const serializeDocument = (document: object): Uint8Array => mongoose.mongo.BSON.serialize(document);

/** Returns a document from BSON, as a query does. */
export const deserializeDocument = <T>(bson: Uint8Array): T => mongoose.mongo.BSON.deserialize(bson) as T;

/** Returns the database, for operations that treat all collections alike. @throws Error if it is not connected */
export const database = ({ connection }: Db): mongoose.mongo.Db => {
  if (!connection.db) throw new Error('the database is not connected');
  return connection.db;
};

export const closeDb = ({ connection }: Db): Promise<void> => connection.close();

const PING_MS = 1000;

/** Returns, within a second, whether the database accepts commands. */
export const pingMongo = async ({ connection }: Db): Promise<boolean> => {
  const late = sleep(PING_MS, false, { ref: false }); // the driver's own limit does not apply while it selects a server
  const answered = connection.db?.command({ ping: 1 }).then(
    () => connection.readyState === 1,
    () => false,
  );
  return Promise.race([answered ?? false, late]);
};

/**
 * The request has already been answered, so its transaction is not begun or repeated. The error only ends the
 * transaction: no caller sees it.
 */
class AbandonedError extends Error {}

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

const perform = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.inTurn(() =>
    db.connection.getClient().withSession((session) =>
      session.withTransaction(
        async () => {
          if (isAbandoned()) throw new AbandonedError('nobody waits for this transaction any more');
          return work(Object.assign(session, { db }));
        },
        isWaitedFor() ? AWAITED_TRANSACTION : TRANSACTION,
      ),
    ),
  );

/** Carries the result of work that is done out of a transaction, which ends without a commit. */
class TakenBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('the transaction is taken back');
    this.result = result;
  }
}

const takeBack = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  perform<T>(db, async (tx) => {
    throw new TakenBack(await work(tx));
  }).catch((error: unknown) => {
    if (error instanceof TakenBack) return error.result as T;
    throw error;
  });

/**
 * Runs `work` in one transaction, and repeats it if the database asks for a retry and a caller still waits. When this
 * returns, all writes are durable on a majority, or none is stored where the pool takes them back; when it throws, none
 * is stored, unless `isUnavailable` says that the outcome is unknown.
 * @throws Abandoned if nobody waits any more when it would begin or repeat
 */
export const transaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  (db.takesBack ? takeBack : perform)(db, work);

/** Runs `read` on one consistent snapshot of the database. */
export const snapshot = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.connection.getClient().withSession({ snapshot: true }, (session) => read(Object.assign(session, { db })));

/** Runs `read` so that each of its reads sees at least what the one before saw, even after a new primary is elected. */
export const inReadOrder = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.connection.getClient().withSession({ causalConsistency: true }, (session) => read(Object.assign(session, { db })));
