/**
 * Services with the demo set. It is loaded once for all test files of a run, and copied for each: loading its 20 000
 * reviews takes longer than what most tests do with them. `test/operate/demo.test.ts` tries the loading itself.
 */
import { randomBytes } from 'node:crypto';
import { type Db, type IndexDescription, MongoServerError } from 'mongodb';
import { type Service, type ServiceProcess, type Settings, startProcess } from './process.ts';
import { type LocalService, startService } from './service.ts';
import { dropSharedDatabase, newSharedDatabase, sharedDatabaseAt } from './shared-database.ts';
import { until } from './until.ts';

/** Time in milliseconds for the first process to load the set, and for what follows from it. */
const LOAD_MS = 200_000;

/** The database that is copied. */
const DEMO = 'demo-set';

/** State of the process that loads the demo set. */
interface LoadState {
  readonly _id: 'demo';
  readonly state: 'begun' | 'done' | 'failed';
}

const openDatabase = async (url: string): Promise<Db> => (await sharedDatabaseAt(url)) as Db;

/** Loads the set by a service of its own, which ends once all that follows from the set is done. */
const load = async (url: string): Promise<void> => {
  const service = await startService({ MONGODB_URL: url }, { demo: true });
  try {
    await service.settle();
  } finally {
    await service.remove();
  }
};

/** Returns the database with the demo set, once the first process that asked has loaded it. */
const openDemo = async (): Promise<Db> => {
  const url = newSharedDatabase(DEMO) as string;
  const [demo, beside] = await Promise.all([url, newSharedDatabase(`${DEMO}-loading`) as string].map(openDatabase));
  const loading = (beside as Db).collection<LoadState>('loading');
  const saveState = (state: LoadState['state']) => loading.updateOne({ _id: 'demo' }, { $set: { state } });
  const isFirst = await loading.insertOne({ _id: 'demo', state: 'begun' }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof MongoServerError && error.code === 11000) return false;
      throw error;
    },
  );
  if (isFirst)
    await load(url).catch(async (error: unknown) => {
      await saveState('failed');
      throw error;
    });
  if (isFirst) await saveState('done');
  return until('the demo set is loaded', LOAD_MS, async () => {
    const found = await loading.findOne({ _id: 'demo' });
    if (found?.state === 'failed') throw new Error('another test file could not load the demo set');
    return found?.state === 'done' && demo;
  });
};

/** Copies what a collection has, and its indexes, within the database server. */
const copyCollection = async (from: Db, name: string, to: Db): Promise<void> => {
  const all = (await from.collection(name).indexes()) as IndexDescription[];
  const indexes = all.filter((index) => index.name !== '_id_');
  if (indexes.length > 0) await to.collection(name).createIndexes(indexes);
  const written = from.collection(name).aggregate([{ $out: { db: to.databaseName, coll: name } }]);
  await written.toArray();
};

/** Collections of the log of the demo that was copied. Its tree is that of any other log over the same entries. */
const OF_ITS_LOG = ['logKeys', 'logWitnesses', 'logRefusals'];

/** Marks a database as a demo whose history is whole. */
export const markAsDemo = (db: Db): Promise<unknown> =>
  db.collection<{ _id: string }>('demoMarks').insertOne({
    _id: 'demo',
    says: 'Everything in this database is fictional.',
    id: randomBytes(6).toString('hex'),
    beganAt: new Date(),
    isFilled: true,
  } as { _id: string });

/** Copies the demo set into a new database, which gets a log of its own. */
const copyTo = async (url: string, isDemo: boolean): Promise<void> => {
  const [demo, to] = await Promise.all([openDemo(), openDatabase(url)]);
  const names = await demo.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of names)
    if (!OF_ITS_LOG.includes(name) && (await demo.collection(name).estimatedDocumentCount()) > 0)
      await copyCollection(demo, name, to);
  const heads = to.collection<{ _id: string }>('logHeads');
  await heads.deleteMany({ _id: { $ne: 'tree' } });
  await heads.updateOne({ _id: 'tree' }, { $set: { waitingSince: new Date() } });
  const marks = to.collection('demoMarks');
  await (isDemo ? marks.updateOne({}, { $unset: { verifierKey: 1 } }) : marks.deleteMany({}));
};

/** Starts a service by `start` on a copy of the demo set, which is a demo itself or keeps only the data. */
const startOnCopy = async <T extends Service>(isDemo: boolean, start: (url: string) => Promise<T>): Promise<T> => {
  const url = newSharedDatabase();
  if (url === undefined) throw new Error('the demo set is copied within the database of a test run, and none runs');
  await copyTo(url, isDemo);
  const service = await start(url);
  const remove = async (): Promise<void> => {
    await service.remove();
    await dropSharedDatabase(url);
  };
  return { ...service, remove };
};

export const startDemoService = (settings: Settings = {}): Promise<LocalService> =>
  startOnCopy(true, (url) => startService({ ...settings, MONGODB_URL: url }, { demo: true }));

/** The same by `serve --demo` in a process of its own, which prints the tokens of the demo. */
export const startDemoProcess = (settings: Settings = {}): Promise<ServiceProcess> =>
  startOnCopy(true, (url) => startProcess({ ...settings, MONGODB_URL: url }, ['--demo']));

/** Starts a service that is no demo and has the same data. */
export const startServiceWithDemoData = (settings: Settings = {}): Promise<LocalService> =>
  startOnCopy(false, (url) => startService({ ...settings, MONGODB_URL: url }));
