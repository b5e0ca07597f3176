import { Schema } from 'mongoose';
import type { BATCHED_READ } from '../../platform/batch-loader.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Actor } from '../audit/store.ts';
import type { Identity, NameRow } from './identity.rule.ts';
import type { Statement } from './statement.rule.ts';

/** Kinds of subjects that sources make statements about. */
export type FactKind = 'broker' | 'regulator' | 'warning';

/** Reason of a change of facts. */
export type Cause = 'start' | 'fact' | 'check' | 'correction' | 'identity' | 'undo' | 'erasure' | 'methodology';

/** A change of facts: the version of the subject, the time, the cause and the run. */
export interface VersionChange {
  readonly version: number;
  readonly at: Date;
  readonly cause: Cause;
  readonly run: string | null;
}

/** A subject of facts. It stays when its facts are removed, so that its id is never reused. */
export interface StoredSubject {
  /** Kind and id, such as `regulator:fca`. */
  readonly _id: string;
  readonly kind: FactKind;
  /** Its first slug or code. References use this name, which never changes. */
  readonly name: string;
  /** Absent until the identity changes. */
  readonly identity?: Identity;
  /** Number of statements and withdrawals so far. Each write raises it, so that two simultaneous writes conflict. */
  readonly version: number;
  /** The change that made the published facts; null if nothing is published. */
  readonly facts: VersionChange | null;
}

/**
 * A slug that a subject got later. It shares a collection with the subjects' names, so no other subject can have it.
 */
interface GivenSlug {
  readonly _id: string;
  readonly kind: FactKind;
  readonly name: string;
  /** Name of the subject. */
  readonly subjectName: string;
}

/** A stored statement. It never changes, except that it can be withdrawn. */
export interface StoredStatement extends Statement {
  readonly _id: string;
  readonly subject: string;
  /** Time since which the claim holds in the world, if the source states it. */
  readonly validFrom: string | null;
  readonly credit: string | null;
  readonly recordedAt: Date;
  readonly actor: Actor;
  readonly cause: Cause;
  readonly run: string | null;
  /** The batch of the run that wrote it. */
  readonly batch: number | null;
  /** True if it is not withdrawn, and its source has not restated all of it. */
  readonly stands: boolean;
  readonly withdrawn: { readonly at: Date; readonly actor: Actor } | null;
}

/** Formerly published facts, and the changes that made and ended them. */
export interface FormerFacts {
  readonly _id: string;
  readonly subject: string;
  readonly state: object;
  readonly since: VersionChange | null;
  readonly until: VersionChange;
}

const { Mixed } = Schema.Types;
const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const Subjects = defineModel(
  'Subject',
  new Schema<StoredSubject & Partial<GivenSlug>>(
    { _id: String, kind: text, name: text, version: Number, facts: Mixed, identity: Mixed, subjectName: String },
    STRICT,
  ).index({ kind: 1, name: 1 }, { unique: true }),
  'subjects',
);

const Statements = defineModel(
  'Statement',
  new Schema<StoredStatement>(
    {
      _id: String,
      subject: text,
      version: number,
      source: { type: Mixed, required: true },
      said: { type: Mixed, required: true },
      asOf: text,
      url: String,
      validFrom: String,
      credit: String,
      recordedAt: { type: Date, required: true },
      actor: { type: Mixed, required: true },
      cause: text,
      run: String,
      batch: Number,
      stands: { type: Boolean, required: true },
      withdrawn: Mixed,
    },
    STRICT,
  )
    .index({ subject: 1, stands: 1 })
    .index({ run: 1, batch: 1 }, { partialFilterExpression: { run: { $type: 'string' } } }),
  'statements',
);

const FactVersions = defineModel(
  'FactVersion',
  new Schema<FormerFacts>(
    {
      _id: String,
      subject: text,
      state: { type: Mixed, required: true },
      since: Mixed,
      until: { type: Mixed, required: true },
    },
    STRICT,
  ).index({ subject: 1 }),
  'factVersions',
);

/** Returns the subjects of these names. */
export const findSubjects = async (
  kind: FactKind,
  names: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, StoredSubject>> => {
  const rows = await Subjects(tx.db)
    .collection.find<StoredSubject>({ kind, name: { $in: names }, subjectName: { $exists: false } }, { session: tx })
    .toArray();
  return new Map(rows.map((row) => [row.name, row]));
};

/** Returns the rows of these names and slugs, without unknown ones. */
export const findNames = (
  db: Db,
  kind: FactKind,
  names: readonly string[],
  options: { readonly session: Tx } | typeof BATCHED_READ,
): Promise<NameRow[]> =>
  Subjects(db)
    .collection.find<NameRow>(
      { kind, name: { $in: names } },
      { projection: { _id: 0, name: 1, identity: 1, subjectName: 1 }, ...options },
    )
    .toArray();

/** Gives a slug to a subject, for ever. @throws a duplicate-key error if any subject has it already */
export const giveSlug = async (kind: FactKind, slug: string, name: string, tx: Tx): Promise<void> => {
  const row: GivenSlug = { _id: `${kind} slug:${slug}`, kind, name: slug, subjectName: name };
  await Subjects(tx.db).collection.insertOne(row as never, { session: tx });
};

/** Returns the names of subjects, by id. */
export const findSubjectNames = async (ids: readonly string[], tx: Tx): Promise<ReadonlyMap<string, string>> => {
  const rows = await Subjects(tx.db)
    .collection.find<StoredSubject>({ _id: { $in: ids as never[] } }, { session: tx, projection: { name: 1 } })
    .toArray();
  return new Map(rows.map(({ _id, name }) => [_id, name]));
};

const groupBySubject = (rows: readonly StoredStatement[]) => Map.groupBy(rows, ({ subject }) => subject);

/** Returns the statements about these subjects of which something still counts. */
export const findStanding = async (
  ids: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, readonly StoredStatement[]>> =>
  groupBySubject(
    await Statements(tx.db)
      .collection.find<StoredStatement>({ subject: { $in: ids }, stands: true }, { session: tx })
      .toArray(),
  );

/** Returns every statement about these subjects that is not withdrawn. */
export const findRecorded = async (
  ids: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, readonly StoredStatement[]>> =>
  groupBySubject(
    await Statements(tx.db)
      .collection.find<StoredStatement>({ subject: { $in: ids }, withdrawn: null }, { session: tx })
      .toArray(),
  );

/** Returns the statements that a run made in one of its batches and that are not withdrawn. */
export const findRunStatements = (run: string, batch: number, tx: Tx): Promise<StoredStatement[]> =>
  Statements(tx.db).collection.find<StoredStatement>({ run, batch, withdrawn: null }, { session: tx }).toArray();

/** Returns every statement about a subject, oldest first. */
export const listStatements = (db: Db, id: string): Promise<StoredStatement[]> =>
  Statements(db).collection.find<StoredStatement>({ subject: id }).sort({ version: 1 }).toArray();

/** Returns the former facts of a subject, oldest first. */
export const listVersions = (db: Db, id: string): Promise<FormerFacts[]> =>
  FactVersions(db).collection.find<FormerFacts>({ subject: id }).sort({ 'until.version': 1 }).toArray();

/** Writes of one transaction about subjects. */
export interface SubjectWrites {
  readonly subjects: readonly { readonly subject: StoredSubject; readonly isNew: boolean }[];
  readonly statements: readonly StoredStatement[];
  /** Ids of statements whose `stands` changes. */
  readonly raised: readonly string[];
  readonly replaced: readonly string[];
  readonly former: readonly FormerFacts[];
}

/** Writes new versions of subjects. Two transactions that write one subject conflict; one of them runs again. */
export const saveSubjects = async (
  { subjects, statements, raised, replaced, former }: SubjectWrites,
  tx: Tx,
): Promise<void> => {
  const fresh = subjects.filter(({ isNew }) => isNew).map(({ subject }) => subject);
  const moved = subjects.filter(({ isNew }) => !isNew).map(({ subject }) => subject);
  if (fresh.length > 0) await Subjects(tx.db).collection.insertMany(fresh as never[], { session: tx });
  if (moved.length > 0)
    await Subjects(tx.db).collection.bulkWrite(
      moved.map((subject) => ({
        replaceOne: { filter: { _id: subject._id as never }, replacement: subject as never },
      })),
      { session: tx },
    );
  if (statements.length > 0) await Statements(tx.db).collection.insertMany(statements as never[], { session: tx });
  if (replaced.length > 0)
    await Statements(tx.db)
      .updateMany({ _id: { $in: replaced } }, { $set: { stands: false } })
      .session(tx);
  if (raised.length > 0)
    await Statements(tx.db)
      .updateMany({ _id: { $in: raised } }, { $set: { stands: true } })
      .session(tx);
  if (former.length > 0) await FactVersions(tx.db).collection.insertMany(former as never[], { session: tx });
};

/** Marks statements as withdrawn. */
export const withdrawStatements = async (
  ids: readonly string[],
  withdrawn: NonNullable<StoredStatement['withdrawn']>,
  tx: Tx,
): Promise<void> => {
  await Statements(tx.db)
    .updateMany({ _id: { $in: ids } }, { $set: { withdrawn, stands: false } })
    .session(tx);
};
