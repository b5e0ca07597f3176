import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { ENDED_KEPT_SECONDS } from './policy.rule.ts';

/** How a person signed in: at the identity provider, or by a link in a mail. */
type SignInMethod = 'provider' | 'link';

/** A session of a browser. */
export interface Session {
  /** SHA-256 of the secret in the cookie. */
  readonly _id: string;
  readonly accountId: string;
  readonly method: SignInMethod;
  /** An address of mail, or the name at the identity provider. */
  readonly label: string;
  /** Address of mail that is known to be of the person. */
  readonly verifiedEmail?: string;
  /** Language from the identity provider. */
  readonly locale?: string;
  /** When the person last proved who they are; absent if the provider does not say. */
  readonly provenAt?: Date;
  readonly createdAt: Date;
  /** When it was used, within some minutes. */
  readonly usedAt: Date;
  /** When it ends unless it is used before. */
  readonly expiresAt: Date;
  /** When it ends at the latest. */
  readonly endsAt: Date;
}

const Sessions = defineModel(
  'Session',
  new Schema<Session>(
    {
      _id: String,
      accountId: { type: String, required: true },
      method: { type: String, enum: ['provider', 'link'], required: true },
      label: { type: String, required: true },
      verifiedEmail: String,
      locale: String,
      provenAt: Date,
      createdAt: { type: Date, required: true },
      usedAt: { type: Date, required: true },
      expiresAt: { type: Date, required: true },
      endsAt: { type: Date, required: true },
    },
    STRICT,
  )
    .index({ accountId: 1 })
    .index({ expiresAt: 1 }, { expireAfterSeconds: ENDED_KEPT_SECONDS }),
  'sessions',
);

/** A browser that wants to sign in by a link in a mail. */
export interface SignInRequest {
  /** SHA-256 of the secret in the cookie of the browser. */
  readonly _id: string;
  readonly email: string;
  /** SHA-256 of the secret in the link. */
  readonly linkHash: string;
  /** Hash of the code and of the secret of the browser. */
  readonly codeHash: string;
  /** How often a wrong code was typed. */
  readonly wrong: number;
  /** Path to which the person goes then. */
  readonly to?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const Requests = defineModel(
  'SignInRequest',
  new Schema<SignInRequest>(
    {
      _id: String,
      email: { type: String, required: true },
      linkHash: { type: String, required: true },
      codeHash: { type: String, required: true },
      wrong: { type: Number, required: true },
      to: String,
      createdAt: { type: Date, required: true },
      expiresAt: { type: Date, required: true },
    },
    STRICT,
  )
    .index({ linkHash: 1 }, { unique: true })
    .index({ email: 1 })
    .index({ expiresAt: 1 }, { expireAfterSeconds: ENDED_KEPT_SECONDS }),
  'signInRequests',
);

export const insertRequest = async (request: SignInRequest, tx: Tx): Promise<void> => {
  await Requests(tx.db).create([request], { session: tx });
};

export const findRequest = (db: Db, id: string) => Requests(db).findById(id).lean<SignInRequest>().exec();

/** Returns the request of a link; null if it is unknown, or a wrong code was typed as often as `most`. */
export const findRequestByLink = (db: Db, linkHash: string, most: number) =>
  Requests(db)
    .findOne({ linkHash, wrong: { $lt: most } })
    .lean<SignInRequest>()
    .exec();

/** Counts a wrong code, unless there were too many. Returns the request as it was; null if no try is left. */
export const countTry = (db: Db, id: string, most: number, now: Date) =>
  Requests(db)
    .findOneAndUpdate({ _id: id, wrong: { $lt: most }, expiresAt: { $gt: now } }, { $inc: { wrong: 1 } })
    .lean<SignInRequest>()
    .exec();

/** Uses a request up. Returns null if it was used before, or is over. */
export const takeRequest = (id: string, now: Date, tx: Tx) =>
  Requests(tx.db)
    .findOneAndDelete({ _id: id, expiresAt: { $gt: now } })
    .session(tx)
    .lean<SignInRequest>()
    .exec();

/**
 * Finds the requests to these addresses, however large their letters were typed. There are those of an hour at most.
 */
export const findRequestsTo = (emails: readonly string[], tx: Tx) =>
  Requests(tx.db)
    .find({ email: { $in: emails } })
    .collation({ locale: 'en', strength: 2 })
    .sort({ _id: 1 })
    .session(tx)
    .lean<SignInRequest[]>()
    .exec();

export const deleteRequests = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (
    await Requests(tx.db)
      .deleteMany({ _id: { $in: ids } })
      .session(tx)
  ).deletedCount;

/** Deletes the requests that are over. Returns their number. */
export const deleteOldRequests = async (now: Date, tx: Tx): Promise<number> =>
  (
    await Requests(tx.db)
      .deleteMany({ expiresAt: { $lte: now } })
      .session(tx)
  ).deletedCount;

export const insertSession = async (session: Session, tx: Tx): Promise<void> => {
  await Sessions(tx.db).create([session], { session: tx });
};

export const findSession = (db: Db, id: string) => Sessions(db).findById(id).lean<Session>().exec();

export const noteUse = async (db: Db, id: string, usedAt: Date, expiresAt: Date): Promise<void> => {
  await Sessions(db).updateOne({ _id: id }, { $set: { usedAt, expiresAt } });
};

export const deleteSession = async (db: Db, id: string): Promise<void> => {
  await Sessions(db).deleteOne({ _id: id });
};

export const findAccountSessions = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Sessions(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<Session[]>()
    .exec();

/** Lists the sessions of an account that have not ended, the one that was used last first. */
export const listSessions = (db: Db, accountId: string, now: Date) =>
  Sessions(db)
    .find({ accountId, expiresAt: { $gt: now } })
    .sort({ usedAt: -1, _id: 1 })
    .lean<Session[]>()
    .exec();

export const deleteSessions = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (
    await Sessions(tx.db)
      .deleteMany({ _id: { $in: ids } })
      .session(tx)
  ).deletedCount;

/** Deletes every session and every request. */
export const deleteAll = async (tx: Tx): Promise<void> => {
  await Sessions(tx.db).deleteMany({}).session(tx);
  await Requests(tx.db).deleteMany({}).session(tx);
};
