import { randomBytes } from 'node:crypto';
import { Schema } from 'mongoose';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, database, defineModel } from '../../platform/mongo.ts';
import { listServers } from '../../platform/presence.ts';
import { STRICT } from '../../platform/schema.ts';
import { listCollectionNames } from '../backup/backup.ts';
import { floorToUtcDay, subtractDays } from './calendar.ts';

/** Days of a demo's history up to the day on which it is made: 18 months. */
export const HISTORY_DAYS = 548;

/** Marks a database as a demo: everything in it is fictional, and its entries carry past times. */
export interface DemoMark {
  readonly _id: 'demo';
  readonly says: string;
  /** Makes the name of its log unique. */
  readonly id: string;
  /** The first moment of its history. */
  readonly beganAt: Date;
  readonly isFilled: boolean;
  /** The verifier key of its log, once it has one. */
  readonly verifierKey?: string;
}

const Marks = defineModel(
  'DemoMark',
  new Schema<DemoMark>(
    {
      _id: String,
      says: { type: String, required: true },
      id: { type: String, required: true },
      beganAt: { type: Date, required: true },
      isFilled: { type: Boolean, required: true },
      verifierKey: String,
    },
    STRICT,
  ),
  'demoMarks',
);

const MARK = { _id: 'demo' } as const;

/** Returns the mark of a demo; undefined if the database is not a demo. */
export const readMark = async (db: Db): Promise<DemoMark | undefined> =>
  (await Marks(db).findOne(MARK).lean<DemoMark>().exec()) ?? undefined;

const toTakenOverError = (): DomainError =>
  new DomainError('state_conflict', 'Another process makes this demo anew: end one of both, and start again.');

/** Changes the mark of a demo. @throws DomainError state_conflict if another process makes the demo anew */
export const changeMark = async (
  db: Db,
  { id }: DemoMark,
  set: Pick<Partial<DemoMark>, 'isFilled' | 'verifierKey'>,
): Promise<void> => {
  const { matchedCount } = await Marks(db).updateOne({ ...MARK, id }, { $set: set });
  if (matchedCount === 0) throw toTakenOverError();
};

/** @throws DomainError state_conflict if another process makes this demo anew */
export const requireSameDemo = async (db: Db, { id }: DemoMark): Promise<void> => {
  if ((await readMark(db))?.id !== id) throw toTakenOverError();
};

/** @throws DomainError state_conflict if the history of a demo is still being written */
export const requireFilled = async (db: Db): Promise<void> => {
  if ((await readMark(db))?.isFilled === false)
    throw new DomainError(
      'state_conflict',
      'The history of this demo is being written: wait until it prints its tokens.',
    );
};

/** Returns true if a database has documents, apart from the list of its migrations. */
const hasDocuments = async (db: Db): Promise<boolean> => {
  for (const name of await listCollectionNames(db)) {
    const found = await database(db)
      .collection(name)
      .findOne({}, { projection: { _id: 1 } });
    if (name !== 'migrations' && found) return true;
  }
  return false;
};

/**
 * Empties the database of a demo that was stopped while its history was being written, so that it begins anew.
 * @throws DomainError state_conflict if a process may still be writing it
 */
export const clearUnfinished = async (db: Db): Promise<void> => {
  if ((await readMark(db))?.isFilled !== false) return;
  const [writer] = await listServers(db);
  if (writer)
    throw new DomainError(
      'state_conflict',
      `Process ${writer.pid} on ${writer.host} writes the history of this demo: wait until it prints its tokens. ` +
        'If it was killed, start again in 20 seconds.',
    );
  const others = (await listCollectionNames(db)).filter((name) => name !== 'demoMarks');
  for (const name of [...others, 'demoMarks']) await database(db).collection(name).deleteMany({}); // the mark goes last
};

/**
 * Returns the mark of the service's database, if it is a demo. A starting demo marks an empty database.
 * @throws DomainError state_conflict if only one of service and database is a demo, or another process marks it too
 */
export const requireMark = async (db: Db, demo: boolean, clock: Clock): Promise<DemoMark | undefined> => {
  const mark = await readMark(db);
  if (mark && !demo)
    throw new DomainError(
      'state_conflict',
      'This database is a demo: everything in it is fictional, and its entries carry past times. ' +
        'Start with --demo, or on another DATA_DIR or MONGODB_URL.',
    );
  if (mark || !demo) return mark;
  if (await hasDocuments(db))
    throw new DomainError(
      'state_conflict',
      '--demo is refused: this database is not empty, and not marked as a demo. ' +
        'Start without --demo, or on another DATA_DIR or MONGODB_URL.',
    );
  const made: DemoMark = {
    ...MARK,
    says: 'Everything in this database is fictional.',
    id: randomBytes(6).toString('hex'),
    beganAt: subtractDays(floorToUtcDay(clock()), HISTORY_DAYS),
    isFilled: false,
  };
  await Marks(db).updateOne(MARK, { $setOnInsert: made }, { upsert: true });
  await requireSameDemo(db, made);
  return made;
};
