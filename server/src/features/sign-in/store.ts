import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { ENDED_KEPT_SECONDS } from './policy.rule.ts';

/** How a person signed in: at the identity provider, or by a link in a mail. */
export type SignInMethod = 'provider' | 'link';

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

export const findSessionsOf = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Sessions(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<Session[]>()
    .exec();

export const deleteSessions = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (
    await Sessions(tx.db)
      .deleteMany({ _id: { $in: ids } })
      .session(tx)
  ).deletedCount;
