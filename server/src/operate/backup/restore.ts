import { readFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import pLimit from 'p-limit';
import { findCompleteUntil } from '../../features/people/actions.ts';
import { endAllSignIns } from '../../features/sign-in/sessions.ts';
import { endEverySessionDraft } from '../../features/writing/actions.ts';
import { hasOtherReason, listEntries } from '../../ledger/audit/store.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { readSignedAt } from '../../ledger/log/state.ts';
import { loadModels } from '../../modules.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, database, ensureModels } from '../../platform/mongo.ts';
import { listServers } from '../../platform/presence.ts';
import { MIGRATIONS } from '../migrations/table.ts';
import { SEED_REASON } from '../seed.ts';
import { listCollectionNames, RESTORING } from './backup.ts';
import { readDocuments, readExactly } from './documents.ts';
import { type CollectionEntry, type Manifest, toCollectionPaths, verifyBackup } from './manifest.ts';

const { EJSON } = mongoose.mongo.BSON;
const BATCH = 1000;
const BATCH_BYTES = 8 << 20;
/** Number of collections filled at a time. Small collections mostly wait for the disk of the database. */
const AT_ONCE = 4;

interface CollectionMetadata {
  readonly indexes: readonly { readonly name: string }[];
  readonly options: object;
}

/** Inserts the documents of a file in batches. Returns their number. */
const insertFrom = async (db: Db, file: string, name: string, onProgress: (count: number) => void): Promise<number> => {
  const collection = database(db).collection(name);
  let batch: object[] = [];
  let bytes = 0;
  let count = 0;
  const flush = async () => {
    if (batch.length > 0) await collection.insertMany(batch, { forceServerObjectId: true });
    count += batch.length;
    onProgress(batch.length);
    batch = [];
    bytes = 0;
  };
  for await (const document of readDocuments(file)) {
    batch.push(readExactly(document));
    bytes += document.length;
    if (batch.length === BATCH || bytes > BATCH_BYTES) await flush();
  }
  await flush();
  return count;
};

/**
 * Fills a new collection beside the one to be replaced. Indexes come last, because a TTL index would delete old
 * documents before they are counted.
 */
const fillCollection = async (
  db: Db,
  dir: string,
  from: Manifest,
  entry: CollectionEntry,
  onProgress: (count: number) => void,
) => {
  const files = toCollectionPaths(dir, from.database, entry.name);
  const name = `${RESTORING}${entry.name}`;
  const { indexes, options } = EJSON.parse(await readFile(files.metadata, 'utf8')) as CollectionMetadata;
  await database(db).createCollection(name, options);
  await insertFrom(db, files.documents, name, onProgress);
  const count = await database(db).collection(name).countDocuments({});
  if (count !== entry.documents)
    throw new DomainError(
      'invalid_input',
      `${entry.name} has ${count} documents after the restore, not ${entry.documents}.`,
    );
  const own = indexes.filter((index) => index.name !== '_id_');
  if (own.length > 0) await database(db).command({ createIndexes: name, indexes: own });
};

const isEmpty = async (db: Db, name: string): Promise<boolean> =>
  (await database(db)
    .collection(name)
    .findOne({}, { projection: { _id: 1 } })) === null;

const dropLeftovers = async (db: Db): Promise<void> => {
  const found = await database(db).listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  for (const { name } of found) if (name.startsWith(RESTORING)) await database(db).dropCollection(name);
};

/** Moves the filled collections into place, and drops collections that the backup lacks. */
const swapCollections = async (db: Db, names: readonly string[]): Promise<void> => {
  for (const name of await listCollectionNames(db)) if (!names.includes(name)) await database(db).dropCollection(name);
  for (const name of names) await database(db).renameCollection(`${RESTORING}${name}`, name, { dropTarget: true });
  await loadModels();
  await ensureModels(db);
};

/** @throws DomainError if a newer release made the backup */
const requireKnownVersion = ({ databaseVersion, service }: Manifest): void => {
  const latest = MIGRATIONS.length;
  if (databaseVersion > latest)
    throw new DomainError(
      'invalid_input',
      `The backup is of database version ${databaseVersion}, and this release knows no more than ${latest}: ` +
        `restore it with release ${service}, or a newer one.`,
    );
};

/**
 * Collections with documents in a database that was only started or viewed: the reference data with its records, and
 * the state of jobs.
 */
const SEEDED: ReadonlySet<string> = new Set([
  'audit',
  'jobs',
  'logHeads',
  'logTiles',
  'migrations',
  'recordEntries',
  'recordHeads',
  'recordSubtotals',
  'recordTexts',
  'regulators',
  'servers',
  'statements',
  'subjects',
]);

/**
 * Returns a collection with documents that are not from the seed, or undefined. A signed log counts as such a
 * collection.
 */
const findFilled = async (db: Db): Promise<string | undefined> => {
  for (const name of await listCollectionNames(db)) if (!SEEDED.has(name) && !(await isEmpty(db, name))) return name;
  if (await hasOtherReason(db, SEED_REASON)) return 'audit';
  return (await readSignedAt(db)) === null ? undefined : 'logHeads';
};

/** @throws DomainError if the database has documents, and nobody agreed to replace them */
const requireReplaceable = async (db: Db, replaces: boolean): Promise<void> => {
  if (replaces) return;
  const filled = await findFilled(db);
  if (filled !== undefined)
    throw new DomainError(
      'state_conflict',
      `The database "${database(db).databaseName}" is not empty (${filled}). ` +
        'To see what would be replaced, add --drop --dry-run. To replace all that is in it, add --drop.',
    );
};

/** @throws DomainError if a process runs on a database that is to be replaced */
const requireNoServer = async (db: Db): Promise<void> => {
  const [first, ...others] = await listServers(db);
  if (!first) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new DomainError(
    'state_conflict',
    `Process ${first.pid} on ${first.host}${more} runs on the database "${database(db).databaseName}". Stop every server first ` +
      '(one that was killed counts for 20 seconds), or add --beside-servers. Nothing was changed.',
  );
};

/** The scope of a restore. */
export interface ReplaceScope {
  /** True to replace everything in the database. */
  readonly everything: boolean;
  /** True to restore even while servers run on it. */
  readonly besideServers: boolean;
}

/** The effects of a restore. */
export interface RestorePlan {
  readonly manifest: Manifest;
  readonly database: string;
  /** Number of documents that would be replaced. */
  readonly documents: number;
}

/**
 * Checks a backup and the database as `restoreBackup` does, and writes nothing.
 * @throws DomainError if the backup or the database is unfit
 */
export const planRestore = async (db: Db, dir: string, replaces: boolean): Promise<RestorePlan> => {
  const manifest = await verifyBackup(dir);
  requireKnownVersion(manifest);
  await requireReplaceable(db, replaces);
  const names = await listCollectionNames(db);
  const counts = await Promise.all(names.map((name) => database(db).collection(name).estimatedDocumentCount()));
  return { manifest, database: database(db).databaseName, documents: counts.reduce((a, b) => a + b, 0) };
};

/** The role of a database user that may drop and rename collections. */
const MIGRATE_ROLE = 'brokerRatingMigrate';

const UNAUTHORIZED = 13;

/** Rethrows the database's refusal of a restore with the name of the missing role. */
const rethrowWithRole = (error: unknown): never => {
  if (error instanceof mongoose.mongo.MongoServerError && error.code === UNAUTHORIZED)
    throw new DomainError(
      'state_conflict',
      `The user of MONGODB_URL may not replace collections. Use one with the role ${MIGRATE_ROLE}: ` +
        'see docs/operating/hardening.md#mongodb.',
      { cause: error },
    );
  throw error;
};

/** The evidence of erasures after a backup was made. */
export interface ErasureEvidence {
  /** Paths of the lists of erasures. */
  readonly lists: readonly string[];
  /** True if an operator accepts that erasures may be missing. */
  readonly isLossAccepted: boolean;
}

/** Returns true if the database to be replaced is the one of the backup, and was in use after it. */
const hasContinued = async ({ db }: Context, madeAt: Date): Promise<boolean> =>
  (await listEntries(db, { action: 'backup.made', since: madeAt }, MOST_BACKUPS)).some(
    ({ at }) => at.getTime() === madeAt.getTime(),
  );

/** Maximum entries of the audit trail that are searched for a backup. */
const MOST_BACKUPS = 10_000;

/** @throws DomainError state_conflict if there is no evidence of erasures after the backup was made */
const requireErasures = async (
  context: Context,
  { createdAt }: Manifest,
  { lists, isLossAccepted }: ErasureEvidence,
): Promise<void> => {
  const madeAt = new Date(createdAt);
  const known = await findCompleteUntil(lists);
  if (isLossAccepted || (known !== undefined && known > madeAt) || (await hasContinued(context, madeAt))) return;
  throw new DomainError(
    'state_conflict',
    `Erasures since ${createdAt} may be missing, and would be undone: no list is newer than the backup ` +
      `(${lists.join(', ')}). Add --erasures FILE with a list that another machine kept, or --accept-lost-erasures.`,
  );
};

/**
 * Restores a backup into an empty database or in place of everything in it. Every file is
 * verified first. The current data stays until all documents are in the database and counted. No server may run on the
 * database meanwhile. Sessions are not restored: people may have signed out since.
 * @throws DomainError if the backup or the database is unfit
 */
export const restoreBackup = async (
  context: Context,
  dir: string,
  { everything: replaces, besideServers }: ReplaceScope,
  evidence: ErasureEvidence,
  onProgress: (done: number, of: number) => void,
): Promise<Manifest> => {
  const manifest = await verifyBackup(dir);
  requireKnownVersion(manifest);
  await requireReplaceable(context.db, replaces);
  if (replaces && !besideServers) await requireNoServer(context.db);
  await requireErasures(context, manifest, evidence);
  await dropLeftovers(context.db).catch(rethrowWithRole);
  const of = manifest.collections.reduce((sum, { documents }) => sum + documents, 0);
  let done = 0;
  const inTurn = pLimit({ concurrency: AT_ONCE, rejectOnClear: true });
  const onFilled = (count: number): void => {
    done += count;
    onProgress(done, of);
  };
  const fills = manifest.collections.map((entry) =>
    inTurn(() => fillCollection(context.db, dir, manifest, entry, onFilled)),
  );
  try {
    await Promise.all(fills);
  } catch (error) {
    inTurn.clearQueue();
    await Promise.allSettled(fills);
    await dropLeftovers(context.db).catch(() => {}); // the first error counts; the next restore removes the rest
    return rethrowWithRole(error);
  }
  await swapCollections(
    context.db,
    manifest.collections.map(({ name }) => name),
  ).catch(rethrowWithRole);
  await endAllSignIns(context);
  await endEverySessionDraft(context);
  const before = replaces ? { replaced: true } : null;
  const after = { documents: of, madeAt: manifest.createdAt };
  await inTransaction(context, async ({ audit, db }) =>
    audit(
      'backup.restored',
      { kind: 'database', id: database(db).databaseName },
      { before, after, reason: 'operator_command' },
    ),
  );
  return manifest;
};
