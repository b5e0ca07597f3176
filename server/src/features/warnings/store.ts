import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { MatchState, WarningMatch } from './decide.rule.ts';
import type { WarningState } from './warning.rule.ts';

const { Mixed } = Schema.Types;
const text = { type: String, required: true } as const;
const texts = { type: [String], required: true } as const;

const Warnings = defineModel(
  'AuthorityWarning',
  new Schema<WarningState>(
    {
      _id: String,
      source: text,
      authority: { type: Mixed, required: true },
      externalId: String,
      names: texts,
      written: texts,
      victims: texts,
      victimNumbers: texts,
      victimDomains: texts,
      domains: texts,
      licenseNumbers: texts,
      leis: texts,
      publishedAt: String,
      publishedBy: String,
      withdrawnAt: String,
      url: text,
      category: String,
      credit: String,
      mentionsClone: { type: Boolean, required: true },
      seenAt: text,
      file: text,
    },
    STRICT,
  ).index({ source: 1 }),
  'authorityWarnings',
);

const Matches = defineModel(
  'WarningMatch',
  new Schema<WarningMatch>(
    {
      _id: String,
      warning: text,
      authority: text,
      broker: text,
      state: text,
      from: String,
      about: String,
      evidence: { type: Mixed, required: true },
      suggests: text,
      grounds: texts,
      doubts: texts,
      foundAt: { type: Date, required: true },
      decidedAt: Date,
      correctedAt: Date,
      announced: String,
      published: Mixed,
    } as never,
    STRICT,
  )
    .index({ warning: 1 })
    .index({ state: 1, foundAt: 1 }),
  'warningMatches',
);

/** The last reading of a list. */
export interface ListReading {
  readonly _id: string;
  readonly asOf: string;
  readonly sha256: string;
  readonly warnings: number;
  readonly readAt: Date;
  /** The run that wrote it. */
  readonly run?: string;
  /** The reading before it, which counts again if its run is undone. */
  readonly before?: ListReading | null;
}

const Lists = defineModel(
  'WarningList',
  new Schema<ListReading>(
    {
      _id: String,
      asOf: text,
      sha256: text,
      warnings: { type: Number, required: true },
      readAt: { type: Date, required: true },
      run: String,
      before: Mixed,
    },
    STRICT,
  ),
  'warningLists',
);

/** The brokers as they were when all warnings were last matched with them, and compared with each other. */
export interface MatchProgress {
  /** Digests of each broker's identifiers, by key; null if unknown. */
  readonly matched: Readonly<Record<string, string>> | null;
  /** Digest of all brokers. */
  readonly compared: string | null;
}

const Progresses = defineModel(
  'WarningProgress',
  new Schema<MatchProgress & { readonly _id: string }>({ _id: String, matched: Mixed, compared: String }, STRICT),
  'warningProgress',
);

const PROGRESS = 'brokers';

export const readProgress = async (db: Db): Promise<MatchProgress> =>
  (await Progresses(db).findById(PROGRESS).lean<MatchProgress>().exec()) ?? { matched: null, compared: null };

export const saveProgress = async (db: Db, progress: Partial<MatchProgress>): Promise<void> => {
  await Progresses(db).updateOne({ _id: PROGRESS }, { $set: progress }, { upsert: true });
};

/** Reads warnings byte for byte, by id. */
export const readWarnings = async (db: Db, ids: readonly string[], tx?: Tx): Promise<Map<string, WarningState>> => {
  const rows = await Warnings(db)
    .collection.find<WarningState>({ _id: { $in: ids as never[] } }, { ...(tx ? { session: tx } : {}) })
    .toArray();
  return new Map(rows.map((row) => [row._id, row]));
};

/** Replaces warnings. Null removes one. */
export const replaceWarnings = async (states: ReadonlyMap<string, WarningState | null>, tx: Tx): Promise<void> => {
  await Warnings(tx.db).collection.bulkWrite(
    [...states].map(([id, state]) =>
      state === null
        ? { deleteOne: { filter: { _id: id as never } } }
        : { replaceOne: { filter: { _id: id as never }, replacement: state as never, upsert: true } },
    ),
    { session: tx },
  );
};

/** Reads every warning of a list, or of all. */
export const findWarnings = (db: Db, source: string | undefined, tx?: Tx): Promise<WarningState[]> =>
  Warnings(db)
    .collection.find<WarningState>(source === undefined ? {} : { source }, { ...(tx ? { session: tx } : {}) })
    .sort({ _id: 1 })
    .toArray();

/** The fields by which a standing warning is found. */
export type NamedWarning = Pick<
  WarningState,
  '_id' | 'names' | 'victims' | 'domains' | 'licenseNumbers' | 'leis' | 'authority'
>;

/** Yields all warnings that are not withdrawn. Other work can run between batches. */
export const iterateStanding = (db: Db): AsyncIterable<NamedWarning> =>
  Warnings(db).collection.find<NamedWarning>(
    { withdrawnAt: null as never },
    {
      projection: { names: 1, victims: 1, domains: 1, licenseNumbers: 1, leis: 1, authority: 1 },
      batchSize: 200,
    },
  );

/** Reads the warnings among these that are not withdrawn. */
export const findStanding = (db: Db, ids: readonly string[]): Promise<WarningState[]> =>
  Warnings(db)
    .find({ _id: { $in: ids }, withdrawnAt: null })
    .maxTimeMS(500)
    .lean<WarningState[]>()
    .exec();

export interface WarningFilter {
  readonly source?: string | undefined;
  readonly authority?: string | undefined;
  readonly text?: string | undefined;
}

const escapePattern = (given: string): string => given.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Lists warnings, the last seen first. */
export const listWarnings = async (db: Db, { source, authority, text: given }: WarningFilter, limit: number) => {
  const part = given === undefined ? undefined : new RegExp(escapePattern(given), 'i');
  const filter = {
    ...(source === undefined ? {} : { source }),
    ...(authority === undefined ? {} : { 'authority.code': authority }),
    ...(part === undefined
      ? {}
      : {
          $or: [
            { names: part },
            { written: part },
            { victims: part },
            { domains: part },
            { leis: part },
            { licenseNumbers: part },
          ],
        }),
  };
  const rows = await Warnings(db).find(filter).sort({ seenAt: -1, _id: 1 }).limit(limit).lean<WarningState[]>().exec();
  return { rows, count: rows.length < limit ? rows.length : await Warnings(db).countDocuments(filter) };
};

export const findMatches = (db: Db, tx?: Tx): Promise<WarningMatch[]> =>
  Matches(db)
    .collection.find<WarningMatch>({}, { ...(tx ? { session: tx } : {}) })
    .toArray() as Promise<WarningMatch[]>;

export const findMatch = (id: string, tx: Tx): Promise<WarningMatch | null> =>
  Matches(tx.db).collection.findOne<WarningMatch>({ _id: id as never }, { session: tx });

export const findWarningMatches = (db: Db, warnings: readonly string[], tx?: Tx): Promise<WarningMatch[]> =>
  Matches(db)
    .collection.find<WarningMatch>({ warning: { $in: warnings } }, { ...(tx ? { session: tx } : {}) })
    .sort({ _id: 1 })
    .toArray() as Promise<WarningMatch[]>;

/** Lists matches in these states, the oldest first. */
export const findInStates = async (db: Db, states: readonly MatchState[], limit: number) => {
  const filter = { state: { $in: [...states] } };
  const rows = await Matches(db).find(filter).sort({ foundAt: 1, _id: 1 }).limit(limit).lean<WarningMatch[]>().exec();
  return { rows, count: rows.length < limit ? rows.length : await Matches(db).countDocuments(filter) };
};

export const saveMatch = async (match: WarningMatch, tx: Tx): Promise<void> => {
  await Matches(tx.db).collection.replaceOne({ _id: match._id as never }, match as never, {
    upsert: true,
    session: tx,
  });
};

export const findReading = (db: Db, source: string, tx?: Tx): Promise<ListReading | null> =>
  Lists(db)
    .findById(source)
    .session(tx ?? null)
    .lean<ListReading>()
    .exec();

export const saveReading = async (reading: ListReading, tx: Tx): Promise<void> => {
  const { before: _, ...before } = (await findReading(tx.db, reading._id, tx)) ?? {};
  await Lists(tx.db)
    .replaceOne({ _id: reading._id }, { ...reading, before }, { upsert: true })
    .session(tx);
};

/** Removes the reading that a run wrote, unless there is a later one. */
export const takeBackReading = async (run: string, tx: Tx): Promise<void> => {
  const reading = await Lists(tx.db).findOne({ run }).session(tx).lean<ListReading>().exec();
  if (!reading) return;
  if (reading.before?._id === undefined) await Lists(tx.db).deleteOne({ run }).session(tx);
  else await Lists(tx.db).replaceOne({ run }, reading.before).session(tx);
};

export const listReadings = (db: Db): Promise<ListReading[]> =>
  Lists(db).find({}).sort({ _id: 1 }).lean<ListReading[]>().exec();

/** Counts the matches that wait for a person, by state, with the age of the oldest. */
export const countOpen = async (
  db: Db,
): Promise<{ readonly state: MatchState; readonly count: number; readonly since: Date }[]> =>
  Matches(db)
    .aggregate<{ state: MatchState; count: number; since: Date }>([
      { $match: { state: { $in: ['waiting', 'unchecked'] } } },
      { $group: { _id: '$state', count: { $sum: 1 }, since: { $min: '$foundAt' } } },
      { $project: { _id: 0, state: '$_id', count: 1, since: 1 } },
    ])
    .option({ maxTimeMS: 500 });

/** Counts all matches by state. */
export const countMatches = async (db: Db): Promise<Readonly<Partial<Record<MatchState, number>>>> => {
  const rows = await Matches(db)
    .aggregate<{ _id: MatchState; count: number }>([{ $group: { _id: '$state', count: { $sum: 1 } } }])
    .option({ maxTimeMS: 1000 })
    .exec();
  return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
};
