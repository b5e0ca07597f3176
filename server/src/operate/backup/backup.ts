import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { hashFile } from '@broker-transparency/embedded-mongo/file-digest';
import mongoose, { type ClientSession } from 'mongoose';
import { type Context, fixedAt, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, database, snapshot } from '../../platform/mongo.ts';
import { readMigrationStatus } from '../migrations/run.ts';
import { type CollectionEntry, MANIFEST, type Manifest, toCollectionPaths } from './manifest.ts';
import { OUTSIDE } from './outside.ts';

const { EJSON } = mongoose.mongo.BSON;
const CHUNK = 1 << 20;
/** Prefix of collections that a restore is filling. */
export const RESTORING = 'restoring.';

type BackupProgressHandler = (done: number, of: number) => void;

/** Writes chunks to a new file and syncs it to disk. Returns the size and SHA-256. */
const writeFile = async (file: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
};

/** Yields a collection's documents as stored BSON, in chunks of about a megabyte. */
const readChunks = async function* (db: Db, name: string, session: ClientSession, onDocument: () => void) {
  let parts: Uint8Array[] = [];
  let size = 0;
  const cursor = database(db).collection(name).find({}, { session, raw: true });
  for await (const document of cursor as AsyncIterable<unknown> as AsyncIterable<Uint8Array>) {
    parts.push(document);
    size += document.length;
    onDocument();
    if (size < CHUNK) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  yield Buffer.concat(parts);
};

/** Returns indexes and options in the format of mongodump. */
const readMetadata = async (db: Db, name: string): Promise<Uint8Array> => {
  const [info] = await database(db).listCollections({ name }, { nameOnly: false }).toArray();
  const metadata = {
    indexes: await database(db).collection(name).indexes(),
    uuid: randomUUID().replaceAll('-', ''),
    collectionName: name,
    type: 'collection',
    options: info?.options ?? {},
  };
  return Buffer.from(EJSON.stringify(metadata, { relaxed: false }));
};

export const listCollectionNames = async (db: Db): Promise<string[]> => {
  const found = await database(db).listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.') && !name.startsWith(RESTORING))
    .sort();
};

/** Dumps every collection as of one moment, during other writes. */
const dumpCollections = (
  db: Db,
  dir: string,
  names: readonly string[],
  of: number,
  onProgress: BackupProgressHandler,
) =>
  snapshot(db, async (session) => {
    const entries: CollectionEntry[] = [];
    let done = 0;
    for (const name of names) {
      const files = toCollectionPaths(dir, database(db).databaseName, name);
      let documents = 0;
      const { bytes, sha256 } = await writeFile(
        files.documents,
        readChunks(db, name, session, () => {
          documents += 1;
          done += 1;
          if (done % 1000 === 0) onProgress(done, of);
        }),
      );
      const metadata = await writeFile(files.metadata, [await readMetadata(db, name)]);
      entries.push({ name, documents, bytes, sha256, metadataSha256: metadata.sha256 });
    }
    return entries;
  });

const SNAPSHOT_TOO_OLD = 239;
const SNAPSHOT_UNAVAILABLE = 246;

const explainError = (error: unknown): unknown => {
  const code = error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
  if (code === SNAPSHOT_TOO_OLD)
    return new DomainError(
      'failed',
      'The backup took longer than the database keeps its history: ' +
        'raise minSnapshotHistoryWindowInSeconds (see docs/operating/backup.md).',
    );
  if (code === SNAPSHOT_UNAVAILABLE)
    return new DomainError('failed', 'Collections or indexes were changed during the backup. Run it again.');
  return error;
};

const prepareTarget = async (dir: string): Promise<string> => {
  const target = resolve(dir);
  const taken = await access(target).then(
    () => true,
    () => false,
  );
  if (taken) throw new DomainError('state_conflict', `"${dir}" exists already: name a directory that does not.`);
  await mkdir(dirname(target), { recursive: true });
  return target;
};

/** Returns the files below a folder of the backup, with their digests. */
const listFiles = async (dir: string, folder: string): Promise<Manifest['outside']> => {
  const found = await readdir(join(dir, folder), { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => relative(dir, join(one.parentPath, one.name)));
  const files: { path: string; sha256: string }[] = [];
  for (const path of paths.sort()) files.push({ path, sha256: await hashFile(join(dir, path)) });
  return files;
};

/** Syncs a directory, so that a rename in it survives a power cut. */
const syncDirectory = async (dir: string): Promise<void> => {
  const handle = await open(dir, 'r');
  await handle.sync().finally(() => handle.close());
};

/**
 * Writes every collection, as of one moment, to a new directory. The directory gets its name only when it is complete.
 * @param copyOutside copies the files outside the database into a directory
 * @throws DomainError if the directory exists, cannot be written, or a collection cannot be backed up
 */
export const makeBackup = async (
  context: Context,
  dir: string,
  service: string,
  copyOutside: (dir: string) => Promise<void>,
  onProgress: BackupProgressHandler,
): Promise<Manifest> => {
  const target = await prepareTarget(dir);
  const partial = await mkdtemp(`${target}.partial-`);
  try {
    const now = context.clock();
    const { version: databaseVersion } = await readMigrationStatus(context.db);
    const { databaseName } = database(context.db);
    await mkdir(join(partial, databaseName), { mode: 0o700 });
    const names = await listCollectionNames(context.db);
    const counts = await Promise.all(
      names.map((name) => database(context.db).collection(name).estimatedDocumentCount()),
    );
    const of = counts.reduce((a, b) => a + b, 0);
    const collections = await dumpCollections(context.db, partial, names, of, onProgress);
    await copyOutside(partial);
    const manifest: Manifest = {
      format: 1,
      service,
      databaseVersion,
      database: databaseName,
      createdAt: now.toISOString(),
      collections,
      outside: await listFiles(partial, OUTSIDE),
    };
    await writeFile(join(partial, MANIFEST), [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
    await rename(partial, target);
    await syncDirectory(dirname(target));
    const after = { documents: collections.reduce((sum, { documents }) => sum + documents, 0) };
    await inTransaction(fixedAt(context, now), async ({ audit }) =>
      audit('backup.made', { kind: 'database', id: databaseName }, { before: null, after, reason: 'operator_command' }),
    );
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw explainError(error);
  }
};
