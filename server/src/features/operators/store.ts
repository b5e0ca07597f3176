import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { rethrowAsConflict } from '../../platform/mongo-errors.ts';
import { STRICT } from '../../platform/schema.ts';
import { ROLE_NAMES, type Role } from './policy.rule.ts';

/** A person who uses the command line. Never removed, because the audit trail names them. */
export interface OperatorDocument {
  /** The name, which nobody else ever gets. */
  readonly _id: string;
  readonly role: Role;
  /** Names that this person gave before operators had tokens. */
  readonly formerNames: readonly string[];
  readonly addedAt: Date;
  /** Time when one person alone last gave them access: added them, made them admin, or issued a token for them. */
  readonly aloneAt?: Date;
  readonly endedAt?: Date;
  /** Their subject at the identity provider, by which they sign in to the desk; removed when they end. */
  readonly subject?: string;
  /** Name of the person who alone gave them this subject, so that it may be that person's own. */
  readonly subjectSetBy?: string;
  /** Number of counts of admins that included this one. */
  readonly counted?: number;
}

export interface OperatorToken {
  /** SHA-256 of the token. */
  readonly _id: string;
  /** Identifies the token in listings and in `operator revoke`. */
  readonly id: string;
  readonly operator: string;
  /** Name of the person who has seen it besides its owner; absent if its owner made it. */
  readonly seenBy?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
}

/** A new token that is not stored yet. */
export interface PreparedToken {
  readonly hash: string;
  readonly id: string;
  readonly expiresAt: Date;
  readonly seenBy?: string;
}

/** Access that an admin gives to somebody. */
export type OperatorGrant =
  | {
      readonly kind: 'add';
      readonly role: Role;
      readonly formerNames: readonly string[];
      readonly token: PreparedToken;
    }
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'token'; readonly token: PreparedToken }
  | { readonly kind: 'sign-in'; readonly subject: string };

/** Access that one admin requested, and that another has to confirm. */
export interface GrantRequest {
  /** Name of the person who gets the access, with at most one open request. */
  readonly _id: string;
  readonly grant: OperatorGrant;
  readonly requestedBy: string;
  readonly requestedAt: Date;
}

const Operators = defineModel(
  'Operator',
  new Schema<OperatorDocument>(
    {
      _id: String,
      role: { type: String, enum: ROLE_NAMES, required: true },
      formerNames: { type: [String], required: true },
      addedAt: { type: Date, required: true },
      aloneAt: Date,
      endedAt: Date,
      subject: String,
      subjectSetBy: String,
      counted: Number,
    },
    STRICT,
  ).index({ subject: 1 }, { unique: true, sparse: true }),
  'operators',
);

const Tokens = defineModel(
  'OperatorToken',
  new Schema<OperatorToken>(
    {
      _id: String,
      id: { type: String, required: true },
      operator: { type: String, required: true },
      seenBy: String,
      createdAt: { type: Date, required: true },
      expiresAt: { type: Date, required: true },
      revokedAt: Date,
      lastUsedAt: Date,
    },
    STRICT,
  )
    .index({ id: 1 }, { unique: true })
    .index({ operator: 1 }),
  'operatorTokens',
);

const Requests = defineModel(
  'OperatorRequest',
  new Schema<GrantRequest>(
    {
      _id: String,
      grant: {
        _id: false,
        type: new Schema(
          {
            kind: { type: String, enum: ['add', 'role', 'token', 'sign-in'], required: true },
            role: { type: String, enum: ROLE_NAMES },
            formerNames: { type: [String], default: undefined },
            subject: String,
            token: {
              _id: false,
              type: new Schema(
                {
                  hash: { type: String, required: true },
                  id: { type: String, required: true },
                  expiresAt: { type: Date, required: true },
                  seenBy: String,
                },
                { ...STRICT, _id: false },
              ),
            },
          },
          { ...STRICT, _id: false },
        ),
        required: true,
      },
      requestedBy: { type: String, required: true },
      requestedAt: { type: Date, required: true },
    },
    STRICT,
  ),
  'operatorRequests',
);

export const listRequests = (db: Db) => Requests(db).find({}).sort({ _id: 1 }).lean<GrantRequest[]>().exec();

export const findRequest = (db: Db, name: string, tx: Tx) =>
  Requests(db).findById(name).session(tx).lean<GrantRequest>().exec();

export const insertRequest = async (request: GrantRequest, tx: Tx): Promise<void> => {
  await Requests(tx.db)
    .collection.insertOne(request as never, { session: tx })
    .catch(rethrowAsConflict);
};

export const removeRequest = async (name: string, tx: Tx): Promise<void> => {
  await Requests(tx.db).deleteOne({ _id: name }).session(tx);
};

export const listOperators = (db: Db, tx?: Tx) =>
  Operators(db)
    .find({})
    .sort({ _id: 1 })
    .session(tx ?? null)
    .lean<OperatorDocument[]>()
    .exec();

/** Counts all operators, including former ones, and those whose access came from one person alone. */
export const countOperators = async (db: Db) => {
  const operators = await listOperators(db);
  return { added: operators.length, alone: operators.filter(({ aloneAt }) => aloneAt !== undefined).length };
};

export const findOperator = (db: Db, name: string, tx?: Tx) =>
  Operators(db)
    .findById(name)
    .session(tx ?? null)
    .lean<OperatorDocument>()
    .exec();

/** Returns the operator who signs in with this subject. */
export const findOperatorBySubject = (db: Db, subject: string, tx?: Tx) =>
  Operators(db)
    .findOne({ subject, endedAt: { $exists: false } })
    .session(tx ?? null)
    .lean<OperatorDocument>()
    .exec();

/**
 * Sets the subject with which an operator signs in.
 * @param setBy name of the person who alone gave it; undefined if two people did
 */
export const setSubject = async (name: string, subject: string, setBy: string | undefined, tx: Tx): Promise<void> => {
  const change =
    setBy === undefined
      ? { $set: { subject }, $unset: { subjectSetBy: 1 as const } }
      : { $set: { subject, subjectSetBy: setBy } };
  await Operators(tx.db).updateOne({ _id: name }, change).session(tx);
};

/** Removes the subject with which an operator signs in. */
export const removeSubject = async (name: string, tx: Tx): Promise<void> => {
  await Operators(tx.db)
    .updateOne({ _id: name }, { $unset: { subject: 1, subjectSetBy: 1 } })
    .session(tx);
};

export const insertOperator = async (operator: OperatorDocument, tx: Tx): Promise<void> => {
  await Operators(tx.db)
    .collection.insertOne(operator as never, { session: tx })
    .catch(rethrowAsConflict);
};

export const changeOperator = async (
  name: string,
  change: Partial<Pick<OperatorDocument, 'role' | 'formerNames' | 'aloneAt' | 'endedAt'>>,
  tx: Tx,
): Promise<void> => {
  await Operators(tx.db).updateOne({ _id: name }, { $set: change }).session(tx);
};

/**
 * Returns the number of admins that are left. Writes to every admin, so that two transactions that each remove an admin
 * conflict.
 */
export const countAdmins = async (tx: Tx): Promise<number> => {
  const { matchedCount } = await Operators(tx.db)
    .updateMany({ role: 'admin', endedAt: { $exists: false } }, { $inc: { counted: 1 } })
    .session(tx);
  return matchedCount;
};

export const listTokens = (db: Db, operator?: string, tx?: Tx) =>
  Tokens(db)
    .find(operator === undefined ? {} : { operator })
    .sort({ createdAt: 1, _id: 1 })
    .session(tx ?? null)
    .lean<OperatorToken[]>()
    .exec();

/** Returns true if there are operators with tokens: from then on, commands need one. The operators of a demo have none. */
export const hasTokenHolders = async (db: Db, tx?: Tx): Promise<boolean> => {
  const session = tx ?? null;
  const first = { _id: 1 } as const; // a sort by it reads one document
  const operator = await Operators(db).findOne({}, first).sort(first).session(session).lean().exec();
  return operator !== null && (await Tokens(db).findOne({}, first).sort(first).session(session).lean().exec()) !== null;
};

/** Ends every token of an operator that is not revoked yet. */
export const revokeTokens = async (operator: string, revokedAt: Date, tx: Tx): Promise<number> => {
  const { modifiedCount } = await Tokens(tx.db)
    .updateMany({ operator, revokedAt: { $exists: false } }, { $set: { revokedAt } })
    .session(tx);
  return modifiedCount;
};

export const findToken = (db: Db, by: { readonly _id: string } | { readonly id: string }, tx?: Tx) =>
  Tokens(db)
    .findOne(by)
    .session(tx ?? null)
    .lean<OperatorToken>()
    .exec();

export const insertToken = async (token: OperatorToken, tx: Tx): Promise<void> => {
  await Tokens(tx.db)
    .collection.insertOne(token as never, { session: tx })
    .catch(rethrowAsConflict);
};

export const changeToken = async (
  id: string,
  change: Partial<Pick<OperatorToken, 'revokedAt' | 'lastUsedAt'>>,
  tx: Tx,
): Promise<void> => {
  await Tokens(tx.db).updateOne({ id }, { $set: change }).session(tx);
};
