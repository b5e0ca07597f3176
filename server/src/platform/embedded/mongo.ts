import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Address,
  readAddress,
  readPort,
  removeAddress,
  type Use,
  writeAddress,
  writePort,
} from './address-file.ts';
import { type MemberKey, memberKey } from './member-key.ts';
import { asMember } from './members.ts';
import type { Mongod } from './mongod.ts';
import { findMongod } from './mongod-binary.ts';
import { MongodFailed } from './mongod-failed.ts';
import { dropOplog, isOplogLarge, storeOplog } from './oplog.ts';
import { freePort } from './port.ts';
import { endMongod, isAlive, mongodOn, waitUntil } from './processes.ts';
import { becomePrimary } from './replica-set.ts';
import { addressFor, ensureUser } from './user.ts';

export interface DatabaseOptions {
  /** A running replica set to use instead of an embedded one. */
  mongodbUrl?: string | undefined;
  dataDir: string;
  mongodBinary?: string | undefined;
  cacheDir: string;
  /** A command shares the embedded database of a running server; what a command started, it has for itself. */
  use: Use;
  log: (line: string) => void;
  /** The embedded mongod ended by itself: its owner had better end, too, and be started again. */
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

/** The address of the database that another process has opened, for its workers: an environment would show the password. */
export async function openedDatabase({ mongodbUrl, dataDir }: Pick<DatabaseOptions, 'mongodbUrl' | 'dataDir'>) {
  const url = mongodbUrl ?? (await readAddress(dataDir))?.url;
  if (url === undefined) throw new Error(`no process has opened the embedded database in ${dataDir}`);
  return url;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.mongodbUrl) return { url: options.mongodbUrl, origin: 'external', close: async () => {} };
  const dataDir = await writableDirectory(options.dataDir);
  for (let failures = 0; ; ) {
    const owner = await nextOwner(dataDir, options.log);
    if (owner) return share(owner, options);
    try {
      return await start(dataDir, options);
    } catch (error) {
      if (!(error instanceof MongodFailed && error.raced)) throw error;
      // A mongod holds its lock for a while before its pid stands in it.
      const shown = await waitUntil(
        async () => (await mongodOn(join(dataDir, 'mongodb'))) !== undefined,
        LOCK_TIMEOUT_MS,
      );
      if (!shown && ++failures === ATTEMPTS) throw error;
    }
  }
}

async function writableDirectory(dataDir: string) {
  try {
    await mkdir(join(dataDir, 'mongodb'), { recursive: true, mode: 0o700 });
    for (const directory of [dataDir, join(dataDir, 'mongodb')]) {
      await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
      await keepPrivate(directory);
    }
    return await realpath(dataDir);
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** Whoever can write there could put their own address and key in place. One with the sticky bit, such as /tmp, is shared on purpose. */
async function keepPrivate(directory: string) {
  const { mode } = await stat(directory);
  if ((mode & 0o077) === 0) return;
  if ((mode & 0o1000) !== 0) throw new Error('it is shared with others; name a folder inside it');
  await chmod(directory, 0o700);
}

/** The live owner of the data directory, once its mongod serves; what a killed owner left behind is ended first. */
async function currentOwner(dataDir: string): Promise<Address | undefined> {
  const dbPath = join(dataDir, 'mongodb');
  let owner: Address | undefined;
  const settled = await waitUntil(async () => {
    const pid = await mongodOn(dbPath);
    if (!pid) return true;
    const address = await readAddress(dataDir);
    if (address?.mongodPid !== pid) return false; // starting, or stopping
    if (await isAlive(address.ownerPid)) owner = address;
    else await endMongod(pid, dbPath);
    return true;
  }, HANDOVER_TIMEOUT_MS);
  if (!settled) throw new Error(`a mongod of another process uses ${dbPath}; stop it or choose another DATA_DIR`);
  return owner;
}

/** The same, once no command has the database: it would take it away at its end. */
async function nextOwner(dataDir: string, log: (line: string) => void): Promise<Address | undefined> {
  for (;;) {
    const owner = await currentOwner(dataDir);
    if (owner?.use !== 'command') return owner;
    log(`the command of process ${owner.ownerPid} has the database in ${dataDir}: waiting for its end`);
    const ended = async () =>
      (await readAddress(dataDir))?.ownerPid !== owner.ownerPid || !(await isAlive(owner.ownerPid));
    await waitUntil(ended, Number.POSITIVE_INFINITY);
  }
}

function share({ url, ownerPid }: Address, { use, dataDir }: DatabaseOptions): Database {
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
  const { startMongod } = await import('./mongod.ts'); // its library is slow to load, and most commands find a database
  const boot = (alone: boolean) =>
    startMongod({ binary, dbPath: join(dataDir, 'mongodb'), port, key, alone, log, onLost });
  let mongod = await boot(false);
  const again = async (alone: boolean) => {
    await mongod.stop();
    mongod = await boot(alone);
  };
  try {
    if (!(await settle(port, key))) {
      log('the embedded database gets a smaller oplog, once: texts that are erased leave it within a day');
      await again(true);
      await asMember(port, key, dropOplog);
      await again(false);
      await settle(port, key);
    }
    return await publish(dataDir, mongod, addressFor(port, key), use);
  } catch (error) {
    await mongod.stop();
    throw error;
  }
}

/** Makes the database what the service finds. False where its oplog has to be made anew first. */
const settle = (port: number, key: MemberKey) =>
  asMember(port, key, async (client) => {
    await becomePrimary(client, port);
    if (await isOplogLarge(client)) {
      await storeOplog(client);
      return false;
    }
    await ensureUser(client, key);
    return true;
  });

async function publish(dataDir: string, mongod: Mongod, url: string, use: Use): Promise<Database> {
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
