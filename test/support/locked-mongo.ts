import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { type Document, MongoClient } from 'mongodb';
import { mongodPath } from './cache.ts';
import { startGuarded } from './guarded.ts';

/** A replica set with one member that requires a password from every client. */
export interface LockedMongo {
  /** Connection string of a user of the database `ratings`, or of the administrator if no name is given. */
  readonly url: (user?: string) => string;
  readonly as: <T>(user: string | undefined, work: (client: MongoClient) => Promise<T>) => Promise<T>;
  readonly stop: () => Promise<void>;
}

/** Nobody reads its statistics, and every process of the tests signs in: with as few rounds as MongoDB allows. */
const CHEAP = ['diagnosticDataCollectionEnabled=false', 'scramSHA256IterationCount=5000'];
/** The smallest oplog in megabytes that MongoDB takes, since its files may lie in memory. */
const SMALL = ['--oplogSize', '990'];
const PASSWORD = 'correct-horse';
const ADMIN = 'root';

const using = async <T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> => {
  const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 20_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

/** Creates the roles, and for each role a user with the same name. */
const createUsers = async (admin: MongoClient, roles: readonly Document[]): Promise<void> => {
  for (const role of roles) {
    await admin.db('ratings').command(role);
    await admin.db('ratings').command({ createUser: role['createRole'], pwd: PASSWORD, roles: [role['createRole']] });
  }
};

/**
 * @param parameters settings of the server, such as `transactionLifetimeLimitSeconds=30`
 * @param isDisposable true if its data may be lost when it ends: a write then waits for no journal, which spares a third
 * of its time
 */
export const startLockedMongo = async (
  roles: readonly Document[],
  parameters: readonly string[] = [],
  isDisposable = false,
): Promise<LockedMongo> => {
  const folder = await mkdtemp(join(tmpdir(), 'broker-rating-locked-'));
  const key = join(folder, 'key');
  await writeFile(key, randomBytes(96).toString('base64'), { mode: 0o600 });
  const port = await freePort();
  const settings = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', 'rs0'];
  const set = [...CHEAP, ...parameters].flatMap((parameter) => ['--setParameter', parameter]);
  const command = [await mongodPath(), ...settings, ...SMALL, '--keyFile', key, '--nounixsocket', ...set];
  const mongod = await startGuarded(command, 'Waiting for connections');
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  const config = { _id: 'rs0', members, writeConcernMajorityJournalDefault: !isDisposable };
  // As long as there is no user, any client on this machine may create the first one.
  await using(direct, (client) => client.db('admin').command({ replSetInitiate: config }));
  await using(`mongodb://127.0.0.1:${port}/?replicaSet=rs0`, (client) =>
    client.db('admin').command({ createUser: ADMIN, pwd: PASSWORD, roles: ['root'] }),
  );
  const url = (user?: string): string =>
    `mongodb://${user ?? ADMIN}:${PASSWORD}@127.0.0.1:${port}/ratings?replicaSet=rs0&authSource=${user ? 'ratings' : 'admin'}`;
  // signing in takes longer than most questions, and tests ask many
  const admin = await MongoClient.connect(url(), { serverSelectionTimeoutMS: 20_000 });
  await createUsers(admin, roles);
  return {
    url,
    as: (user, work) => (user === undefined ? work(admin) : using(url(user), work)),
    stop: async () => {
      await admin.close();
      await mongod.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
