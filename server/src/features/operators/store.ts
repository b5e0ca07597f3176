import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { asConflict } from '../../platform/mongo-errors.ts';
import { STRICT } from '../../platform/schema.ts';
import { ROLE_NAMES, type Role } from './policy.rule.ts';

/** Somebody who acts at the command line. Never removed: the audit trail names them. */
export interface OperatorDocument {
  /** The name, which nobody else ever gets. */
  readonly _id: string;
  readonly role: Role;
  /** Names that this person gave before operators had tokens. */
  readonly formerNames: readonly string[];
  readonly addedAt: Date;
  readonly endedAt?: Date;
  /** Number of times that admins were counted while this was one. */
  readonly counted?: number;
}

export interface OperatorToken {
  /** SHA-256 of the token. */
  readonly _id: string;
  /** Identifies the token in listings and in `operator revoke`. */
  readonly id: string;
  readonly operator: string;
  /** Who has seen it beside its owner; absent if its owner made it. */
  readonly seenBy?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
}

const Operators = defineModel(
  'Operator',
  new Schema<OperatorDocument>(
    {
      _id: String,
      role: { type: String, enum: ROLE_NAMES, required: true },
      formerNames: { type: [String], required: true },
      addedAt: { type: Date, required: true },
      endedAt: Date,
      counted: Number,
    },
    STRICT,
  ),
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

export const listOperators = (db: Db, tx?: Tx) =>
  Operators(db)
    .find({})
    .sort({ _id: 1 })
    .session(tx ?? null)
    .lean<OperatorDocument[]>()
    .exec();

export const findOperator = (db: Db, name: string, tx?: Tx) =>
  Operators(db)
    .findById(name)
    .session(tx ?? null)
    .lean<OperatorDocument>()
    .exec();

export const insertOperator = async (operator: OperatorDocument, tx: Tx): Promise<void> => {
  await Operators(tx.db)
    .collection.insertOne(operator as never, { session: tx })
    .catch(asConflict);
};

export const changeOperator = async (
  name: string,
  change: Partial<Pick<OperatorDocument, 'role' | 'formerNames' | 'endedAt'>>,
  tx: Tx,
): Promise<void> => {
  await Operators(tx.db).updateOne({ _id: name }, { $set: change }).session(tx);
};

/**
 * Writes to every admin: of two transactions that would each leave the other's admin as the last one, the later runs
 * again and sees the earlier. Returns the admins that are left.
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
    .catch(asConflict);
};

export const changeToken = async (
  id: string,
  change: Partial<Pick<OperatorToken, 'revokedAt' | 'lastUsedAt'>>,
  tx: Tx,
): Promise<void> => {
  await Tokens(tx.db).updateOne({ id }, { $set: change }).session(tx);
};
