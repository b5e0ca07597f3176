import { join } from 'node:path';
import {
  type DatabaseAddress,
  type DatabaseUse,
  readAddress,
  readPort,
  removeAddress,
  writeAddress,
  writePort,
} from './address-file.ts';
import { databaseDirectory, isThere } from './data-dir.ts';
import { type MemberKey, memberKey } from './member-key.ts';
import { runAsMember } from './members.ts';
import type { Mongod } from './mongod.ts';
import { findMongod } from './mongod-binary.ts';
import { MongodFailed } from './mongod-failed.ts';
import { freePort } from './port.ts';
import { endMongod, isAlive, mongodOn, waitUntil } from './processes.ts';
import { becomePrimary } from './replica-set.ts';
import { addressFor, ensureUser } from './user.ts';

export interface DatabaseOptions {
  /** Address of a running replica set to use instead of an embedded one. */
  mongodbUrl?: string | undefined;
  dataDir: string;
  mongodBinary?: string | undefined;
  cacheDir: string;
  /**
   * A command shares the embedded database of a running server. A database that a command starts belongs to the command
   * until its end.
   */
  use: DatabaseUse;
  /** False: only share the database of a running server. */
  mayStart?: boolean;
  log: (line: string) => void;
  /** Called if the embedded mongod ends by itself. The caller should then end too, and be restarted. */
  onLost?: () => void;
}

export interface Database {
  url: string;
  origin: 'external' | 'started' | 'shared';
  close(): Promise<void>;
}

const ATTEMPTS = 3;
const LOCK_TIMEOUT_MS = 5_000;
const HANDOVER_TIMEOUT_MS = 15_000;

/**
 * Returns the address of the database that another process has opened, for its workers. An environment variable would
 * expose the password.
 * @throws Error if no process has opened it
 */
export async function readOpenedAddress({ mongodbUrl, dataDir }: Pick<DatabaseOptions, 'mongodbUrl' | 'dataDir'>) {
  const url = mongodbUrl ?? (await readAddress(dataDir))?.url;
  if (url === undefined) throw new Error(`no process has opened the embedded database in ${dataDir}`);
  return url;
}

/** No server runs on the embedded database, and the caller may not start one. */
export class NotServedError extends Error {}

/** @throws NotServedError if no server runs and `mayStart` is false */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.mongodbUrl) return { url: options.mongodbUrl, origin: 'external', close: async () => {} };
  const { mayStart = true } = options;
  const notServed = new NotServedError(`no server runs on the embedded database in ${options.dataDir}`);
  if (!mayStart && !(await isThere(join(options.dataDir, 'mongodb')))) throw notServed;
  const dataDir = await databaseDirectory(options.dataDir);
  for (let failures = 0; ; ) {
    const owner = await nextOwner(dataDir, options.log);
    if (owner) return share(owner, options);
    if (!mayStart) throw notServed;
    try {
      return await start(dataDir, options);
    } catch (error) {
      if (!(error instanceof MongodFailed && error.raced)) throw error;
      // mongod locks its lock file some time before it writes its pid into it
      const shown = await waitUntil(
        async () => (await mongodOn(join(dataDir, 'mongodb'))) !== undefined,
        LOCK_TIMEOUT_MS,
      );
      if (!shown && ++failures === ATTEMPTS) throw error;
    }
  }
}

/**
 * Returns the live owner of the data directory once its mongod serves, or undefined if there is none. Ends a mongod
 * whose owner was killed.
 */
async function currentOwner(dataDir: string): Promise<DatabaseAddress | undefined> {
  const dbPath = join(dataDir, 'mongodb');
  let owner: DatabaseAddress | undefined;
  const settled = await waitUntil(async () => {
    const pid = await mongodOn(dbPath);
    if (!pid) return true;
    const address = await readAddress(dataDir);
    if (address?.mongodPid !== pid) return false; // mongod is starting or stopping
    if (await isAlive(address.ownerPid)) owner = address;
    else await endMongod(pid, dbPath);
    return true;
  }, HANDOVER_TIMEOUT_MS);
  if (!settled) throw new Error(`a mongod of another process uses ${dbPath}; stop it or choose another DATA_DIR`);
  return owner;
}

/** Like `currentOwner`, but waits until no command owns the database, since a command stops it at its end. */
async function nextOwner(dataDir: string, log: (line: string) => void): Promise<DatabaseAddress | undefined> {
  for (;;) {
    const owner = await currentOwner(dataDir);
    if (owner?.use !== 'command') return owner;
    log(`the command of process ${owner.ownerPid} has the database in ${dataDir}: waiting for its end`);
    const ended = async () =>
      (await readAddress(dataDir))?.ownerPid !== owner.ownerPid || !(await isAlive(owner.ownerPid));
    await waitUntil(ended, Number.POSITIVE_INFINITY);
  }
}

function share({ url, ownerPid }: DatabaseAddress, { use, dataDir }: DatabaseOptions): Database {
  if (use === 'command') return { url, origin: 'shared', close: async () => {} };
  throw new Error(
    `another process (pid ${ownerPid}) already serves the embedded database in ${dataDir}; ` +
      'stop it, choose another DATA_DIR, or set MONGODB_URL',
  );
}

async function start(
  dataDir: string,
  { mongodBinary, cacheDir, use, log, onLost = () => {} }: DatabaseOptions,
): Promise<Database> {
  const key = await memberKey(dataDir);
  const binary = await findMongod({ binary: mongodBinary, cacheDir, log });
  const lastPort = await readPort(dataDir);
  const port = await freePort(lastPort);
  if (lastPort && port !== lastPort) log(`port ${lastPort} is taken: moving the embedded database to ${port}`);
  const { startMongod } = await import('./mongod.ts'); // its library loads slowly, and most commands need no start
  const mongod = await startMongod({ binary, dbPath: join(dataDir, 'mongodb'), port, key, log, onLost });
  try {
    await settle(port, key);
    return await publish(dataDir, mongod, addressFor(port, key), use);
  } catch (error) {
    await mongod.stop();
    throw error;
  }
}

/** Prepares the database for the service: primary and user. */
const settle = (port: number, key: MemberKey) =>
  runAsMember(port, key, async (client) => {
    await becomePrimary(client, port);
    await ensureUser(client, key);
  });

async function publish(dataDir: string, mongod: Mongod, url: string, use: DatabaseUse): Promise<Database> {
  await writePort(dataDir, Number(new URL(url).port));
  await writeAddress(dataDir, {
    url,
    mongodPid: mongod.pid,
    ownerPid: process.pid,
    use,
    startedAt: new Date().toISOString(),
  });
  const close = async () => {
    await removeAddress(dataDir);
    await mongod.stop();
  };
  return { url, origin: 'started', close };
}
